#!/usr/bin/env bash
# libvips draws an AVIF with premultiplied alpha too dark.
#
# Expected: half transparent (200, 100, 50) is (200, 100, 50) with alpha 128. The item reference `prem` says that the
# colours are multiplied by the alpha (ISO/IEC 23000-22, 7.3.5.2), so a reader divides.
# Seen with libvips 8.18.7: (100, 50, 25) with alpha 128, and no field that tells of it. Pillow 12.0.0, which made the
# file, reads (200, 100, 50).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pyvips==3.2.0 pillow==12.0.0 numpy==2.2.6 imagecodecs==2026.3.6
# Where libvips is installed, pyvips has put its own module in the place of this one.
"$work/env/bin/pip" install --quiet --force-reinstall --no-deps pyvips-binary==8.18.7
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import pyvips
from PIL import Image
assert [pyvips.version(part) for part in range(3)] == [8, 18, 7]
Image.new("RGBA", (64, 64), (200, 100, 50, 128)).save("a.avif", alpha_premultiplied=True, quality=100)
def near(pixel, expected):
    return all(abs(value - right) <= 4 for value, right in zip(pixel, expected))
print("Pillow:", near(Image.open("a.avif").getpixel((8, 8)), (200, 100, 50, 128)))
print("libvips:", near(pyvips.Image.new_from_file("a.avif")(8, 8), (200, 100, 50, 128)))
print("libvips, multiplied:", near(pyvips.Image.new_from_file("a.avif")(8, 8), (100, 50, 25, 128)))
PYTHON
diff - "$work/seen" <<'SEEN'
Pillow: True
libvips: False
libvips, multiplied: True
SEEN
echo "as described"
