#!/usr/bin/env bash
# fastfeedparser reads a number that is the guid of an entry as the day of the present month.
#
# Expected: an RSS item without `pubDate` has no date.
# Seen with fastfeedparser 0.6.5: an item whose guid is "17" was published on the 17th of this month, whenever that is.
# A guid that is no number gives no date.
# Generators that number their posts are common, so undated posts move to the next month with each month.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet fastfeedparser==0.6.5
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
from datetime import date
import fastfeedparser
for guid in ("17", "photo-17", "https://photos.example/17"):
    feed = fastfeedparser.parse(
        '<rss version="2.0"><channel><title>Photographs</title><link>https://photos.example/</link>'
        f"<description>One a day</description><item><title>Harbour</title><guid>{guid}</guid></item></channel></rss>")
    found = feed.entries[0].get("published")
    expected = f"{date.today():%Y-%m}-17T00:00:00+00:00"
    print(guid, "the 17th of this month" if found == expected else found)
PYTHON
diff - "$work/seen" <<'SEEN'
17 the 17th of this month
photo-17 None
https://photos.example/17 None
SEEN
echo "as described"
