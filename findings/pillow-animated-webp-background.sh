#!/usr/bin/env bash
# Pillow reads the animated WebP that it has written itself without its transparency.
#
# Expected: an animation whose first frame covers a part of a transparent canvas is transparent around that frame.
# Seen with Pillow 12.0.0: the file is of mode RGB and black there. libwebp crops frames to what is opaque, and then drops the flag that
# the whole has an alpha channel, although the canvas is larger than the frames.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pillow==12.0.0
"$work/env/bin/python" - "$work/a.webp" >"$work/seen" <<'PYTHON'
import sys
from PIL import Image
frames = []
for colour in ((200, 0, 0, 255), (0, 0, 200, 255)):
    frame = Image.new("RGBA", (100, 60), (0, 0, 0, 0))
    frame.paste(colour, (20, 20, 60, 40))
    frames.append(frame)
frames[0].save(sys.argv[1], save_all=True, append_images=frames[1:], duration=100, lossless=True)
read = Image.open(sys.argv[1])
print("written:", frames[0].mode, frames[0].getpixel((2, 2)))
print("read:", read.mode, read.getpixel((2, 2)))
PYTHON
cat "$work/seen"
diff - "$work/seen" <<'SEEN'
written: RGBA (0, 0, 0, 0)
read: RGB (0, 0, 0)
SEEN
echo "as described"
