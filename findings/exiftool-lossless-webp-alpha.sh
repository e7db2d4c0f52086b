#!/usr/bin/env bash
# A lossless WebP that exiftool has touched has no transparency in libvips.
#
# Expected: writing the artist changes no pixel and no statement about pixels.
# Seen with exiftool 12.57: it puts a VP8X chunk in front of the lossless picture, whose flags say that there is no
# alpha channel, although the picture's own header says that alpha is used. libvips 8.18.7 believes VP8X, and shows the
# colours that were hidden; Pillow 12.0.0 believes the picture.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download --quiet libimage-exiftool-perl=12.57+dfsg-1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
python3 -m venv env
env/bin/pip install --quiet pyvips==3.2.0 pillow==12.0.0
# Where libvips is installed, pyvips has put its own module in the place of this one.
env/bin/pip install --quiet --force-reinstall --no-deps pyvips-binary==8.18.7
look() {
  env/bin/python -c 'import pyvips
from PIL import Image
assert [pyvips.version(part) for part in range(3)] == [8, 18, 7]
print("Pillow:", Image.open("a.webp").mode, "libvips:", pyvips.Image.new_from_file("a.webp").bands, "bands")'
}
env/bin/python -c 'from PIL import Image
picture = Image.new("RGBA", (64, 64), (200, 100, 50, 0))
picture.paste((0, 0, 0, 255), (0, 0, 30, 30))
picture.save("a.webp", lossless=True, exact=True)'
{
  look
  perl -I usr/share/perl5 usr/bin/exiftool -config "" -q -overwrite_original -Artist=x a.webp
  look
} >seen
diff - seen <<'SEEN'
Pillow: RGBA libvips: 4 bands
Pillow: RGBA libvips: 3 bands
SEEN
echo "as described"
