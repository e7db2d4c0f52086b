#!/usr/bin/env bash
# GraphicsMagick writes a PNG into a file that is to be JPEG 2000.
#
# Expected: a format that a build cannot write ends with an error, as in ImageMagick ("no encode delegate").
# Seen with GraphicsMagick 1.3.40, as Debian 12 has it, built without JPEG 2000: `gm convert a.png a.jp2` ends with 0 and
# no message, and a.jp2 is a PNG, because the format of the input is kept if the extension means none. HEIC and AVIF,
# which this build reads and does not write, are refused. Only the first bytes tell what a file is.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Its other libraries come with libvips, but for libwmf.
apt-get download --quiet graphicsmagick=1.4+really1.3.40-4+deb12u1 libgraphicsmagick-q16-3=1.4+really1.3.40-4+deb12u1 \
  libwmflite-0.2-7=0.2.12-5.1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu HOME=$work
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0
env/bin/python -c 'from PIL import Image
Image.new("RGB", (64, 64)).save("a.png")
Image.new("RGB", (64, 64)).save("a.jpg")'
for from in png jpg; do
  for to in jp2 avif heic tif; do
    status=0
    said=$(usr/bin/gm convert "a.$from" "b.$to" 2>&1) || status=$?
    kind=$([[ -e b.$to ]] && head -c 4 "b.$to" | od -An -tx1 | xargs || echo "no file")
    echo "$from to $to: status $status, $([[ -n $said ]] && echo "a message" || echo "no message"), $kind"
    rm -f "b.$to"
  done
done >seen
diff - seen <<'SEEN'
png to jp2: status 0, no message, 89 50 4e 47
png to avif: status 1, a message, no file
png to heic: status 1, a message, no file
png to tif: status 0, no message, 49 49 2a 00
jpg to jp2: status 0, no message, ff d8 ff e0
jpg to avif: status 1, a message, no file
jpg to heic: status 1, a message, no file
jpg to tif: status 0, no message, 49 49 2a 00
SEEN
echo "as described"
