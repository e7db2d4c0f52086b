"""Libraries that earlier programs made: the files in the folder Earlier, each named after its commit.

`Tests/Beside/earlier.py FOLDER-OF-PROGRAMS COMMIT` makes one: a library with two feeds of PNG files, their thumbnails
and originals, pins, settings of a feed, a token, a removed image and a removed feed; a mirror of it; and then changes
that the mirror does not have yet. COMMIT.json has what those programs said about it. Programs from before the server
make a library without a mirror and without pins; theirs are of development versions, which are refused as such.
"""
import contextlib
import hashlib
import json
import os
import pathlib
import sys
import tarfile
import tempfile

if __name__ == "__main__":
    sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in (".", "Cluster")]
    __package__ = "Beside"

from .gallery import Feed, Gallery, check

FOLDER = pathlib.Path(__file__).resolve().parent / "Earlier"
# The address of the library, which the mirror remembers.
LISTEN = "127.0.0.1:18470"
IMAGES = 6


def make(programs: str, commit: str) -> None:
    os.environ["GALLERY_PROGRAMS"] = programs
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        library, mirror = Gallery(str(folder / "library"), folder / "home"), Gallery(str(folder / "mirror"), folder / "home2")
        first, second = Feed(folder, "first"), Feed(folder, "second")
        first.write({number: f"First {number}" for number in range(IMAGES)}, 100)
        second.write({50 + number: f"Second {number}" for number in range(3)}, 100)
        library.run("sync", first.path, second.path, "--originals")
        has_server = (pathlib.Path(programs) / "gallery-server").exists()
        if has_server:
            library.run("pin", "2", "4")
            serve(library)
            mirror.run("sync", library.mirror_address, "--originals")
            library.stop()
        # These are optional, because the first programs had no such commands.
        library.run("feeds", "set", first.path, "--title", "Mine", "--every", "2h", status=None)
        library.run("token", "add", "reader", status=None)
        library.run("remove", second.path, status=None)
        library.run("unpin", "2", status=None)
        first.write({number: f"Later {number}" for number in range(1, IMAGES + 1)}, 100)
        library.run("sync", first.path, "--originals")
        if has_server:
            serve(library)
            said = {"library": state(library), "mirror": mirror.records("list", "--limit", "1000")}
            library.stop()
        else:
            said = {"library": listed(library)}
        (FOLDER / f"{commit}.json").write_text(json.dumps(said, indent=1, sort_keys=True) + "\n")
        with tarfile.open(FOLDER / f"{commit}.tar.xz", "w:xz") as archive:
            for part in said:
                archive.add(folder / part, part, filter=anonymous)
    path = FOLDER / f"{commit}.tar.xz"
    print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def serve(library: Gallery) -> None:
    library.serve("--listen", LISTEN, "--verbose")


def listed(library: Gallery) -> dict:
    """What a library says about its feeds and images."""
    return {"feeds": library.records("feeds"), "images": library.records("list", "--limit", "1000")}


def state(library: Gallery) -> dict:
    """All that a library says about its feeds, images, pins and changes."""
    _, _, body = library.ask("/api/v1/changes?limit=1000")
    lines = [json.loads(line) for line in body.splitlines()]
    # Earlier programs did not repeat a pin behind its image.
    images = {(line["seq"], line["id"]) for line in lines if line.get("type") == "image"}
    changes = [line for line in lines[:-1] if line["type"] != "pin" or (line["seq"], line["id"]) not in images]
    return {
        **listed(library), "pins": sorted(library.pins()), "changes": changes, "cursor": lines[-1]["cursor"],
    }


def opens(folder: pathlib.Path) -> str:
    """Libraries of earlier programs open with every id, pin, setting and change number, and their mirrors go on."""
    sums = dict(reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    for name, sha256 in sums.items():
        path = FOLDER / name
        check(hashlib.sha256(path.read_bytes()).hexdigest() == sha256, f"{name} is another file")
        commit = name.removesuffix(".tar.xz")
        place = folder / commit
        with tarfile.open(path) as archive:
            archive.extractall(place, filter="data")
        open_one(commit, place)
    return f"{len(sums)} libraries"


def open_one(commit: str, place: pathlib.Path) -> None:
    said = json.loads((FOLDER / f"{commit}.json").read_text())
    library, mirror = Gallery(str(place / "library"), place / "home"), Gallery(str(place / "mirror"), place / "home2")
    # The note has the inode of the former file: the library counts as restored, unless it is in its place.
    (place / "library/followed-changes").unlink(missing_ok=True)
    if "mirror" not in said:
        refuses(commit, library, place)
        return
    library.run("verify")
    with contextlib.ExitStack() as stack:
        serve(library)
        stack.callback(library.stop)
        said["library"]["changes"] = without_files(said["library"]["changes"])
        contains(commit, state(library), said["library"])
        library.run("verify")
        mirrored = mirror.records("list", "--limit", "1000")
        contains(commit, mirrored, said["mirror"])
        ids = {image["thumbnail"]["sha256"]: image["id"] for image in mirrored}
        mirror.run("sync")
        one, other = ({image["title"] for image in gallery.records("list", "--limit", "1000")}
                      for gallery in (library, mirror))
        check(one == other, f"{commit}: the mirror has {other} instead of {one}")
        check(len(mirror.pins()) == len(library.pins()), f"{commit}: pins of the mirror")
        for image in mirror.records("list", "--limit", "1000"):
            check(ids.get(image["thumbnail"]["sha256"], image["id"]) == image["id"], f"{commit}: another id {image}")
        mirror.run("verify")
        library.server.terminate()
        log = library.server.communicate(timeout=60)[1]
        library.server = None
        check("/api/v1/changes" in log and "/api/v1/tree" not in log, f"{commit}: not by its cursor: {log[-2000:]}")


def refuses(commit: str, library: Gallery, place: pathlib.Path) -> None:
    """A library of a development version is refused as such, by each command, and stays as it is."""
    def files() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted((place / "library").rglob("*"))
                if path.is_file() and path.suffix != ".sqlite-shm"}
    before = files()
    for command in (["list"], ["feeds"], ["verify"], ["status"], ["sync", "--force"]):
        output = library.run(*command, status=None)
        check(library.status == 1 and "development version" in output and "damaged" not in output,
              f"{commit}: {command} says {output}")
    check(files() == before, f"{commit}: the files have changed")


def contains(commit: str, found, said, place: str = "") -> None:
    """Checks that all members that an earlier program has told have the same values; there may be more members."""
    if isinstance(said, dict):
        for name, value in said.items():
            check(name in found, f"{commit}: {place}.{name} is not there")
            contains(commit, found[name], value, f"{place}.{name}")
    elif isinstance(said, list):
        check(len(found) == len(said), f"{commit}: {place} has {len(found)} instead of {len(said)}")
        for index, (one, other) in enumerate(zip(found, said)):
            contains(commit, one, other, f"{place}[{index}]")
    else:
        check(found == said, f"{commit}: {place} is {found!r} instead of {said!r}")


def without_files(said):
    """What an earlier program has told without the addresses of files, which are not told any more."""
    if isinstance(said, list):
        return [without_files(value) for value in said if not str(value).startswith("file:")]
    if isinstance(said, dict):
        return {name: without_files(value) for name, value in said.items() if not str(value).startswith("file:")}
    return said


if __name__ == "__main__":
    make(sys.argv[1], sys.argv[2])
