#!/usr/bin/env bash
# Nikola calls the feed of a gallery by the name of its last picture.
#
# Expected: the title of the channel is that of the gallery or of the site, and its link is the gallery's page (RSS 2.0,
# "required channel elements").
# Seen with Nikola 8.3.3: for a gallery `trip` with a.jpg and b.jpg, the title of the feed is "B", and the link is the
# feed itself. So a reader shows a feed that is called "B", and after the next picture another name.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet nikola==8.3.3
PATH=$work/env/bin:$PATH
cd "$work"
nikola init -q site 2>/dev/null
cd site
mkdir -p galleries/trip
python - <<'PYTHON'
from PIL import Image
for name in ("a", "b"):
    Image.new("RGB", (64, 48), "teal").save(f"galleries/trip/{name}.jpg")
PYTHON
echo 'SITE_URL = "http://photos.example/"; BLOG_TITLE = "Photographs"' >>conf.py
nikola build -q 2>/dev/null
python - >"$work/seen" <<'PYTHON'
import xml.etree.ElementTree as tree
channel = tree.parse("output/galleries/trip/rss.xml").find("channel")
print("title:", channel.findtext("title"))
print("link:", channel.findtext("link"))
print("items:", *(item.findtext("title") for item in channel.iter("item")))
PYTHON
diff - "$work/seen" <<'SEEN'
title: B
link: http://photos.example/galleries/trip/rss.xml
items: A B
SEEN
echo "as described"
