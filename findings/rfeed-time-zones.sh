#!/usr/bin/env bash
# rfeed drops the time zone of a date, and keeps the clock's time as if it were UTC.
#
# Expected: noon of 1 July in a zone two hours east of Greenwich is written as 10:00 GMT, or as 12:00 +0200 (RFC 822, section 5).
# Seen with rfeed 1.1.1: `Wed, 01 Jul 2026 12:00:00 GMT`, two hours late. No reader can know.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet rfeed==1.1.1
"$work/env/bin/python" - >"$work/seen" <<'PYTHON'
import re
from datetime import datetime, timedelta, timezone
from rfeed import Feed, Item
noon = datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=2)))
item = Item(title="Harbour", link="https://photos.example/1", pubDate=noon)
text = Feed("Photographs", "https://photos.example/", "One a day", items=[item]).rss()
print(re.search("<pubDate>(.*?)</pubDate>", text.split("<item>")[1]).group(1))
PYTHON
diff - "$work/seen" <<'SEEN'
Wed, 01 Jul 2026 12:00:00 GMT
SEEN
echo "as described"
