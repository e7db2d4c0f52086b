"""What is recorded: each phase begins with a library that others have made, and ends with one command."""
import contextlib
import dataclasses
import json
import pathlib
import sqlite3
from collections.abc import Callable

from Disks import site as disks

# What stands for the addresses of the site's feeds in a command.
FEEDS = {"LIST": "/list.json", "RSS": "/rss.xml", "OPML": "/feeds.opml"}
# Among the commands before: from here on the site is in its second version, or breaks off originals.
NEWS, BREAKS = ("news",), ("breaks",)


class Site(disks.Site):
    """The site of Scripts/disks in two versions: in the second one entries are new or have another title,
    some originals have another address, and one is another picture under the same address."""
    version = 1
    # Whether originals break off in the middle, and their rest is refused.
    breaks = False

    def do_GET(self):
        path = self.path
        if path == "/feeds.opml":
            return self.answer(opml().encode(), "text/x-opml")
        if Site.version == 2 and path == "/list.json":
            return self.answer(json.dumps(changed()).encode(), "application/octet-stream")
        if Site.version == 2 and path == "/original/l1.png":
            return self.answer(disks.picture("changed l1", padding=150_000), "image/png")
        super().do_GET()

    def answer(self, body: bytes, kind: str):
        if Site.breaks and self.path.startswith("/original"):
            if "Range" in self.headers:
                return self.send_error(403)
            self.wfile = Half(self.wfile, len(body) // 2)
            self.close_connection = True
        super().answer(body, kind)


class Half:
    """A connection that takes so many bytes of a body, and no more."""

    def __init__(self, file, count: int):
        self._file, self._count = file, count

    def write(self, data: bytes):
        # The header comes in one piece, and is shorter than half of any picture.
        self._file.write(data[:self._count])

    def __getattr__(self, name: str):
        return getattr(self._file, name)


def opml() -> str:
    feeds = "".join(f'<outline type="rss" xmlUrl="{path}"/>' for path in ("/list.json", "/rss.xml"))
    return f'<opml version="2.0"><head><title>All</title></head><body>{feeds}</body></opml>'


def changed() -> list[dict]:
    """The list's second version."""
    entries = disks.entries()
    for number, entry in enumerate(entries):
        if number % 2 == 0:
            entry["title"] += ", once more"
        if number % 3 == 0:
            entry["image"] = f"/original/other{number}.png"
    new = [{"id": f"new{n}", "title": f"new {n}", "thumbnail": f"/thumbnail/new{n}.png",
            "image": f"/original/new{n}.png"} for n in range(3)]
    return new + entries


@dataclasses.dataclass(frozen=True)
class Phase:
    name: str
    # Commands before, in the site's first version.
    before: tuple[tuple[str, ...], ...]
    command: tuple[str, ...]
    version: int = 1
    # What is done to the library before the command.
    harm: Callable[[pathlib.Path], None] | None = None
    # Whether the library may be found damaged as long as the command has not ended.
    is_damaged: bool = False
    # Statuses that the command ends with when it is done.
    statuses: tuple[int, ...] = (0,)
    # The images whose originals the command says are stored.
    shown: tuple[str, ...] = ()
    # Whether there are files, or removed feeds, that the command is to take back: `clean` deletes those, so
    # it is tried only when the command has ended.
    has_strays: bool = False
    # Whether every image has its original when the command has ended.
    has_originals: bool = False


def damage(library: pathlib.Path):
    """Alters an original, cuts one, loses one, and spoils a thumbnail."""
    files = sorted((library / "originals").glob("*/*"))
    spoil(files[0], files[0].stat().st_size // 2)
    with files[3].open("r+b") as file:
        file.truncate(1_000)
    files[6].unlink()
    spoil(next((library / "thumbnails").glob("*.pack")), 2_000)


def spoil(path: pathlib.Path, place: int):
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1]))


def litter(library: pathlib.Path):
    """Puts a file where originals are that nobody knows."""
    folder = library / "originals" / "00"
    folder.mkdir(exist_ok=True)
    (folder / f"{'0' * 64}.png").write_bytes(bytes(10_000))


def forget_originals(library: pathlib.Path):
    """Takes the rows of all originals, as a database from a backup would lack them."""
    with contextlib.closing(sqlite3.connect(library / "gallery.sqlite")) as database:
        database.executescript("""
            DELETE FROM image_original; DELETE FROM original; UPDATE image SET original_state = 0;
        """)


BOTH = ("LIST", "RSS")
# One after the other, so that the ids are always the same.
SYNCED = (("sync", "LIST"), ("sync", "RSS"))
FULL = (*SYNCED, ("sync", "--originals", *BOTH))

PHASES = [
    Phase("first sync", (), ("sync", *BOTH)),
    Phase("first sync with originals", (), ("sync", "--originals", *BOTH), has_originals=True),
    Phase("changed sync", FULL, ("sync", "--originals", *BOTH), version=2, has_originals=True),
    Phase("originals", SYNCED, ("sync", "--originals", *BOTH), has_originals=True),
    Phase("show", SYNCED, ("show", "1", "2", "7"), shown=("1", "2", "7")),
    Phase("list of feeds", (), ("sync", "OPML")),
    Phase("show what broke off", (*SYNCED, BREAKS, ("show", "1", "7")), ("show", "1", "7"),
          shown=("1", "7")),
    Phase("show again", (*SYNCED, ("show", "1")), ("show", "3"), shown=("1", "3")),
    Phase("show --refresh", FULL, ("show", "--refresh", "1", "2"), version=2, shown=("1", "2")),
    Phase("remove", FULL, ("remove", "1")),
    Phase("remove --purge", FULL, ("remove", "1", "--purge")),
    Phase("sync what was removed", (*FULL, ("remove", "1")), ("sync", "--originals", "LIST"),
          version=2, has_strays=True, has_originals=True),
    Phase("feeds set", FULL, ("feeds", "set", "1", "--title", "Mine")),
    Phase("clean", (*FULL, ("remove", "1")), ("clean",), harm=litter),
    Phase("clean what was replaced", (*FULL, NEWS, ("sync", "--originals", *BOTH)), ("clean",),
          version=2, harm=litter),
    Phase("clean --now", (*FULL, ("remove", "2"), ("clean",), ("remove", "1")), ("clean", "--now"),
          harm=litter),
    Phase("verify", FULL, ("verify",), harm=damage, is_damaged=True, statuses=(2,)),
    Phase("verify --repair", FULL, ("verify", "--repair"), harm=damage, is_damaged=True,
          statuses=(2,), has_originals=True),
    Phase("taking back", FULL, ("verify", "--repair"), harm=forget_originals, has_strays=True,
          has_originals=True),
]
