"""Object stores of others that keep originals, and what `gallery` makes of each."""

import contextlib
import hashlib
import http.client
import json
import re
import socket
import subprocess
import time

KEYS = {"AWS_ACCESS_KEY_ID": "AKEY", "AWS_SECRET_ACCESS_KEY": "SECRETKEY", "AWS_REGION": "us-east-1"}
# The seconds that a store may take to start.
PATIENCE = 60


class Originals:
    """Originals of libraries in the bucket of a store, and what its operator does there."""

    def __init__(self, tools, address):
        import boto3
        from botocore.config import Config

        self.tools, self.name = tools, "default/originals"
        self.variables = KEYS | {"AWS_ENDPOINT_URL": address}
        self.client = boto3.client(
            "s3", endpoint_url=address, aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"], region_name=KEYS["AWS_REGION"],
            aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
            config=Config(
                retries={"max_attempts": 1}, s3={"addressing_style": "path"},
                request_checksum_calculation="when_required",
            ),
        )
        for name in ("a.jpg", "b.jpg", "c.jpg"):
            tools.picture(f"site/{name}")
        entries = [{"id": name, "title": name, "original": name} for name in ("a.jpg", "b.jpg", "c.jpg")]
        tools.write("site/list.json", json.dumps({"images": entries}))

    def gallery(self, library, *arguments, store=None):
        """The status of a command, and what it prints on standard error."""
        folder = self.tools.folder / library
        cache = ["--cache", folder, "--objects", f"s3://{store or self.name}"]
        found = subprocess.run(
            [self.tools.programs / "gallery", arguments[0], *cache, *arguments[1:]], capture_output=True, text=True,
            env=self.tools.environment | self.variables, timeout=300,
        )
        text = (found.stdout + found.stderr).replace(str(folder), "LIBRARY")
        lines = [re.sub("[0-9a-f]{64}", "HASH", line) for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith(("updated", "unchanged"))]
        return [f"status {found.returncode}", *lines]

    def sync(self, library, **options):
        return self.gallery(library, "sync", f"{self.tools.address}/list.json", "--originals", **options)

    def keys(self):
        """The keys of the objects with originals, in order."""
        listed = self.client.list_objects_v2(Bucket="default", Prefix="originals/o/")
        return sorted(item["Key"] for item in listed.get("Contents", []))

    def fill(self, count):
        """Puts objects that no library knows."""
        for number in range(count):
            key = hashlib.sha256(str(number).encode()).hexdigest()
            self.client.put_object(Bucket="default", Key=f"originals/o/{key[:2]}/{key}", Body=b"stray")


def facts(tools, originals):
    """What happens to originals in the store: put, lost, cut, brought back, and those of another library."""
    yield from said(tools, "a sync", originals.sync("library"))
    yield f"objects: {len(originals.keys())}"
    yield from said(tools, "a sync again", originals.sync("library"))
    yield from said(tools, "a check", originals.gallery("library", "verify"))
    yield from said(tools, "a sync of another library", originals.sync("other"))
    yield from said(tools, "another library cleans", originals.gallery("other", "clean"))
    yield from said(tools, "another bucket", originals.sync("third", store="absent/originals"))
    if keys := originals.keys():
        originals.client.delete_object(Bucket="default", Key=keys[0])
        originals.client.put_object(Bucket="default", Key=keys[1], Body=b"cut")
        yield from said(tools, "one is lost, one is cut", originals.gallery("library", "verify"))
        yield from said(tools, "they are put again", originals.gallery("library", "verify", "--repair"))
        yield from said(tools, "a check", originals.gallery("library", "verify"))
        own = sorted((tools.folder / "library/originals").rglob("*.jpg"))
        whole = own[0].read_bytes()
        own[0].unlink()
        yield from said(tools, "a file is lost here", originals.gallery("library", "verify", "--repair"))
        yield f"it came back whole: {own[0].exists() and own[0].read_bytes() == whole}"
        # A page of a listing has at most 1,000 objects.
        originals.fill(1_020)
        yield from said(tools, "a check among strays", originals.gallery("library", "verify"))
    yield from said(tools, "a clean", originals.gallery("library", "clean"))


