#!/usr/bin/env bash
# newsboat keeps the enclosures of sound and video, and drops those of pictures.
#
# Expected: an item's enclosure is there, whatever its type (RSS 2.0, "enclosure"; RFC 4287, 4.2.7.2).
# Seen with newsboat 2.21: of three items with an enclosure, the one of type audio/mpeg has it. Those of image/jpeg, in
# RSS and in Atom, have none, and nothing tells of them; only an `img` in the text leads to a picture.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Its other libraries come with curl and git.
apt-get download --quiet newsboat=2.21-1.5 libstfl0=0.22-3+b5 libjson-c5=0.16-2 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu:$work/lib/x86_64-linux-gnu LC_ALL=C.UTF-8 HOME=$work
cat >feed.rss <<'FEED'
<rss version="2.0"><channel><title>Photographs</title><link>https://photos.example/</link><description>d</description>
<item><title>Sound</title><guid>1</guid><enclosure url="https://photos.example/a.mp3" length="9" type="audio/mpeg"/></item>
<item><title>Picture</title><guid>2</guid><enclosure url="https://photos.example/a.jpg" length="9" type="image/jpeg"/></item>
</channel></rss>
FEED
cat >feed.atom <<'FEED'
<feed xmlns="http://www.w3.org/2005/Atom"><title>Photographs</title><id>urn:a</id><updated>2026-07-01T10:00:00Z</updated>
<entry><title>Picture of Atom</title><id>urn:b</id><updated>2026-07-01T10:00:00Z</updated>
<link rel="enclosure" type="image/jpeg" length="9" href="https://photos.example/b.jpg"/></entry></feed>
FEED
printf 'file://%s\n' "$work/feed.rss" "$work/feed.atom" >urls
touch config
usr/bin/newsboat -u urls -c cache -C config -x reload
python3 - >seen <<'PYTHON'
import sqlite3
rows = sqlite3.connect("cache").execute("SELECT title, enclosure_type, enclosure_url FROM rss_item ORDER BY title")
for title, kind, address in rows:
    print(f"{title}: {kind or '-'} {address or '-'}")
PYTHON
diff - seen <<'SEEN'
Picture: - -
Picture of Atom: - -
Sound: audio/mpeg https://photos.example/a.mp3
SEEN
echo "as described"
