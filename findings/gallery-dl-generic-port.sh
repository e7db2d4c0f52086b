#!/usr/bin/env bash
# gallery-dl's extractor for any page drops the port of the page's address.
#
# Expected: `generic:http://127.0.0.1:PORT/page.html` is asked at that port.
# Seen with gallery-dl 1.32.18: the address that it takes ends with the host, so it asks port 80, and for
# the first page instead of the named one. Addresses of files (its extractor directlink) keep their port.
# So it cannot read pages of a server at a port of its own; through a proxy (`-o proxy=`) it can.
set -euo pipefail
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet gallery-dl==1.32.18
mkdir "$work/site"
echo '<title>Harbour</title><img src="http://photos.example/a.jpg">' >"$work/site/page.html"
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$work/site" >"$work/log" 2>&1 &
server=$!
until port=$(grep -o 'port [0-9]*' "$work/log"); do sleep 0.1; done
port=${port#port }
"$work/env/bin/python" - "$port" >"$work/seen" <<'PYTHON'
import sys
from gallery_dl import extractor
for address in ("generic:http://127.0.0.1:PORT/page.html", "http://127.0.0.1:PORT/a.jpg"):
    found = extractor.find(address.replace("PORT", sys.argv[1]))
    print(found.category, "asks", found.url.replace(sys.argv[1], "PORT"))
PYTHON
"$work/env/bin/gallery-dl" --config-ignore -j "generic:http://127.0.0.1:$port/page.html" >"$work/printed" 2>&1 || true
echo "pictures: $(grep -c 'a\.jpg' "$work/printed")" >>"$work/seen"
echo "requests to the server: $(grep -c GET "$work/log")" >>"$work/seen"
diff - "$work/seen" <<'SEEN'
generic asks http://127.0.0.1
directlink asks http://127.0.0.1:PORT/a.jpg
pictures: 0
requests to the server: 0
SEEN
echo "as described"
