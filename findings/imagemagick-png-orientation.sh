#!/usr/bin/env bash
# ImageMagick puts the EXIF of a PNG behind the pixels, where libvips does not look for it.
#
# Expected: a photograph with orientation 6 that becomes a PNG is upright wherever the PNG of another program is. The
# extension that made the chunk `eXIf` (2017) allows it before and behind `IDAT`, and reading it is optional.
# Seen with ImageMagick 6.9.11-60: `IDAT eXIf`. libvips 8.18.7 has no orientation then, and shows the picture lying;
# Pillow 12.0.0 reads to the end, and turns it. From Pillow, the chunk comes first, and both turn it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Its other libraries come with libvips.
apt-get download --quiet imagemagick-6.q16=8:6.9.11.60+dfsg-1.6+deb12u15 \
  libmagickwand-6.q16-6=8:6.9.11.60+dfsg-1.6+deb12u15 libmagickcore-6.q16-6=8:6.9.11.60+dfsg-1.6+deb12u15 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0 pyvips==3.2.0
# Where libvips is installed, pyvips has put its own module in the place of this one.
env/bin/pip install --quiet --force-reinstall --no-deps pyvips-binary==8.18.7
env/bin/python -c 'from PIL import Image
exif = Image.Exif()
exif[0x0112] = 6
for name in ("a.jpg", "pillow.png"):
    Image.new("RGB", (60, 40)).save(name, exif=exif)'
LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu usr/bin/convert-im6.q16 a.jpg imagemagick.png
env/bin/python - >seen <<'PYTHON'
import pyvips
from PIL import Image, ImageOps
assert [pyvips.version(part) for part in range(3)] == [8, 18, 7]
for name in ("imagemagick.png", "pillow.png"):
    data = open(name, "rb").read()
    order = sorted((kind for kind in (b"IDAT", b"eXIf") if kind in data), key=data.index)
    vips = pyvips.Image.thumbnail(name, 60, height=60)
    print(f"{name}:", *(kind.decode() for kind in order), end=", ")
    print(f"libvips {vips.width} x {vips.height}, Pillow {ImageOps.exif_transpose(Image.open(name)).size}")
PYTHON
diff - seen <<'SEEN'
imagemagick.png: IDAT eXIf, libvips 60 x 40, Pillow (40, 60)
pillow.png: eXIf IDAT, libvips 40 x 60, Pillow (40, 60)
SEEN
echo "as described"
