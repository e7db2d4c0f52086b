#!/usr/bin/env bash
# localbucket forgets the type with which an object was stored, and guesses one from its name.
#
# Expected: an object has the `Content-Type` and `Cache-Control` with which it was put (Amazon S3, "system-defined
# metadata").
# Seen with localbucket 1.2.1: an AVIF that is stored under a name with `.jpg` is `image/jpeg`, without `Cache-Control`
# or metadata of the user. A page that was tested with it shows other things at S3.
set -euo pipefail
work=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet localbucket==1.2.1 boto3==1.43.11
mkdir "$work/data"
"$work/env/bin/localbucket" --port "$port" "$work/data" >"$work/log" 2>&1 &
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
store.put_object(Bucket="photos", Key="a.jpg", Body=b"abc", ContentType="image/avif", CacheControl="max-age=60",
                 Metadata={"licence": "cc0"})
answer = store.head_object(Bucket="photos", Key="a.jpg")
print(answer["ContentType"], answer.get("CacheControl"), answer["Metadata"])
PYTHON
diff - "$work/seen" <<'SEEN'
image/jpeg None {}
SEEN
echo "as described"
