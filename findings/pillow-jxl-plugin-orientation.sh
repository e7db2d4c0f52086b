#!/usr/bin/env bash
# pillow-jxl-plugin writes the orientation to EXIF only, where JPEG XL does not look for it.
#
# Expected: a picture with EXIF orientation 6 is upright in readers of JPEG XL. There, the orientation is a field of the
# picture's own header (ISO/IEC 18181-1, D.3), and that of EXIF must be ignored (18181-2).
# Seen with pillow-jxl-plugin 1.3.8 and Pillow 12.0.0: the field says 1, and libjxl 0.7.0 (djxl) leaves the picture
# lying. The plug-in and `ImageOps.exif_transpose` turn it, so whoever writes it sees nothing wrong.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# The libraries of djxl come with libvips.
apt-get download --quiet libjxl-tools=0.7.0-10+deb12u1 libtcmalloc-minimal4=2.10-1 libjxl0.7=0.7.0-10+deb12u1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0 pillow-jxl-plugin==1.3.8
env/bin/python - >seen <<'PYTHON'
import pillow_jxl
from PIL import Image, ImageOps
exif = Image.Exif()
exif[0x0112] = 6
Image.new("RGB", (60, 40)).save("a.jxl", exif=exif.tobytes())
read = Image.open("a.jxl")
print("Pillow:", read.size, "orientation", read.getexif().get(0x0112), "transposed", ImageOps.exif_transpose(read).size)
PYTHON
export LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu
usr/bin/djxl a.jxl a.png 2>>log
env/bin/python -c 'from PIL import Image
print("djxl:", Image.open("a.png").size)' >>seen
usr/bin/jxlinfo -v a.jxl | grep Orientation >>seen
diff - seen <<'SEEN'
Pillow: (60, 40) orientation 6 transposed (40, 60)
djxl: (60, 40)
Orientation: 1 (Normal)
SEEN
echo "as described"
