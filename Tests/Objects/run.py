"""Keeps originals in SeaweedFS with the real program, and tests all kinds of failures.

Usage: run.py WEED FOLDER_OF_PROGRAMS
"""
import contextlib
import functools
import hashlib
import http.server
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zlib

from weed import ID, SECRET, Weed, filer

IMAGES = 48
KEPT = 24


def picture(number: int, length: int = 40_000) -> bytes:
    """A PNG image of one colour, with a chunk of noise that decoders ignore."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    noise = random.Random(number).randbytes(length)
    pixels = b"".join(b"\0" + bytes([number * 7 % 256, number % 256, 99]) * 64 for _ in range(48))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
            + chunk(b"noIz", noise) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


class Origin:
    """The feed's server, whose pictures can be removed."""

    def __init__(self, folder: pathlib.Path):
        self._folder = folder
        folder.mkdir()
        for number in range(IMAGES):
            (folder / f"{number}.png").write_bytes(picture(number))
        self.write_feed(range(IMAGES))
        self.asked = []
        handler = functools.partial(_Handler, directory=str(folder), asked=self.asked)
        self._server = _Server(("127.0.0.1", 0), handler)
        self.feed = f"http://127.0.0.1:{self._server.server_port}/feed.json"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def write_feed(self, numbers) -> None:
        items = [{"id": str(number), "title": f"Picture {number}", "image": f"{number}.png",
                  "date_published": f"2026-01-{number // 24 + 1:02}T{number % 24:02}:00:00Z"} for number in numbers]
        feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Objects", "items": items}
        (self._folder / "feed.json").write_text(json.dumps(feed))

    def remove_pictures(self) -> None:
        for path in self._folder.glob("*.png"):
            path.unlink()


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """Ignores errors, because a killed client closes its connections."""


class _Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments, asked, **options):
        self._asked = asked
        super().__init__(*arguments, **options)

    def log_request(self, code="-", size="-"):
        self._asked.append((self.path, int(code)))

    def end_headers(self):
        # Otherwise each sync would ask whether they have changed.
        if self.path.endswith(".png"):
            self.send_header("Cache-Control", "max-age=86400")
        super().end_headers()

    def log_message(self, *_):
        pass


class Gallery:
    """A library whose originals are put into a bucket."""

    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, weed: Weed, bucket: str):
        self.programs, self.folder, self.weed, self.bucket = programs, folder, weed, bucket
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "GALLERY_CONFIG": "/dev/null",
            "GALLERY_CACHE": str(folder / "library"), "AWS_ACCESS_KEY_ID": ID, "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT_URL": weed.address, "TZ": "UTC",
        }
        self.said = []

    def run(self, *arguments: str, status: int | None = 0, objects: bool = True) -> str:
        command = [str(self.programs / "gallery"), *arguments]
        if objects:
            command += ["--objects", self.bucket]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=600)
        self.said += [done.stdout, done.stderr]
        if status is not None and done.returncode != status:
            sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def records(self, *arguments: str, **options) -> list[dict]:
        text = self.run(*arguments, "--json", **options)
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def status(self) -> dict:
        return self.records("status")[0]

    def files(self) -> list[pathlib.Path]:
        return [path for path in (self.folder / "library/originals").rglob("*") if path.is_file()]

    def original(self, image: int, *options: str) -> bytes:
        path = self.folder / "copy.png"
        path.unlink(missing_ok=True)
        self.run("show", str(image), "--output", str(path), "--quiet", *options)
        return path.read_bytes()


def check(condition, what: str) -> None:
    if not condition:
        sys.exit(f"wrong: {what}")


