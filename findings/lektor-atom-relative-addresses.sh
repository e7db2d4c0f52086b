#!/usr/bin/env bash
# Lektor's plug-in for feeds writes addresses that are relative to the article, and does not say so.
#
# Expected: an address in an entry is absolute, or relative to xml:base (RFC 4287, 2), or else to the address of the feed
# (RFC 3986, 5.1).
# Seen with lektor-atom 0.4.0 in Lektor 3.3.14, with the setting that Lektor has by itself (url_style = relative): the text
# has the addresses of its page, `boat.jpg` for a picture beside the article, and there is no xml:base. So readers that
# go by the RFCs ask for `/boat.jpg`; the picture is at `/harbour/boat.jpg`. With url_style = absolute, it is right.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet lektor==3.3.14 lektor-atom==0.4.0
mkdir -p "$work"/site/{models,configs,templates,content/harbour}
cd "$work/site"
printf '[model]\nname = Page\n[fields.title]\ntype = string\n[fields.body]\ntype = markdown\n[fields.pub_date]\ntype = datetime\n' >models/page.ini
printf '[feed]\nname = Photographs\nsource_path = /\nurl_path = /feed.xml\nitem_model = page\n' >configs/atom.ini
echo '{{ this.body }}' >templates/page.html
printf '_model: page\n---\ntitle: Photographs\n' >content/contents.lr
printf '_model: page\n---\ntitle: Harbour\n---\npub_date: 2026-07-01 12:00:00 UTC\n---\nbody: ![A boat](boat.jpg)\n' >content/harbour/contents.lr
"$work/env/bin/python" -c 'from struct import pack
open("content/harbour/boat.jpg", "wb").write(b"\xff\xd8\xff\xd9")'
for style in relative absolute; do
  printf '[project]\nname = Photographs\nurl = https://photos.example/\nurl_style = %s\n' "$style" >site.lektorproject
  HOME="$work" "$work/env/bin/lektor" build -O "$work/$style" >"$work/log" 2>&1
  echo "$style: $(grep -o 'src="[^"]*"' "$work/$style/feed.xml"), xml:base $(grep -c 'xml:base' "$work/$style/feed.xml" || true)"
done >"$work/seen"
diff - "$work/seen" <<'SEEN'
relative: src="boat.jpg", xml:base 0
absolute: src="/harbour/boat.jpg", xml:base 0
SEEN
echo "as described"
