#!/usr/bin/env bash
# atoma reads JSON Feed 1.1, but not its authors.
#
# Expected: the entry has the author of `authors`, which replaced `author` in version 1.1 (jsonfeed.org/version/1.1).
# Seen with atoma 0.0.17: the entry has no author, and no error. A feed that also has the older `author` is read with it.
# So a feed for all readers has both members.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet atoma==0.0.17
"$work/env/bin/python" - >"$work/seen" <<'PYTHON'
import json
import atoma
def author(item):
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Photographs",
            "items": [{"id": "1", "content_text": "Harbour", **item}]}
    return atoma.parse_json_feed_bytes(json.dumps(feed).encode()).items[0].author
print("authors:", author({"authors": [{"name": "Ada"}]}))
print("both:", author({"authors": [{"name": "Ada"}], "author": {"name": "Ada"}}).name)
PYTHON
diff - "$work/seen" <<'SEEN'
authors: None
both: Ada
SEEN
echo "as described"
