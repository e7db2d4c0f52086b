#!/usr/bin/env bash
# A new installation of the library `reader` reads no feed.
#
# Expected: pip installs what reader needs.
# Seen with reader 3.26: it has a copy of feedparser, which imports `sgmllib`. Its requirement feedparser brings that
# module under another name since 6.0.12, so every feed ends with an error. Installing sgmllib3k as well helps.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet reader==3.26 feedparser==6.0.14
cat >"$work/feed.xml" <<'XML'
<rss version="2.0"><channel><title>Photographs</title><item><guid>1</guid><title>Harbour</title></item></channel></rss>
XML
cat >"$work/read.py" <<'PYTHON'
import sys
from reader import make_reader
reader = make_reader(":memory:", feed_root=sys.argv[1])
try:
    reader.add_feed("feed.xml")
    reader.update_feed("feed.xml")
    print("entries:", reader.get_entry_counts().total)
except ImportError as error:
    print("error:", error)
PYTHON
{
  "$work/env/bin/python" "$work/read.py" "$work"
  "$work/env/bin/pip" install --quiet sgmllib3k==1.0.0
  "$work/env/bin/python" "$work/read.py" "$work"
} >"$work/seen"
diff - "$work/seen" <<'SEEN'
error: No module named 'sgmllib'
entries: 1
SEEN
echo "as described"
