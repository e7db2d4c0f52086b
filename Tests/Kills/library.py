"""The content of a library, read without the program."""
import contextlib
import dataclasses
import fcntl
import hashlib
import os
import pathlib
import shutil
import sqlite3
import time

from .packs import pack_path, spoil, thumbnail_bytes

# The entry of an image (each entry of the site has a unique name), the address of its picture, and the picture's
# hash.
StoredPicture = tuple[str, str, str]


@dataclasses.dataclass
class Contents:
    """The data that two libraries with the same history must have in common.

    `images` are in the order of their feeds, without ids and dates, which depend on each library's own past.
    `pictures` are the stored thumbnails and originals, and `newer` those that are kept beside them. `objects`
    are the hashes of the objects in the object store.
    """
    feeds: list[tuple]
    images: list[tuple]
    pictures: set[StoredPicture]
    newer: set[StoredPicture]
    objects: set[str] = dataclasses.field(default_factory=set)

    def without_originals(self) -> "Contents":
        """The contents without the originals, the pictures made from them, and the states of the originals."""
        images = [(*row[:9], None, *row[10:]) for row in self.images]
        pictures = {stored for stored in self.pictures if stored[1].startswith("/thumbnails/")}
        return Contents(self.feeds, images, pictures, self.newer)


class Library:
    """A library in a separate folder. It may not exist yet."""

    def __init__(self, place: pathlib.Path, site: str):
        self.place, self._site = place, site
        place.mkdir()

    @property
    def folder(self) -> pathlib.Path:
        """The folder of the library's files."""
        return self.place / "library"

    @property
    def address(self) -> str:
        """The value for `--cache`."""
        return str(self.folder)

    def copy(self, place: pathlib.Path) -> "Library":
        copy = Library(place, self._site)
        if self.folder.exists():
            shutil.copytree(self.folder, copy.folder)
        return copy

    def delete(self):
        shutil.rmtree(self.place)

    def options(self, command: str) -> list[str]:
        """The options that a command needs in addition to `--cache`."""
        return []

    def rewind_objects(self):
        """Deletes all objects that this library has not put into the object store."""

    def log_state(self) -> int:
        """A number that changes as the database's log grows."""
        return (self.folder / "gallery.sqlite-wal").stat().st_size

    @property
    def is_begun(self) -> bool:
        """Whether any part of the library exists."""
        return self.folder.exists()

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

    def rows(self, sql: str) -> list[tuple]:
        with self.database() as database:
            return database.execute(sql).fetchall()

    def check_database(self):
        """Checks that the file is sound, that its rows are consistent, and that its index has every word."""
        with self.database() as database:
            found = database.execute("PRAGMA integrity_check").fetchall()
            assert found == [("ok",)], f"integrity_check: {found}"
            found = database.execute("PRAGMA foreign_key_check").fetchall()
            assert not found, f"foreign_key_check: {found}"
            # The view of the rows' words needs this function; texts in ASCII are their own words.
            database.create_function("search_words", 3, lambda text, *_: text, deterministic=True)
            # 1: also compare the index with the rows that it was made from.
            database.execute("INSERT INTO image_search(image_search, rank) "
                             "VALUES ('integrity-check', 1)")
            database.rollback()
        self._check_counts()

    def _check_counts(self):
        # 2: the image is retired, so its feed does not count it.
        counts = self.rows("""
            SELECT address, image_count,
              (SELECT count(*) FROM image WHERE feed_id = feed.id AND is_hidden < 2) FROM feed
        """)
        assert all(said == real for _, said, real in counts), f"image_count: {counts}"

    def identities(self) -> dict[int, str]:
        """The entry of each image, by the image's id."""
        return dict(self.rows("SELECT id, entry_id FROM image"))

    def thumbnails(self) -> dict[int, StoredPicture]:
        """The stored thumbnails, by the image's id."""
        rows = self.rows("""
            SELECT id, entry_id, address, pack_id, offset, bytes
            FROM image JOIN thumbnail ON image_id = id
        """)
        return {
            number: (entry, self._path(address),
                     hashlib.sha256(thumbnail_bytes(self.folder, *place)).hexdigest())
            for number, entry, address, *place in rows
        }

    def spoil_thumbnails(self):
        """Changes one byte of every fifth thumbnail."""
        rows = self.rows("SELECT pack_id, offset, bytes FROM thumbnail WHERE image_id % 5 = 0")
        for pack, offset, count in rows:
            spoil(pack_path(self.folder, pack), offset + count // 2)

    def originals(self) -> dict[int, StoredPicture]:
        """The stored originals, by the image's id, with the hashes of their files."""
        rows = self.rows("""
            SELECT image.id, entry_id, address, sha256 FROM image
            JOIN image_original ON image_id = image.id
            JOIN original ON original.id = original_id
        """)
        return {
            number: (entry, self._path(address), self._hash(sha256))
            for number, entry, address, sha256 in rows
        }

    def newer(self) -> list[StoredPicture]:
        """The newer pictures that are kept beside stored ones, with the hashes of their bytes or files."""
        rows = self.rows("""
            SELECT entry_id, address, picture, sha256 FROM image JOIN successor ON image_id = image.id
            WHERE kind < 3
        """)
        return [
            (entry, self._path(address),
             hashlib.sha256(_bytes(picture)).hexdigest() if picture else self._hash(sha256))
            for entry, address, picture, sha256 in rows
        ]

    def contents(self) -> Contents:
        feeds = self.rows("""
            SELECT address, title, format, etag, image_count, document_image_count, is_whole,
              is_removed, problem FROM feed ORDER BY address
        """)
        images = self.rows("""
            SELECT feed.address, entry_id, original_address, thumbnail_address, image.title,
              caption, thumbnail_state, thumbnail_bytes, thumbnail_width, original_state,
              is_gone, is_hidden
            FROM image JOIN feed ON feed.id = feed_id
            ORDER BY feed.address, is_hidden, position, image.id
        """)
        pictures = {*self.thumbnails().values(), *self.originals().values()}
        return Contents(feeds, images, pictures, set(self.newer()))

    def leftovers(self) -> list[str]:
        """The files that only a running program needs, and the locks that are still held."""
        partial = [path.name for path in (self.folder / "partial").glob("*")]
        locks = (self.folder / "locks").glob("*")
        return partial + [path.name for path in locks if is_locked(path)]

    def age_locks(self):
        """Makes the lock files so old that `clean` may delete them."""
        month = time.time() - 30 * 86_400
        for path in (self.folder / "locks").glob("*"):
            os.utime(path, (month, month))

    def original_files(self) -> list[pathlib.Path]:
        return sorted(path for path in (self.folder / "originals").glob("*/*"))

    def _path(self, address: str) -> str:
        return address.removeprefix(self._site)

    def _hash(self, sha256: str) -> str:
        """The actual hash of the file of an original with this hash, or "no file"."""
        files = list((self.folder / "originals" / sha256[:2]).glob(f"{sha256}.*"))
        if len(files) != 1:
            return "no file"
        return hashlib.sha256(files[0].read_bytes()).hexdigest()


def _bytes(column: bytes | str) -> bytes:
    """The bytes of a column, which psql writes in hexadecimal digits."""
    return bytes.fromhex(column.removeprefix("\\x")) if isinstance(column, str) else column


def is_locked(path: pathlib.Path) -> bool:
    """Whether a process holds the lock on a file (flock(2))."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def difference(found: Contents, expected: Contents) -> str:
    """Describes the first difference between two libraries; empty if they are equal."""
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
