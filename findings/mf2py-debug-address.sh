#!/usr/bin/env bash
# mf2py puts an address of its own into every document that it writes.
#
# Expected: the addresses in the JSON of a page are those of the page.
# Seen with mf2py 2.0.2: a member `debug` has the address of mf2py's source (and `description`, a title as it were).
# A program that collects all addresses of a JSON document follows it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet mf2py==2.0.2
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import json
import mf2py
page = '<div class="h-entry"><a class="u-url p-name" href="/1">Harbour</a></div>'
read = json.loads(mf2py.Parser(doc=page, url="https://photos.example/").to_json())
print(sorted(read), read["debug"]["source"])
PYTHON
diff - "$work/seen" <<'SEEN'
['debug', 'items', 'rel-urls', 'rels'] https://github.com/microformats/mf2py
SEEN
echo "as described"
