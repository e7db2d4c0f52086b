#!/usr/bin/env bash
# avifdec turns, mirrors and crops nothing, although avifenc writes that it should be done.
#
# Expected: a picture with `irot`, `imir` or `clap` is shown turned, mirrored or cropped (ISO/IEC 23008-12, 6.5.8 to
# 6.5.12; these properties are essential), and a decoder that writes a PNG does so, since PNG cannot say it.
# Seen with libavif 0.11.1: the PNG has the stored pixels in each case, and no word about it. Pillow 12.0.0 turns the
# picture by a quarter, and so has another size, but does not crop either. As a reference for what a file shows,
# avifdec will not do.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Its other libraries come with libvips or libgd.
apt-get download --quiet libavif-bin=0.11.1-1+deb12u1 libavif15=0.11.1-1+deb12u1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0
env/bin/python -c 'from PIL import Image
picture = Image.new("RGB", (60, 40), "blue")
picture.paste("red", (0, 0, 30, 20))
picture.save("a.png")'
for options in "--irot 1" "--imir 0" "--imir 1" "--crop 0,0,30,20"; do
  # shellcheck disable=SC2086  # These are two words.
  usr/bin/avifenc $options a.png a.avif >>log
  usr/bin/avifdec a.avif b.png >>log
  env/bin/python - "$options" <<'PYTHON'
import sys
from PIL import Image, ImageChops, ImageOps
stored, decoded = Image.open("a.png"), Image.open("b.png").convert("RGB")
same = decoded.size == stored.size and max(high for _, high in ImageChops.difference(stored, decoded).getextrema()) < 60
print(f"{sys.argv[1]}: avifdec {decoded.size}, as stored: {same}, Pillow {ImageOps.exif_transpose(Image.open('a.avif')).size}")
PYTHON
done >seen
diff - seen <<'SEEN'
--irot 1: avifdec (60, 40), as stored: True, Pillow (40, 60)
--imir 0: avifdec (60, 40), as stored: True, Pillow (60, 40)
--imir 1: avifdec (60, 40), as stored: True, Pillow (60, 40)
--crop 0,0,30,20: avifdec (60, 40), as stored: True, Pillow (60, 40)
SEEN
echo "as described"
