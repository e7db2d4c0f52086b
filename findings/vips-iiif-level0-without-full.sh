#!/usr/bin/env bash
# The static IIIF services of `vips dzsave` have the whole picture in no size that a manifest could name.
#
# Expected: a service of level 0 whose info.json has no `sizes` offers `full/max` (Image API 3.0, 5.3: the whole
# picture at its size), or says which sizes it has.
# Seen with libvips 8.18.7: the folder `full` has one small size, which info.json does not list, and no `max`. Who
# builds `…/full/max/0/default.jpg` from the service, as viewers and harvesters do, gets 404; only the tiles are there.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pyvips==3.2.0 pillow==12.0.0 numpy==2.2.6 imagecodecs==2026.3.6
# Where libvips is installed, pyvips has put its own module in the place of this one.
"$work/env/bin/pip" install --quiet --force-reinstall --no-deps pyvips-binary==8.18.7
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import json
import os
import pyvips
assert [pyvips.version(part) for part in range(3)] == [8, 18, 7]
picture = pyvips.Image.black(1000, 700, bands=3).copy(interpretation="srgb")
picture.dzsave("service", layout="iiif3", tile_size=256)
info = json.load(open("service/info.json"))
print("profile:", info["profile"], "sizes:", info.get("sizes"))
print("full:", sorted(os.listdir("service/full")))
PYTHON
diff - "$work/seen" <<'SEEN'
profile: level0 sizes: None
full: ['250,175']
SEEN
echo "as described"
