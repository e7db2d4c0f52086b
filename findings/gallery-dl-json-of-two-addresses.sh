#!/usr/bin/env bash
# `gallery-dl -j` prints a JSON document for each address, one after the other.
#
# Expected: the output of one run is one JSON document, as for one address.
# Seen with gallery-dl 1.32.18: two addresses give two arrays behind each other, which is neither JSON nor JSON Lines
# (the arrays are spread over many lines). `json.load` refuses it; a reader that stops at the end of the first value
# loses the rest without a word.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet gallery-dl==1.32.18
(cd "$work" && "$work/env/bin/python" -) >"$work/seen" <<'PYTHON'
import json
import subprocess
import sys
addresses = ["https://photos.example/a.jpg", "https://photos.example/b.jpg"]
command = [sys.executable, "-m", "gallery_dl", "--config-ignore", "-q", "-j"]
text = subprocess.run(command + addresses, capture_output=True, text=True).stdout
try:
    json.loads(text)
except json.JSONDecodeError as error:
    print("refused:", error.msg)
decoder, start, values = json.JSONDecoder(), 0, []
while start < len(text.rstrip()):
    value, start = decoder.raw_decode(text, start)
    start += len(text[start:]) - len(text[start:].lstrip())
    values.append([message[1] for message in value if message[0] == 3])
print(values)
PYTHON
diff - "$work/seen" <<'SEEN'
refused: Extra data
[['https://photos.example/a.jpg'], ['https://photos.example/b.jpg']]
SEEN
echo "as described"
