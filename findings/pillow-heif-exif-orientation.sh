#!/usr/bin/env bash
# pillow-heif writes the orientation to EXIF only, where HEIC does not look for it.
#
# Expected: a picture with EXIF orientation 6 is upright in readers of HEIC. In HEIF, the properties `irot` and `imir`
# turn a picture, and EXIF's orientation must be ignored (ISO/IEC 23008-12, 6.5.10 and annex A).
# Seen with pillow-heif 1.8.1 and Pillow 12.0.0: the file has no `irot`. pillow-heif itself reads the pixels as they
# lie, says that the orientation is 1, and has the 6 under a name of its own (`original_orientation`), which
# `ImageOps.exif_transpose` does not know.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pillow==12.0.0 pillow-heif==1.8.1
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import pillow_heif
from PIL import Image, ImageOps
pillow_heif.register_heif_opener()
exif = Image.Exif()
exif[0x0112] = 6
Image.new("RGB", (60, 40)).save("a.heic", exif=exif)
read = Image.open("a.heic")
print("irot:", b"irot" in open("a.heic", "rb").read())
print("read:", read.size, "orientation", read.getexif().get(0x0112), "original", read.info["original_orientation"])
print("transposed:", ImageOps.exif_transpose(read).size)
PYTHON
diff - "$work/seen" <<'SEEN'
irot: False
read: (60, 40) orientation 1 original 6
transposed: (60, 40)
SEEN
echo "as described"
