#!/usr/bin/env bash
# `exiftool -j` writes a text that looks like a number as a number.
#
# Expected: a title is a JSON string.
# Seen with exiftool 12.57: the title "1.10" is the number 1.10, which every JSON reader makes 1.1, and the artist
# "1e5" is 100000. "007" and "0x10" stay text. So the type of a member, and its text, depend on what a photographer has
# typed; `-api StructFormat=JSONQ` came with 12.59 and puts marks around all.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download --quiet libimage-exiftool-perl=12.57+dfsg-1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
tool() { perl -I usr/share/perl5 usr/bin/exiftool -config "" "$@"; }
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0
env/bin/python -c 'from PIL import Image; Image.new("RGB", (9, 9)).save("a.jpg")'
tool -q -overwrite_original -XMP:Title=1.10 -Artist=1e5 -XMP-dc:Subject=007 -XMP-dc:Subject=2026 a.jpg
tool -j -XMP:Title -Artist -Subject a.jpg >seen
diff - seen <<'SEEN'
[{
  "SourceFile": "a.jpg",
  "Title": 1.10,
  "Artist": 1e5,
  "Subject": ["007",2026]
}]
SEEN
echo "as described"