def said(tools, event, lines):
    status, *words = tools.plain(lines)
    yield f"{event}: {status}"
    for word in words:
        yield f"  {word}"


@contextlib.contextmanager
def running(tools, command, port, **variables):
    """Runs a store until it has been used."""
    with (tools.folder / "store.log").open("wb") as log:
        process = subprocess.Popen(
            list(map(str, command)), stdout=log, stderr=log, cwd=tools.folder, env=tools.environment | variables
        )
    try:
        wait(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=60)


def wait(port, process):
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/")
            connection.getresponse().read()
            return
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError("the store has not started")
        time.sleep(0.1)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def rclone(tools):
    data, port = tools.folder / "data", free_port()
    (data / "default").mkdir(parents=True)
    command = ["rclone", "serve", "s3", "--addr", f"127.0.0.1:{port}", "--auth-key", "AKEY,SECRETKEY"]
    command += ["--config", tools.folder / "none", data]
    with running(tools, command, port) as address:
        yield from facts(tools, Originals(tools, address))


def nanio(tools):
    data, port = tools.folder / "data", free_port()
    (data / "default").mkdir(parents=True)
    command = ["nanio", "serve", "--data-dir", data, "--host", "127.0.0.1", "--port", port]
    with running(tools, command, port, NANIO_ACCESS_KEY="AKEY", NANIO_SECRET_KEY="SECRETKEY") as address:
        yield from facts(tools, Originals(tools, address))


def pys3local(tools):
    port = free_port()
    command = ["pys3local", "serve", "--listen", f"127.0.0.1:{port}", "--path", tools.folder / "data"]
    keys = ["--access-key-id", "AKEY", "--secret-access-key", "SECRETKEY"]
    # It knows only signatures in fields, and gallery signs addresses.
    with running(tools, [*command, *keys], port) as address:
        yield from said(tools, "a sync with a login", Originals(tools, address).sync("refused"))
    with running(tools, [*command, "--no-auth"], port) as address:
        yield from facts(tools, Originals(tools, address))


def moto(tools):
    port = free_port()
    with running(tools, ["moto_server", "-H", "127.0.0.1", "-p", port], port) as address:
        originals = Originals(tools, address)
        originals.client.create_bucket(Bucket="default")
        yield from facts(tools, originals)


def localbucket(tools):
    data, port = tools.folder / "data", free_port()
    (data / "default").mkdir(parents=True)
    with running(tools, ["localbucket", "--port", port, data], port) as address:
        yield from facts(tools, Originals(tools, address))


def seaweedfs(tools):
    port = free_port()
    ports = [f"-{part}.port={free_port()}" for part in ("master", "volume", "filer")]
    ports += [f"-{part}.port.grpc={free_port()}" for part in ("master", "volume", "filer", "s3")]
    users = {"identities": [{"name": "gallery", "actions": ["Admin"], "credentials": [
        {"accessKey": KEYS["AWS_ACCESS_KEY_ID"], "secretKey": KEYS["AWS_SECRET_ACCESS_KEY"]},
    ]}]}
    command = ["weed", "server", f"-dir={tools.folder / 'data'}", "-ip=127.0.0.1", "-s3", f"-s3.port={port}"]
    command += [f"-s3.config={tools.write('s3.json', json.dumps(users))}", "-volume.max=20", *ports]
    (tools.folder / "data").mkdir()
    with running(tools, command, port) as address:
        originals = Originals(tools, address)
        made(originals)
        yield from facts(tools, originals)


def made(originals):
    """Makes the bucket, once the store can."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return originals.client.create_bucket(Bucket="default")
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)
