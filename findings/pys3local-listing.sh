#!/usr/bin/env bash
# pys3local cuts a listing without saying how it goes on.
#
# Expected: a page with `IsTruncated` has a `NextContinuationToken`, and `StartAfter` leaves out what comes before
# (Amazon S3, ListObjectsV2).
# Seen with pys3local 0.2.1: a page of two of five keys is truncated and has no token, and `StartAfter` changes
# nothing. A program that goes on behind the last key gets the first page again, so it has to check that each page
# begins behind the one before.
set -euo pipefail
work=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pys3local==0.2.1 boto3==1.43.11
mkdir "$work/data"
"$work/env/bin/pys3local" serve --no-auth --allow-bucket-creation --listen "127.0.0.1:$port" --path "$work/data" >"$work/log" 2>&1 &
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
for name in "abcde":
    store.put_object(Bucket="photos", Key=name, Body=b"x")
page = store.list_objects_v2(Bucket="photos", MaxKeys=2)
print([item["Key"] for item in page["Contents"]], page["IsTruncated"], page.get("NextContinuationToken"))
page = store.list_objects_v2(Bucket="photos", MaxKeys=2, StartAfter="b")
print([item["Key"] for item in page["Contents"]])
PYTHON
diff - "$work/seen" <<'SEEN'
['a', 'b'] True None
['a', 'b']
SEEN
echo "as described"
