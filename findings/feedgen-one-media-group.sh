#!/usr/bin/env bash
# feedgen puts all pictures of an entry into one group, as if they were one picture.
#
# Expected: two pictures that are added one after the other are two media of the entry. A `media:group` holds the same
# content in several forms (Media RSS 1.5.1, "media:group").
# Seen with feedgen 1.0.0: by default, `content(…)` and `thumbnail(…)` fill one group: both pictures, then both
# thumbnails. Only their order tells which thumbnail belongs to which picture, and a reader that keeps to the
# specification shows one picture of the two.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet feedgen==1.0.0
"$work/env/bin/python" - >"$work/seen" <<'PYTHON'
import re
from feedgen.feed import FeedGenerator
feed = FeedGenerator()
feed.load_extension("media")
feed.title("Photographs")
feed.link(href="https://photos.example/", rel="alternate")
feed.description("Two a day")
entry = feed.add_entry()
entry.title("Harbour")
for name, width, height in [("a", "1600", "1067"), ("b", "1067", "1600")]:
    entry.media.content(url=f"https://photos.example/{name}.jpg", medium="image", width=width, height=height)
    entry.media.thumbnail(url=f"https://photos.example/small-{name}.jpg")
for name, address in re.findall(r'<(/?media:\w+)(?:[^>]*url="([^"]*)")?', feed.rss_str().decode()):
    print(name, address)
PYTHON
sed -i 's/ $//' "$work/seen"
diff - "$work/seen" <<'SEEN'
media:group
media:content https://photos.example/a.jpg
media:content https://photos.example/b.jpg
media:thumbnail https://photos.example/small-a.jpg
media:thumbnail https://photos.example/small-b.jpg
/media:group
SEEN
echo "as described"