def main(weed_program: str, programs: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory(prefix="gallery-objects-") as temporary:
        folder = pathlib.Path(temporary)
        weed = Weed(weed_program, folder)
        origin = Origin(folder / "origin")
        try:
            weed.start()
            scenario(weed, origin, programs, folder)
        finally:
            weed.stop()
    print("originals in an object store: all is well")


def scenario(weed: Weed, origin: Origin, programs: pathlib.Path, folder: pathlib.Path) -> None:
    filer(weed, "/buckets/photos/", "POST")
    home = folder / "home"
    home.mkdir()
    gallery = Gallery(programs, home, weed, "s3://photos/my-originals/of=2026")
    kept = KEPT * len(picture(0)) + 10_000

    # All originals are put into the store. Those without room on this disk are only there.
    said = gallery.run("sync", origin.feed, "--originals", "--allow-private", "--keep", f"{kept}B")
    status = gallery.status()
    check(status["originals"] == IMAGES and status["objects"] == IMAGES, f"all are put: {status} {said}")
    check(len(gallery.files()) <= KEPT, "the others gave way here")
    check(status["originalBytes"] <= kept, "no more is here than may be")
    check(gallery.records("verify")[-1]["objects"] == IMAGES, "verify looks at all objects")

    # A sync without news fetches no picture.
    before = len(origin.asked)
    gallery.run("sync", "--originals", "--keep", f"{kept}B")
    fetched = [path for path, status in origin.asked[before:] if status == 200 and path.endswith(".png")]
    check(not fetched, f"nothing is fetched again: {fetched}")

    # Without the feed's server, each original comes from the store, and the limit holds.
    origin.remove_pictures()
    for image in range(1, IMAGES + 1, 4):
        title = json.loads(gallery.run("show", str(image), "--info", "--json").splitlines()[0])["title"]
        number = int(title.split()[-1])
        check(gallery.original(image, "--keep", f"{kept}B") == picture(number), f"image {image} comes back")
    shown = gallery.records("show", "1", "--info")[0]
    check(shown["stored"]["original"] if "stored" in shown else True, "it counts as stored")
    check(len(gallery.files()) <= KEPT, "the bound holds")
    check(gallery.records("verify")[-1]["missing"] == 0, "nothing is missing")

    served(weed, gallery, kept)
    exported(gallery, kept)
    objects_that_are_lost(weed, gallery)
    store_that_is_away(weed, origin, gallery)
    other_library(weed, origin, programs, folder, gallery)
    cleaning(weed, gallery)
    room_in_the_store(weed, programs, folder, kept)
    killed(weed, programs, folder, kept)
    moved(gallery)
    check(not any(SECRET in text for text in gallery.said), "no message has the secret")
    database = b"".join(path.read_bytes() for path in (home / "library").glob("gallery.sqlite*"))
    check(SECRET.encode() not in database and ID.encode() not in database, "the library has no credentials")


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to the caller, except a 303 to an original that arrived before the answer began."""

    def redirect_request(self, request, answer, code, *rest):
        return super().redirect_request(request, answer, code, *rest) if code == 303 else None


@contextlib.contextmanager
def server(gallery: Gallery, *options: str):
    """Serves the library, and yields a function that requests a path without following redirects."""
    command = [str(gallery.programs / "gallery"), "serve", "--sync", "off", "--listen", "127.0.0.1:0",
               "--objects", gallery.bucket, *options]
    process = subprocess.Popen(command, env=gallery.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    try:
        address, token = process.stdout.readline().strip().split("/?token=")
        opener = urllib.request.build_opener(Unfollowed)

        def ask(path: str, **fields: str):
            request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {token}", **fields})
            try:
                with opener.open(request, timeout=300) as answer:
                    return answer.status, dict(answer.headers), answer.read()
            except urllib.error.HTTPError as error:
                return error.code, dict(error.headers), error.read()

        yield ask
    finally:
        process.send_signal(signal.SIGTERM)
        gallery.said += process.communicate(timeout=300)


def away(gallery: Gallery) -> dict[str, bytes]:
    """The originals that are not on this disk, by their hashes."""
    all_of_them = {hashlib.sha256(picture(number)).hexdigest(): picture(number) for number in range(IMAGES)}
    here = {path.stem for path in gallery.files()}
    return {sha256: data for sha256, data in all_of_them.items() if sha256 not in here}


def served(weed: Weed, gallery: Gallery, kept: int) -> None:
    with server(gallery, "--keep", f"{kept}B") as ask:
        sha256, data = sorted(away(gallery).items())[0]
        status, _, body = ask(f"/o/{sha256}")
        check((status, body) == (200, data), f"an original that is away is served: {status}")
        status, fields, body = ask(f"/o/{sha256}", Range="bytes=10-19")
        check((status, body) == (206, data[10:20]), f"it is here now: {status}")
        check(ask("/o/" + "0" * 64)[0] == 404, "one that is nowhere is not found")
    with server(gallery, "--keep", f"{kept}B", "--redirect-originals") as ask:
        sha256, data = sorted(away(gallery).items())[0]
        status, fields, _ = ask(f"/o/{sha256}")
        check(status == 307 and fields["Cache-Control"] == "no-store", f"a browser is sent to the store: {status}")
        with urllib.request.urlopen(fields["Location"], timeout=300) as answer:
            check(answer.read() == data, "which has it")
            check(answer.headers["Content-Type"] == "image/png", "with its type")
        check(weed.address in ask("/", Accept="text/html")[1]["Content-Security-Policy"], "pages allow it")
        gallery.said.append(str(ask("/metrics")))
        status, _, body = ask(f"/o/{sha256}", **{"Sec-Fetch-Mode": "cors"})
        check((status, body) == (200, data), f"a script gets it from the server: {status} {body[:200]}")


def exported(gallery: Gallery, kept: int) -> None:
    folder = gallery.folder / "export"
    gallery.run("export", str(folder), "--keep", f"{kept}B")
    files = {path.read_bytes() for path in folder.rglob("*.png")}
    check(files == {picture(number) for number in range(IMAGES)}, f"all are exported: {len(files)}")
    check(len(gallery.files()) <= KEPT, "and the bound holds")


def room_in_the_store(weed: Weed, programs: pathlib.Path, folder: pathlib.Path, kept: int) -> None:
    """Fills the disk with originals while the store is away. Later these are put first, and then give way."""
    origin = Origin(folder / "third-origin")
    home = folder / "full"
    home.mkdir()
    gallery = Gallery(programs, home, weed, "s3://photos/full")
    command = ["sync", "--originals", "--keep", f"{kept}B"]
    weed.stop()
    said = gallery.run(*command, origin.feed, "--allow-private")
    check("originals wait" in said, f"some have no room: {said}")
    check(0 < gallery.status()["originals"] <= KEPT, "the others are here")
    weed.start()
    said = gallery.run(*command)
    status = gallery.status()
    check(status["originals"] == IMAGES == status["objects"], f"all are put: {status} {said}")
    check("originals wait" not in said, f"none waits: {said}")


def killed(weed: Weed, programs: pathlib.Path, folder: pathlib.Path, kept: int) -> None:
    """Kills syncs at random moments. The library must stay sound, and a last sync must complete it."""
    origin = Origin(folder / "second-origin")
    home = folder / "killed"
    home.mkdir()
    gallery = Gallery(programs, home, weed, "s3://photos/killed")
    command = [str(programs / "gallery"), "sync", origin.feed, "--originals", "--allow-private", "--keep", f"{kept}B",
               "--objects", gallery.bucket]
    chance = random.Random(7)
    for _ in range(5):
        process = subprocess.Popen(command, env=gallery.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.1, 0.6))
        process.kill()
        process.wait()
        if not (home / "library/gallery.sqlite").exists():
            continue
        records = gallery.records("verify", status=None)
        # The sync may have been killed before it wrote the first row.
        check(records or "nothing is stored" in gallery.said[-1], f"verify says why it ends: {gallery.said[-1]}")
        found = records[-1] if records else {}
        check(found.get("damaged", 0) + found.get("missing", 0) == 0, f"nothing is lost: {found}")
    gallery.run(*command[1:-2])
    status = gallery.status()
    check(status["originals"] == IMAGES and status["objects"] == IMAGES and status["waitingObjects"] == 0, f"{status}")
    check(status["originalBytes"] <= kept, f"the bound holds: {status}")
    origin.remove_pictures()
    for image in range(1, IMAGES + 1, 6):
        title = gallery.records("show", str(image), "--info")[0]["title"]
        check(gallery.original(image, "--keep", f"{kept}B") == picture(int(title.split()[-1])), f"image {image}")


def without_files(images: list[dict]) -> list[dict]:
    """The images without the paths of the files of their originals, which differ between a library and its copy."""
    return [image | {"original": image["original"] | {"file": None}} for image in images]


def moved(gallery: Gallery) -> None:
    """Moves the library to another bucket, with kills, and from there back to the disk."""
    listed = gallery.records("list", "--limit", "1000", objects=False)
    originals = gallery.status()["originals"]
    target = gallery.folder / "moved"
    command = ["move", "--to", str(target), "--to-objects", "s3://photos/moved"]
    chance = random.Random(11)
    for _ in range(6):
        process = subprocess.Popen([str(gallery.programs / "gallery"), *command, "--objects", gallery.bucket],
                                   env=gallery.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.02, 0.5))
        process.kill()
        process.wait()
    found = gallery.records(*command)
    check(found[-1]["damaged"] + found[-1]["missing"] == 0, f"the copy is verified: {found}")
    check(found[0]["originals"] == originals == found[-1]["objects"], f"all are in the other bucket: {found}")
    home = Gallery(gallery.programs, gallery.folder, gallery.weed, "s3://photos/moved")
    home.environment["GALLERY_CACHE"] = str(target)
    found = home.records("list", "--limit", "1000", objects=False)
    check(without_files(found) == without_files(listed), "the copy lists the same")
    check(home.status()["originalBytes"] == sum(path.stat().st_size for path in (target / "originals").rglob("*.png")),
          "the copy knows what its originals take")
    back = gallery.folder / "back"
    found = home.records("move", "--to", str(back), "--to-objects", "none")
    check(found[0]["originals"] == originals and found[-1]["missing"] == 0, f"all are back: {found}")
    files = [path for path in (back / "originals").rglob("*") if path.is_file()]
    check(len(files) == originals, f"as files: {len(files)}")
    check(all(hashlib.sha256(path.read_bytes()).hexdigest() == path.stem for path in files), "each is whole")
    gallery.said += home.said


def object_path(gallery: Gallery, sha256: str) -> str:
    bucket, prefix = gallery.bucket.removeprefix("s3://").split("/", 1)
    return f"/buckets/{bucket}/{prefix}/o/{sha256[:2]}/{sha256}"


def objects_that_are_lost(weed: Weed, gallery: Gallery) -> None:
    here = gallery.files()[0]
    filer(weed, object_path(gallery, here.stem), "DELETE")
    found = gallery.records("verify", status=2)
    check([fact["event"] for fact in found if fact.get("kind") == "object"] == ["missing"], f"it is missed: {found}")
    gallery.run("verify", "--repair", status=2)
    check(gallery.records("verify")[-1]["missing"] == 0, "it was put again")
    # A cut object is replaced with the original on this disk.
    filer(weed, object_path(gallery, here.stem), "PUT", here.read_bytes()[:1000])
    found = gallery.records("verify", "--repair", status=2)
    check([fact["event"] for fact in found if fact.get("kind") == "object"] == ["damaged", "repaired"], f"{found}")
    check(gallery.records("verify")[-1]["damaged"] == 0, "it was replaced")
    # A damaged file on this disk is replaced from the store.
    here.chmod(0o600)  # Originals may be read-only.
    here.write_bytes(b"\0" * len(here.read_bytes()))
    gallery.run("verify", "--repair", status=2)
    check(hashlib.sha256(here.read_bytes()).hexdigest() == here.stem, "the file is right again")


def store_that_is_away(weed: Weed, origin: Origin, gallery: Gallery) -> None:
    away = {number: picture(1000 + number) for number in range(3)}
    for number, data in away.items():
        (gallery.folder.parent / f"origin/new{number}.png").write_bytes(data)
    feed = gallery.folder.parent / "origin/feed.json"
    document = json.loads(feed.read_text())
    document["items"] += [{"id": f"new{number}", "title": f"New {number}", "image": f"new{number}.png",
                           "date_published": f"2026-03-0{number + 1}T00:00:00Z"} for number in away]
    feed.write_text(json.dumps(document))
    weed.stop()
    said = gallery.run("sync", "--originals")
    check("not in the object store yet" in said, f"the sync tells of it: {said}")
    check(gallery.status()["waitingObjects"] == 3, "three wait")
    weed.start()
    said = gallery.run("sync", "--originals")
    check(gallery.status()["waitingObjects"] == 0, f"the next sync puts them: {said}")


def other_library(weed: Weed, origin: Origin, programs: pathlib.Path, folder: pathlib.Path, gallery: Gallery) -> None:
    home = folder / "other"
    home.mkdir()
    other = Gallery(programs, home, weed, gallery.bucket)
    said = other.run("sync", origin.feed, "--originals", "--allow-private", status=2)
    check("another library" in said, f"it is refused: {said}")
    said = other.run("clean", status=1)
    check("another library" in said, f"it cleans nothing there: {said}")
    check(gallery.records("verify")[-1]["missing"] == 0, "nothing was lost by it")
    other.environment["AWS_SECRET_ACCESS_KEY"] = "wrong"
    said = other.run("sync", "--originals", status=None)
    check("SignatureDoesNotMatch" in said, f"wrong credentials have a clear message: {said}")


def cleaning(weed: Weed, gallery: Gallery) -> None:
    stray = hashlib.sha256(b"stray").hexdigest()
    filer(weed, object_path(gallery, stray), "PUT", b"stray")
    check(gallery.records("clean")[0]["objects"]["files"] == 0, "what was just put stays")
    check(filer(weed, object_path(gallery, stray)) == b"stray", "it is there")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
