"""The recorded phases. Each begins with a library that other commands have made, and runs one command."""
import contextlib
import dataclasses
import json
import pathlib
import sqlite3
from collections.abc import Callable

from Disks import site as disks

# The words in commands that mean addresses of the site's feeds; OUT is the folder of exports.
FEEDS = {"LIST": "/list.json", "RSS": "/rss.xml", "OPML": "/feeds.opml"}
# Steps among the commands in `before`: from here on, the site has its second version, or cuts originals off.
NEWS, BREAKS = ("news",), ("breaks",)
# The versions in which every other picture was deleted, and a sign is in its place; and in which one, and then a
# second one, has a sign of its own size in its place.
DELETED, FIRST_SIGN, SECOND_SIGN = 3, 4, 5
# A step from which on the site has the version with the first sign, or with deleted pictures.
DELETES, DECEIVES = ("deletes",), ("deceives",)
# What a deleted picture is in these versions.
SIGN = {DELETED: disks.picture("sign", side=10), FIRST_SIGN: disks.picture("deceptive sign"),
        SECOND_SIGN: disks.picture("deceptive sign")}
# The images whose pictures are deleted, if each feed is synced by itself.
DELETED_IMAGES = (1, 3, 5, 7, 9, 11)


class Site(disks.Site):
    """The site of Scripts/disks in several versions. In the second one, some entries are new or have another title,
    some originals have another address, and one address has another picture. In the later ones, there are signs in
    the place of pictures."""
    version = 1
    # Whether responses with originals end in the middle, and requests for the rest are refused.
    breaks = False

    def do_GET(self):
        path = self.path
        if path == "/feeds.opml":
            return self.answer(opml().encode(), "text/x-opml")
        if Site.version == 2 and path == "/list.json":
            return self.answer(json.dumps(changed()).encode(), "application/octet-stream")
        if Site.version == 2 and path == "/original/l1.png":
            return self.answer(disks.picture("changed l1", padding=150_000), "image/png")
        if is_deleted(path, Site.version):
            return self.answer(SIGN[Site.version], "image/png")
        super().do_GET()

    def answer(self, body: bytes, kind: str):
        if Site.breaks and self.path.startswith("/original"):
            if "Range" in self.headers:
                return self.send_error(403)
            self.wfile = Half(self.wfile, len(body) // 2)
            self.close_connection = True
        super().answer(body, kind)


class Half:
    """A connection that sends only the first `count` bytes of a body."""

    def __init__(self, file, count: int):
        self._file, self._count = file, count

    def write(self, data: bytes):
        # The header is written at once, and is shorter than half of any picture.
        self._file.write(data[:self._count])

    def __getattr__(self, name: str):
        return getattr(self._file, name)


def is_deleted(path: str, version: int) -> bool:
    """Whether a picture is deleted in a version of the site."""
    name = pathlib.PurePath(path).stem
    match version:
        case 3: return path.endswith(".png") and int(name[1:]) % 2 == 0
        case 4: return name == "l0"
        case 5: return name in ("l0", "r0")
        case _: return False


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
    # The commands that make the library, from the site's first version.
    before: tuple[tuple[str, ...], ...]
    command: tuple[str, ...]
    version: int = 1
    # Damages or changes the library before the command.
    harm: Callable[[pathlib.Path], None] | None = None
    # Whether the library may be damaged until the command has ended.
    is_damaged: bool = False
    # The statuses with which the completed command may end.
    statuses: tuple[int, ...] = (0,)
    # The images whose originals the command reports as stored.
    shown: tuple[str, ...] = ()
    # Whether the command restores removed feeds, or files without rows. `clean` deletes these, so it runs only
    # after the command has ended.
    has_strays: bool = False
    # Whether every image has its original when the command has ended.
    has_originals: bool = False
    # The newer pictures that are beside stored ones when the command has ended: an image, and 0 for its thumbnail or 1
    # for its original.
    newer: tuple[tuple[int, int], ...] = ()


def damage(library: pathlib.Path):
    """Changes a byte of an original, cuts one, deletes one, and changes a byte of a thumbnail."""
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
    """Puts a stray file among the originals."""
    folder = library / "originals" / "00"
    folder.mkdir(exist_ok=True)
    (folder / f"{'0' * 64}.png").write_bytes(bytes(10_000))


def forget_originals(library: pathlib.Path):
    """Deletes the rows of all originals, like a database from a backup that lacks them."""
    with contextlib.closing(sqlite3.connect(library / "gallery.sqlite")) as database:
        database.executescript("""
            DELETE FROM image_original; DELETE FROM original; UPDATE image SET original_state = 0;
        """)


BOTH = ("LIST", "RSS")
# Sync the feeds one after another, so that the ids are always the same.
SYNCED = (("sync", "LIST"), ("sync", "RSS"))
FULL = (*SYNCED, ("sync", "--originals", *BOTH))
EVERYTHING = ("sync", "--originals", "--force", *BOTH)

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
    Phase("deleted pictures", FULL, EVERYTHING, version=DELETED, has_originals=True,
          newer=tuple((number, 0) for number in DELETED_IMAGES)),
    Phase("show --refresh of deleted pictures", FULL, ("show", "--refresh", "1", "3"), version=DELETED,
          shown=("1", "3"), newer=((1, 1), (3, 1))),
    Phase("take-newer", (*FULL, DELETES, EVERYTHING, ("show", "--refresh", "1", "3")), ("take-newer", "1", "3", "7"),
          version=DELETED),
    Phase("a thumbnail that comes back", (*FULL, DECEIVES, EVERYTHING), EVERYTHING, version=SECOND_SIGN,
          newer=((1, 0), (7, 0))),
    Phase("an original that comes back", (*FULL, DECEIVES, EVERYTHING), ("show", "--refresh", "7"),
          version=SECOND_SIGN, shown=("7",), newer=((1, 1), (7, 1))),
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
    Phase("export", FULL, ("export", "OUT")),
    Phase("export --static", FULL, ("export", "--static", "OUT")),
    Phase("export --static again", (*FULL, ("export", "--static", "OUT"), NEWS, ("sync", "--originals", *BOTH)),
          ("export", "--static", "OUT"), version=2),
    Phase("verify", FULL, ("verify",), harm=damage, is_damaged=True, statuses=(2,)),
    Phase("verify --repair", FULL, ("verify", "--repair"), harm=damage, is_damaged=True,
          statuses=(2,), has_originals=True),
    Phase("taking back", FULL, ("verify", "--repair"), harm=forget_originals, has_strays=True,
          has_originals=True),
]
