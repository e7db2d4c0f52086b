#!/usr/bin/env bash
# libvips 8.14 writes the camera's data into WebP, although it was told to strip it.
#
# Expected: the option `strip` of a saver leaves all metadata out, as it does for JPEG and PNG.
# Seen with libvips 8.14.1, as Debian 12 has it: with `strip`, JPEG and PNG have neither the camera nor the place of a
# photograph, and WebP has both, in the same bytes as without the option. So a program that publishes small copies in
# WebP, because they are transparent, publishes where each photograph was taken.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Needs libvips42 8.14.1 of Debian 12 with its libraries.
apt-get download --quiet libvips-tools=8.14.1-3+deb12u3 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0
env/bin/python - <<'PYTHON'
from PIL import Image
exif = Image.Exif()
exif[0x010F] = "Lumen"
exif.get_ifd(0x8825).update({1: "N", 2: (47, 22, 0), 3: "E", 4: (8, 32, 0)})
Image.new("RGBA", (8, 8), (200, 80, 40, 128)).save("photograph.png", exif=exif)
PYTHON
for suffix in jpg png webp; do
  usr/bin/vips copy photograph.png "small.${suffix}[strip]"
  env/bin/python - "small.$suffix" <<'PYTHON'
import sys
from PIL import Image
exif = Image.open(sys.argv[1]).getexif()
place = exif.get_ifd(0x8825)
print(sys.argv[1], "camera:", exif.get(0x010F), "latitude:", tuple(float(part) for part in place.get(2, ())))
PYTHON
done >seen
usr/bin/vips copy photograph.png whole.webp
cmp small.webp whole.webp && echo "as without the option" >>seen
usr/bin/vips --version >>seen
diff - seen <<'SEEN'
small.jpg camera: None latitude: ()
small.png camera: None latitude: ()
small.webp camera: Lumen latitude: (47.0, 22.0, 0.0)
as without the option
vips-8.14.1
SEEN
echo "as described"
