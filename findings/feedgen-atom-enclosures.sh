#!/usr/bin/env bash
# feedgen writes one enclosure of an entry to RSS, and none of their attributes to Atom.
#
# Expected: an entry with two pictures has two enclosures in Atom (RFC 4287, 4.2.7.2: rel="enclosure" may be repeated), each with its type
# and length.
# Seen with feedgen 1.0.0: RSS has only the last one. In Atom, each has an address and nothing else, just like the link to
# the article: so they are links to other forms of it (rel="alternate" is what a link without rel means).
# So a reader of such a feed finds one picture, or none, and no message.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet feedgen==1.0.0
"$work/env/bin/python" - >"$work/seen" <<'PYTHON'
import re
from feedgen.feed import FeedGenerator
feed = FeedGenerator()
feed.id("https://photos.example/")
feed.title("Photographs")
feed.link(href="https://photos.example/", rel="alternate")
feed.description("Two a day")
entry = feed.add_entry()
entry.id("https://photos.example/1")
entry.title("Harbour")
entry.link(href="https://photos.example/1", rel="alternate")
entry.enclosure("https://photos.example/a.jpg", "1000", "image/jpeg")
entry.enclosure("https://photos.example/b.jpg", "2000", "image/jpeg")
print("RSS:", *re.findall(r"<enclosure[^>]*>", feed.rss_str().decode()))
body = feed.atom_str().decode().split("<entry>")[1]
print("Atom:", *re.findall(r"<link[^>]*>", body))
PYTHON
diff - "$work/seen" <<'SEEN'
RSS: <enclosure url="https://photos.example/b.jpg" length="2000" type="image/jpeg"/>
Atom: <link href="https://photos.example/1"/> <link href="https://photos.example/a.jpg"/> <link href="https://photos.example/b.jpg"/>
SEEN
echo "as described"
