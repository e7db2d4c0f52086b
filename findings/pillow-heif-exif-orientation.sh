#!/usr/bin/env bash
# pillow-heif writes the orientation of an `Image.Exif` to EXIF only, where HEIC does not look for it.
#
# Expected: a picture with EXIF orientation 6 is upright in readers of HEIC. In HEIF, the properties `irot` and `imir`
# turn a picture, and EXIF's orientation must be ignored (ISO/IEC 23008-12, 6.5.10 and annex A).
# Seen with pillow-heif 1.8.1 and Pillow 12.0.0: the file has no `irot`. pillow-heif itself reads the pixels as they
# lie, says that the orientation is 1, and has the 6 under a name of its own (`original_orientation`), which
# `ImageOps.exif_transpose` does not know. The same EXIF as bytes gives an `irot`, and the picture is upright.
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
for name, value in [("Image.Exif", exif), ("bytes", exif.tobytes())]:
    Image.new("RGB", (60, 40)).save("a.heic", exif=value)
    read = Image.open("a.heic")
    print(f"{name}, irot:", b"irot" in open("a.heic", "rb").read())
    print("read:", read.size, "orientation", read.getexif().get(0x0112), "original", read.info["original_orientation"])
    print("transposed:", ImageOps.exif_transpose(read).size)
PYTHON
diff - "$work/seen" <<'SEEN'
Image.Exif, irot: False
read: (60, 40) orientation 1 original 6
transposed: (60, 40)
bytes, irot: True
read: (40, 60) orientation 1 original 6
transposed: (40, 60)
SEEN
echo "as described"
