#!/usr/bin/env bash
# mkdocs-rss-plugin joins the address of a page's picture to that of the site, and not to that of the page.
#
# Expected: `image: ../assets/pic.jpg` of sub/page.md is the picture that MkDocs finds for the same words in the page's
# text: assets/pic.jpg of the site. A feed without a picture of its own has no `image`.
# Seen with mkdocs-rss-plugin 1.19.0: the enclosure is `https://photos.example/docs/../assets/pic.jpg`, which every
# reader takes for https://photos.example/assets/pic.jpg: outside the site. The channel's picture is named "None".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet mkdocs==1.6.1 mkdocs-rss-plugin==1.19.0 pillow==12.0.0
PATH=$work/env/bin:$PATH
cd "$work"
mkdir -p docs/sub docs/assets
python -c 'from PIL import Image; Image.new("RGB", (64, 48), "teal").save("docs/assets/pic.jpg")'
cat >mkdocs.yml <<'SETTINGS'
site_name: Photographs
site_url: https://photos.example/docs/
theme: null
plugins:
  - rss:
      use_git: false
SETTINGS
echo "Waves" >docs/index.md
printf -- '---\ntitle: Sea\nimage: ../assets/pic.jpg\n---\n![Sea](../assets/pic.jpg)\n' >docs/sub/page.md
mkdocs build --quiet --site-dir site
python - >"$work/seen" <<'PYTHON'
import urllib.parse
import xml.etree.ElementTree as tree
channel = tree.parse("site/feed_rss_created.xml").find("channel")
enclosure = channel.find("item/enclosure").get("url")
print("enclosure:", enclosure)
# RFC 3986, 5.2.4: dot segments are removed.
print("a reader asks:", urllib.parse.urljoin(enclosure, urllib.parse.urlsplit(enclosure).path))
print("the channel's picture:", channel.findtext("image/url"))
PYTHON
diff - "$work/seen" <<'SEEN'
enclosure: https://photos.example/docs/../assets/pic.jpg
a reader asks: https://photos.example/assets/pic.jpg
the channel's picture: None
SEEN
echo "as described"
