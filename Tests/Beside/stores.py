"""Object stores with the S3 protocol, by other programs."""
import contextlib
import hashlib
import pathlib
import socket
import subprocess
import sys

from weed import ID, SECRET, Weed, free_port

from .gallery import Feed, Gallery, Missing, check, clock, need, wait

IMAGES = 12
BUCKET = "s3://photos/originals"


class Store:
    """A running store, and the operations of its operator."""

    def __init__(self, address: str):
        import boto3
        from botocore.config import Config
        self.address = address
        self._client = boto3.client(
            "s3", endpoint_url=address, aws_access_key_id=ID, aws_secret_access_key=SECRET, region_name="us-east-1",
            config=Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"},
                          request_checksum_calculation="when_required"))

    def make_bucket(self) -> bool:
        self._client.create_bucket(Bucket="photos")
        return True

    def put(self, key: str, data: bytes) -> None:
        self._client.put_object(Bucket="photos", Key=key, Body=data)

    def delete(self, key: str) -> None:
        self._client.delete_object(Bucket="photos", Key=key)

    def gallery(self, folder: pathlib.Path, name: str = "library", **variables: str) -> Gallery:
        return Gallery(str(folder / name), folder / f"{name}-home", AWS_ACCESS_KEY_ID=ID,
                       AWS_SECRET_ACCESS_KEY=SECRET, AWS_ENDPOINT_URL=self.address, **variables)


def tool(name: str) -> str:
    """A program of the environment that Scripts/beside has made."""
    path = pathlib.Path(sys.prefix) / "bin" / name
    if not path.exists():
        raise Missing(name)
    return str(path)


@contextlib.contextmanager
def running(command: list[str], port: int, folder: pathlib.Path):
    with (folder / "store.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    store = Store(f"http://127.0.0.1:{port}")
    try:
        wait("the store", lambda: is_listening(port))
        store.make_bucket()
        yield store
    finally:
        process.terminate()
        process.wait(timeout=30)


def is_listening(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=5):
        return True


@contextlib.contextmanager
def moto(folder: pathlib.Path):
    port = free_port()
    with running([tool("moto_server"), "-p", str(port)], port, folder) as store:
        yield store


@contextlib.contextmanager
def localbucket(folder: pathlib.Path):
    port = free_port()
    data = folder / "buckets"
    data.mkdir()
    with running([tool("localbucket"), "--port", str(port), str(data)], port, folder) as store:
        yield store


@contextlib.contextmanager
def seaweedfs(folder: pathlib.Path):
    weed = Weed(tool("weed"), folder)
    try:
        weed.start()
        store = Store(weed.address)
        wait("the bucket", store.make_bucket)
        yield store
    finally:
        weed.stop()


def keeps_originals(store: Store, folder: pathlib.Path) -> str:
    """Originals are put, listed page by page, brought back, checked, repaired and deleted."""
    feed = Feed(folder)
    feed.write({number: f"Title {number}" for number in range(IMAGES)})
    gallery = store.gallery(folder)
    objects = ["--objects", BUCKET]
    said = gallery.run("sync", feed.path, "--originals", *objects)
    status = gallery.records("status", *objects)[0]
    check(status["objects"] == IMAGES, f"not all were put: {status} {said}")
    check(gallery.records("verify", *objects)[-1]["objects"] == IMAGES, "verify")

    # Strays fill more than one page of a list, which has 1,000 objects at most.
    strays = [hashlib.sha256(str(number).encode()).hexdigest() for number in range(1_020)]
    for stray in strays:
        store.put(key(stray), b"stray")
    found = gallery.records("verify", *objects)[-1]
    check(found["objects"] == IMAGES and found["missing"] == 0, f"verify among strays: {found}")
    check(gallery.records("clean", *objects)[0]["objects"]["files"] == 0, "a new object was deleted")
    with clock("+49h") as later:
        # Whether the store accepts this clock or refuses it, its own clock tells the age of the objects.
        said = store.gallery(folder, **later).run("clean", "--json", *objects, status=None)
        check("1020" not in said, f"new objects were deleted: {said}")

    # An object is lost, and another one is cut.
    originals = sorted((folder / "library/originals").rglob("*.png"))
    check(len(originals) == IMAGES, f"files: {len(originals)}")
    store.delete(key(originals[0].stem))
    store.put(key(originals[1].stem), b"cut")
    found = gallery.records("verify", *objects, status=2)[-1]
    check(found["missing"] == 1 and found["damaged"] == 1, f"verify: {found}")
    gallery.run("verify", "--repair", *objects, status=2)
    gallery.run("verify", *objects)
    # A file of this disk comes back from the store.
    content = originals[2].read_bytes()
    originals[2].unlink()
    gallery.run("verify", "--repair", *objects, status=2)
    check(originals[2].exists() and originals[2].read_bytes() == content, "the original is not back")

    said = gallery.run("verify", "--objects", "s3://absent/originals", status=2)
    check("absent" in said and "bucket" in said.lower(),
          f"a wrong bucket: {said}")
    said = gallery.run("sync", "--originals", "--objects", "s3://absent", status=None)
    check("absent" in said, f"a wrong bucket for a sync: {said}")
    fresh = store.gallery(folder, "fresh")
    said = fresh.run("sync", feed.path, "--originals", "--objects", "s3://absent", status=None)
    # SeaweedFS makes a bucket with the first object, which the other library has put.
    check("bucket" in said.lower() or "another library" in said, f"a wrong bucket for a new library: {said}")
    other = store.gallery(folder, "other")
    said = other.run("sync", feed.path, "--originals", *objects, status=2)
    check("another library" in said, f"another library: {said}")
    gallery.run("verify", *objects)
    return clocks(store, folder)


def key(sha256: str) -> str:
    return f"originals/o/{sha256[:2]}/{sha256}"


def clocks(store: Store, folder: pathlib.Path) -> str:
    """With a wrong clock, a store works or refuses; a refusal names the clock, and nothing is lost."""
    refusals = []
    feed = Feed(folder, "skewed")
    for number, offset in enumerate(["+16m", "-16m", "+1d", "-1d"]):
        feed.write({100 + number: f"Skewed {number}"})
        with clock(offset) as variables:
            skewed = store.gallery(folder, **variables)
            commands = [["sync", feed.path, "--originals"], ["verify"], ["clean"]]
            for command in commands:
                said = skewed.run(*command, "--objects", BUCKET, status=None)
                if skewed.status != 0 or "clock" in said or "not in the object store" in said:
                    refusals.append(f"{offset} {command[0]}")
                    side = "ahead of" if offset[0] == "+" else "behind"
                    check(f"{side} that of the store" in said, f"{offset}: {said}")
                    check("missing" not in said and "damaged" not in said, f"{offset}: {said}")
    gallery = store.gallery(folder)
    gallery.run("sync", "--originals", "--objects", BUCKET)
    found = gallery.records("verify", "--objects", BUCKET)[-1]
    check(found["objects"] == IMAGES + 4, f"after a wrong clock: {found}")
    return f"refused for the clock: {', '.join(refusals) or 'nothing'}"


def of(start):
    """The part for a store."""
    def part(folder: pathlib.Path) -> str:
        need("faketime")
        with start(folder) as store:
            return keeps_originals(store, folder)

    part.__doc__ = keeps_originals.__doc__
    return part
