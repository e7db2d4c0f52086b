#!/usr/bin/env bash
# libvips and Pillow take the colours of an AVIF in Display P3 for sRGB.
#
# Expected: the green (100, 200, 100) of Display P3 is about (45, 203, 86) in sRGB. An AVIF names its colours by
# numbers (`colr` of type nclx; 12 and 13 are Display P3, ITU-T H.273), and phones and editors write them without an
# ICC profile.
# Seen with libvips 8.18.7 and Pillow 12.0.0: (100, 200, 100), no profile, and no field that names the colours. So the
# picture is pale, and its right colours cannot be found afterwards.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pyvips==3.2.0 pillow==12.0.0 numpy==2.2.6 imagecodecs==2026.3.6
# Where libvips is installed, pyvips has put its own module in the place of this one.
"$work/env/bin/pip" install --quiet --force-reinstall --no-deps pyvips-binary==8.18.7
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import imagecodecs
import numpy
import pyvips
from PIL import Image
assert [pyvips.version(part) for part in range(3)] == [8, 18, 7]
pixels = numpy.full((64, 64, 3), (100, 200, 100), numpy.uint8)
open("a.avif", "wb").write(imagecodecs.avif_encode(pixels, level=100, primaries=12, transfer=13, matrix=1))
def near(pixel, expected):
    return all(abs(value - right) <= 4 for value, right in zip(pixel, expected))
vips, pillow = pyvips.Image.new_from_file("a.avif"), Image.open("a.avif")
print("libvips:", near(vips(8, 8), (100, 200, 100)), "profile:", "icc-profile-data" in vips.get_fields())
print("Pillow:", near(pillow.getpixel((8, 8)), (100, 200, 100)), "profile:", "icc_profile" in pillow.info)
PYTHON
diff - "$work/seen" <<'SEEN'
libvips: True profile: False
Pillow: True profile: False
SEEN
echo "as described"
