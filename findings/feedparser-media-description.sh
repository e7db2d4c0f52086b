#!/usr/bin/env bash
# feedparser puts the caption of a picture in the place of an entry's summary.
#
# Expected: `summary` is the item's `description`; a `media:description` belongs to its picture (Media RSS 1.5.1).
# Seen with feedparser 6.0.14: when `media:description` comes first, it is the summary, and the item's own description
# moves to `content`. With the elements in the other order, the summary is the item's. So the same feed gives other
# texts when its generator changes the order of elements, which has no meaning in RSS.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet feedparser==6.0.14
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import feedparser
own, caption = "<description>About the trip</description>", "<media:description>A boat</media:description>"
for order in (caption + own, own + caption):
    entry = feedparser.parse('<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>'
                             f"<guid>1</guid>{order}</item></channel></rss>").entries[0]
    print("summary:", entry.summary, "content:", [part.value for part in entry.get("content", [])])
PYTHON
diff - "$work/seen" <<'SEEN'
summary: A boat content: ['About the trip']
summary: About the trip content: ['A boat']
SEEN
echo "as described"
