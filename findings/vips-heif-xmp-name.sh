#!/usr/bin/env bash
# libvips 8.14 has the XMP of a HEIC or an AVIF under a name of its own, with a number.
#
# Expected: XMP is `xmp-data`, as in each other format, and EXIF is `exif-data`.
# Seen with libvips 8.14.1, as Debian 12 has it: XMP that exiftool 12.57 has written is `heif-mime-0` without EXIF, and
# `heif-mime-1` behind it. So programs that ask for `xmp-data` find no date and no place. With libvips 8.18.7 it is
# `xmp-data`.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Needs libvips42 8.14.1 of Debian 12 with its libraries.
apt-get download --quiet libvips-tools=8.14.1-3+deb12u3 libimage-exiftool-perl=12.57+dfsg-1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0 pyvips==3.2.0
# Where libvips is installed, pyvips has put its own module in the place of this one.
env/bin/pip install --quiet --force-reinstall --no-deps pyvips-binary==8.18.7
env/bin/python -c 'from PIL import Image
for name in ("a.avif", "b.avif", "c.jpg"):
    Image.new("RGB", (64, 64)).save(name)'
edit() { perl -I usr/share/perl5 usr/bin/exiftool -config "" -q -overwrite_original "$@"; }
edit -Artist=x b.avif
edit -XMP-exif:DateTimeOriginal="2026:05:01 08:00:00+02:00" a.avif b.avif c.jpg
for name in a.avif b.avif c.jpg; do
  echo "$name: $(usr/bin/vipsheader -a "$name" 2>>log | sed -n 's/^\(xmp-data\|exif-data\|heif-mime-.\):.*/\1/p' | sort | xargs)"
done >seen
env/bin/python - >>seen <<'PYTHON'
import pyvips
assert [pyvips.version(part) for part in range(3)] == [8, 18, 7]
for name in ("a.avif", "b.avif"):
    fields = pyvips.Image.new_from_file(name).get_fields()
    print(f"{name} with 8.18.7:", *sorted(field for field in fields if field.endswith("-data") or "mime" in field))
PYTHON
diff - seen <<'SEEN'
a.avif: heif-mime-0
b.avif: exif-data heif-mime-1
c.jpg: xmp-data
a.avif with 8.18.7: xmp-data
b.avif with 8.18.7: exif-data xmp-data
SEEN
echo "as described"
