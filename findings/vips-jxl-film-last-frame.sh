#!/usr/bin/env bash
# libvips 8.14 shows the last frame of a film in JPEG XL.
#
# Expected: the first frame, as libvips has it for films in GIF and WebP, and as a frame of its own for each `page`.
# Seen with libvips 8.14.1 and libjxl 0.7.0, as Debian 12 has them: of three frames in red, green and blue, GIF and WebP
# are red, and JPEG XL is blue. There is neither a number of pages nor the option `page`, so nothing tells that it is a
# film, and the first frame cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Needs libvips42 8.14.1 of Debian 12 with its libraries.
apt-get download --quiet libvips-tools=8.14.1-3+deb12u3 libjxl-tools=0.7.0-10+deb12u1 libtcmalloc-minimal4=2.10-1 >log 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu
python3 -m venv env
env/bin/pip install --quiet pillow==12.0.0
env/bin/python - <<'PYTHON'
from PIL import Image
first, *others = [Image.new("RGB", (64, 64), colour) for colour in ("red", "lime", "blue")]
for suffix in ("gif", "webp"):
    first.save(f"a.{suffix}", save_all=True, append_images=others, duration=100, lossless=True)
PYTHON
usr/bin/cjxl a.gif a.jxl 2>>log
for suffix in gif webp jxl; do
  pages=$(usr/bin/vipsheader -f n-pages "a.$suffix" 2>>log || echo none)
  echo "$suffix: $(usr/bin/vips getpoint "a.$suffix" 8 8 | cut -d " " -f 1-3), pages: $pages"
done >seen
usr/bin/vips --version >>seen
diff - seen <<'SEEN'
gif: 255 0 0, pages: 3
webp: 255 0 0, pages: 3
jxl: 0 0 255, pages: none
vips-8.14.1
SEEN
echo "as described"
