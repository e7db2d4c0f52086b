#!/usr/bin/env bash
# feedparser does not tell the sizes of one picture from several pictures.
#
# Expected: the two `media:content` of a `media:group` are one picture in two sizes; a third outside is another picture
# (Media RSS 1.5.1, "media:group").
# Seen with feedparser 6.0.14: `media_content` has all three in a row, and nothing says which belong together. A program
# that shows each as a picture shows one twice; a program that takes the largest loses one.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet feedparser==6.0.14
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import feedparser
entry = feedparser.parse("""<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item><guid>1</guid>
<media:group><media:content url="https://photos.example/harbour-2000.jpg" width="2000"/>
<media:content url="https://photos.example/harbour-200.jpg" width="200"/></media:group>
<media:content url="https://photos.example/boat.jpg"/></item></channel></rss>""").entries[0]
for content in entry.media_content:
    print(*(f"{name}={content[name]}" for name in sorted(content)))
PYTHON
diff - "$work/seen" <<'SEEN'
url=https://photos.example/harbour-2000.jpg width=2000
url=https://photos.example/harbour-200.jpg width=200
url=https://photos.example/boat.jpg
SEEN
echo "as described"
