#!/usr/bin/env bash
# Pillow's AVIF writer takes the orientation out of the caller's EXIF data.
#
# Expected: `save(…, exif=exif)` only reads the object.
# Seen with Pillow 12.0.0: after an AVIF was written, the object has no Orientation any more (it went into the file's
# own rotation). A second file that is written with the same object, in any format, lies on its side. The writers of
# JPEG, PNG, WebP and TIFF leave the object alone.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pillow==12.0.0
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
from PIL import Image
picture = Image.new("RGB", (60, 40))
exif = Image.Exif()
exif[0x0112] = 6
for name in ("a.jpg", "a.png", "a.webp", "a.tif", "a.avif", "b.jpg"):
    picture.save(name, exif=exif)
    print(name, dict(exif), Image.open(name).getexif().get(0x0112))
PYTHON
diff - "$work/seen" <<'SEEN'
a.jpg {274: 6} 6
a.png {274: 6} 6
a.webp {274: 6} 6
a.tif {274: 6} 6
a.avif {} 6
b.jpg {} None
SEEN
echo "as described"
