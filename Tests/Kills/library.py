"""What a library's folder holds, read without the program."""
import contextlib
import dataclasses
import fcntl
import hashlib
import os
import pathlib
import sqlite3
import time

from .packs import thumbnail_bytes

# The entry of an image (no two feeds of the site have one of the same name), the address that a
# picture of it is from, and the picture's hash.
StoredPicture = tuple[str, str, str]


@dataclasses.dataclass
class Contents:
    """Everything that two libraries of the same history must have in common.

    `images` are in the order of their feeds; ids and dates are left out, since they tell of one
    library's own past. `pictures` are hashes, of thumbnails and originals alike.
    """
    feeds: list[tuple]
    images: list[tuple]
    pictures: set[StoredPicture]


class Library:
    """The folder of a library; it need not exist."""

    def __init__(self, folder: pathlib.Path, site: str):
        self.folder = folder
        self._site = site

    @property
    def exists(self) -> bool:
        """Whether there is a database with tables in it."""
        path = self.folder / "gallery.sqlite"
        if not path.exists():
            return False
        with self.database() as database:
            return database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] > 0

    @contextlib.contextmanager
    def database(self):
        with contextlib.closing(sqlite3.connect(self.folder / "gallery.sqlite")) as database:
            yield database

    def check_database(self):
        """The file is whole, its rows fit together, and its index has every word."""
        with self.database() as database:
            found = database.execute("PRAGMA integrity_check").fetchall()
            assert found == [("ok",)], f"integrity_check: {found}"
            found = database.execute("PRAGMA foreign_key_check").fetchall()
            assert not found, f"foreign_key_check: {found}"
            # 1: the index is held against the rows that it was made from, too.
            database.execute("INSERT INTO image_search(image_search, rank) "
                             "VALUES ('integrity-check', 1)")
            database.rollback()
            # 2: the image is retired, so its feed does not count it.
            counts = database.execute("""
                SELECT address, image_count,
                  (SELECT count(*) FROM image WHERE feed_id = feed.id AND is_hidden < 2) FROM feed
            """).fetchall()
            assert all(said == real for _, said, real in counts), f"image_count: {counts}"

    def identities(self) -> dict[int, str]:
        """The entry that each image's id stands for."""
        with self.database() as database:
            return dict(database.execute("SELECT id, entry_id FROM image"))

    def thumbnails(self) -> dict[int, StoredPicture]:
        """The stored thumbnails, by the image's id."""
        with self.database() as database:
            rows = database.execute("""
                SELECT id, entry_id, address, pack_id, offset, bytes
                FROM image JOIN thumbnail ON image_id = id
            """)
            return {
                number: (entry, self._path(address),
                         hashlib.sha256(thumbnail_bytes(self.folder, *place)).hexdigest())
                for number, entry, address, *place in rows
            }

    def originals(self) -> dict[int, StoredPicture]:
        """The stored originals, by the image's id, with what is in their files."""
        with self.database() as database:
            rows = database.execute("""
                SELECT image.id, entry_id, address, sha256 FROM image
                JOIN image_original ON image_id = image.id
                JOIN original ON original.id = original_id
            """)
            return {
                number: (entry, self._path(address), self._hash(sha256))
                for number, entry, address, sha256 in rows
            }

    def contents(self) -> Contents:
        with self.database() as database:
            feeds = database.execute("""
                SELECT address, title, format, etag, image_count, document_image_count, is_whole,
                  is_removed, problem FROM feed ORDER BY address
            """).fetchall()
            images = database.execute("""
                SELECT feed.address, entry_id, original_address, thumbnail_address, image.title,
                  caption, thumbnail_state, thumbnail_bytes, thumbnail_width, original_state,
                  is_gone, is_hidden
                FROM image JOIN feed ON feed.id = feed_id
                ORDER BY feed.address, is_hidden, position, image.id
            """).fetchall()
        pictures = {*self.thumbnails().values(), *self.originals().values()}
        return Contents(feeds, images, pictures)

    def leftovers(self) -> list[str]:
        """The files that only a program at work needs, and the locks that are still had."""
        partial = [path.name for path in (self.folder / "partial").glob("*")]
        locks = (self.folder / "locks").glob("*")
        return partial + [path.name for path in locks if is_locked(path)]

    def age_locks(self):
        """Makes the files of locks so old that they may be cleaned away."""
        month = time.time() - 30 * 86_400
        for path in (self.folder / "locks").glob("*"):
            os.utime(path, (month, month))

    def original_files(self) -> list[pathlib.Path]:
        return sorted(path for path in (self.folder / "originals").glob("*/*"))

    def _path(self, address: str) -> str:
        return address.removeprefix(self._site)

    def _hash(self, sha256: str) -> str:
        """The hash of the file that is named by a hash."""
        files = list((self.folder / "originals" / sha256[:2]).glob(f"{sha256}.*"))
        if len(files) != 1:
            return "no file"
        return hashlib.sha256(files[0].read_bytes()).hexdigest()


def is_locked(path: pathlib.Path) -> bool:
    """Whether somebody has the lock on a file (flock(2))."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def difference(found: Contents, expected: Contents) -> str:
    """The first thing that two libraries differ in; empty when they are the same."""
    for field in dataclasses.fields(Contents):
        one, other = getattr(found, field.name), getattr(expected, field.name)
        if one == other:
            continue
        for row in [row for row in one if row not in other][:3]:
            return f"{field.name}: {row} is not in an undisturbed library"
        for row in [row for row in other if row not in one][:3]:
            return f"{field.name}: {row} is missing"
        return f"{field.name}: in another order"
    return ""
