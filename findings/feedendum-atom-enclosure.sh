#!/usr/bin/env bash
# feedendum writes RSS's element for a picture into Atom.
#
# Expected: what is an `enclosure` in RSS is a link with rel="enclosure" in Atom (RFC 4287, 4.2.7.2), with the same address,
# length and type.
# Seen with feedendum 0.4.0: the entry gets an element `enclosure` in the namespace of Atom, which has none. Lenient readers
# such as feedparser 6.0.14 take it for a picture; fastfeedparser 0.6.5 and others that go by the RFC find none.
# So a feed that was turned from RSS into Atom has lost its pictures for them.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet feedendum==0.4.0 fastfeedparser==0.6.5 feedparser==6.0.14
"$work/env/bin/python" - >"$work/seen" <<'PYTHON'
import re
import fastfeedparser
import feedendum
import feedparser
feed = feedendum.from_rss_text("""<rss version="2.0"><channel><title>Photographs</title>
<link>https://photos.example/</link><description>One a day</description><item><guid isPermaLink="false">1</guid>
<title>Harbour</title><link>https://photos.example/1</link><description>A boat</description>
<pubDate>Wed, 01 Jul 2026 12:00:00 +0200</pubDate>
<enclosure url="https://photos.example/a.jpg" length="1000" type="image/jpeg"/></item></channel></rss>""")
atom = feedendum.to_atom_string(feed)
print("Atom:", *re.findall(r"<enclosure[^>]*>", atom))
print("links with a rel:", len(re.findall(r"<link[^>]* rel=", atom)))
print("fastfeedparser:", *(found["url"] for found in fastfeedparser.parse(atom).entries[0].get("enclosures") or []))
print("feedparser:", *(found.href for found in feedparser.parse(atom).entries[0].enclosures))
PYTHON
diff - "$work/seen" <<'SEEN'
Atom: <enclosure url="https://photos.example/a.jpg" length="1000" type="image/jpeg"/>
links with a rel: 0
fastfeedparser:
feedparser: https://photos.example/a.jpg
SEEN
echo "as described"
