#!/usr/bin/env bash
# pillow-jxl-plugin drops the colour profile that it is given.
#
# Expected: a picture with the profile of Display P3 has it, or the same colours, after it was saved as JPEG XL: `save`
# takes `icc_profile`, as for Pillow's other formats.
# Seen with pillow-jxl-plugin 1.3.8 and Pillow 12.0.0: the file has the same numbers, and says that they are sRGB. So
# the green (100, 200, 100) of Display P3, which is about (45, 203, 86) in sRGB, is pale, and nothing tells of it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pillow==12.0.0 pillow-jxl-plugin==1.3.8 pyvips==3.2.0
# Where libvips is installed, pyvips has put its own module in the place of this one.
"$work/env/bin/pip" install --quiet --force-reinstall --no-deps pyvips-binary==8.18.7
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import io
import pillow_jxl
import pyvips
from PIL import Image, ImageCms
wide = (pyvips.Image.black(64, 64) + [100, 200, 100]).cast("uchar").copy(interpretation="srgb")
wide.icc_export(output_profile="p3").write_to_file("a.png")
picture = Image.open("a.png")
profile = picture.info["icc_profile"]
def name(profile):
    return ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(profile))).strip()
for suffix, options in [("jpg", {}), ("webp", {"lossless": True}), ("jxl", {"lossless": True})]:
    picture.save(f"b.{suffix}", icc_profile=profile, **options)
    read = Image.open(f"b.{suffix}")
    print(f"{suffix}: the same profile: {read.info['icc_profile'] == profile}")
print("profile of the JPEG XL:", name(read.info["icc_profile"]))
print("the same numbers:", read.getpixel((8, 8))[:3] == picture.getpixel((8, 8))[:3])
PYTHON
diff - "$work/seen" <<'SEEN'
jpg: the same profile: True
webp: the same profile: True
jxl: the same profile: False
profile of the JPEG XL: sRGB
the same numbers: True
SEEN
echo "as described"
