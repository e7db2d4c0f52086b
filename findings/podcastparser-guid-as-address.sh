#!/usr/bin/env bash
# podcastparser makes an address of a guid, and gives it to the entry as its link.
#
# Expected: the guid "1" is "1" (RSS 2.0, "guid": the string identifies the item).
# Seen with podcastparser 0.6.11: it is resolved against the feed's address, and is the link as well, although nothing
# is there. When the feed moves to another host, each episode has another guid.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet podcastparser==0.6.11
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import io
import podcastparser
text = b"""<rss version="2.0"><channel><title>Photographs</title><item><title>Harbour</title><guid>1</guid>
<enclosure url="https://photos.example/a.jpg" type="image/jpeg" length="10"/></item></channel></rss>"""
for host in ("photos.example", "new.example"):
    entry = podcastparser.parse(f"https://{host}/feed.xml", io.BytesIO(text))["episodes"][0]
    print(entry["guid"], entry["link"])
PYTHON
diff - "$work/seen" <<'SEEN'
https://photos.example/1 https://photos.example/1
https://new.example/1 https://new.example/1
SEEN
echo "as described"
