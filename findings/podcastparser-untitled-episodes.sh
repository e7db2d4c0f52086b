#!/usr/bin/env bash
# podcastparser drops an item that has two enclosures and no title.
#
# Expected: an item needs a title or a description (RSS 2.0, "Elements of <item>"), and this one has a description.
# Seen with podcastparser 0.6.11: with one enclosure, the file's name is the title. With the same file as
# `media:content` beside it, which counts as a second one, the item is missing, and nothing tells of it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet podcastparser==0.6.11
"$work/env/bin/python" - >"$work/seen" <<'PYTHON'
import io
import podcastparser
ENCLOSURE = '<enclosure url="https://photos.example/a.jpg" length="9" type="image/jpeg"/>'
CONTENT = '<media:content url="https://photos.example/a.jpg" type="image/jpeg"/>'
for words, pictures in [("one", ENCLOSURE), ("both", ENCLOSURE + CONTENT)]:
    feed = f"""<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Photographs</title>
      <item><guid isPermaLink="false">1</guid><description>A boat</description>{pictures}</item></channel></rss>"""
    episodes = podcastparser.parse("https://photos.example/feed.rss", io.BytesIO(feed.encode()))["episodes"]
    print(f"{words}:", *(episode["title"] for episode in episodes))
PYTHON
diff - "$work/seen" <<'SEEN'
one: a
both:
SEEN
echo "as described"
