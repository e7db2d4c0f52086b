"""Libraries in PostgreSQL, with their originals in SeaweedFS."""
import contextlib
import dataclasses
import hashlib
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Iterator

from .library import Contents, Library, StoredPicture
from .lives import Make

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(CHECKOUT / "Tests" / name) for name in ("Cluster", "Objects")]

from databases import Database, Databases
from weed import ID, SECRET, Weed, filer, files

# The tables with rows that refer to images, without foreign keys that the database would check.
_IMAGE_TABLES = ["pin", "thumbnail", "image_original", "damage", "picture_failure", "member_image",
                 "successor", "replaced_original", "picture_redirect",
                 "folder_original"]
_OBJECT_COMMANDS = {"sync", "show", "verify", "clean"}


class Prefix:
    """A part of a bucket, for the objects of one library. Its copies use it one after another."""

    def __init__(self, weed: Weed, name: str):
        self.address = f"s3://pictures/{name}"
        self._weed, self._folder = weed, f"/buckets/pictures/{name}"

    def pack(self, sha256: str) -> bytes:
        return filer(self._weed, f"{self._folder}/p/{sha256}")

    def hash(self, sha256: str) -> str:
        """The actual hash of the object of an original with this hash."""
        data = filer(self._weed, f"{self._folder}/o/{sha256[:2]}/{sha256}")
        return hashlib.sha256(data).hexdigest()

    def keep(self, names: set[str]):
        """Deletes all objects except the named ones."""
        for path in files(self._weed, self._folder):
            if path.rpartition("/")[2] not in names:
                filer(self._weed, path, "DELETE")


class ClusterLibrary(Library):
    """A library in a database. Its files are in the folder that the program uses for the database."""

    def __init__(self, place: pathlib.Path, site: str, database: Database, objects: Prefix, log: pathlib.Path):
        super().__init__(place, site)
        self._database, self._objects, self._log = database, objects, log

    @property
    def folder(self) -> pathlib.Path:
        return self._database.folder

    @property
    def address(self) -> str:
        return self._database.address

    def options(self, command: str) -> list[str]:
        return ["--objects", self._objects.address] if command in _OBJECT_COMMANDS else []

    def copy(self, place: pathlib.Path) -> Library:
        database = self._database.copy()
        return ClusterLibrary(place, self._site, database, self._objects, self._log)

    def delete(self):
        super().delete()
        self._database.delete()

    def rewind_objects(self):
        packs = "SELECT encode(sha256, 'hex') FROM pack"
        put = {sha256 for sha256, in self._put() + self.rows(packs)} | {"library"} if self.exists else set()
        self._objects.keep(put)

    def _put(self) -> list[tuple]:
        return self.rows("SELECT sha256 FROM original WHERE put_at IS NOT NULL")

    def log_state(self) -> int:
        return max(file.stat().st_mtime_ns for file in os.scandir(self._log))

    @property
    def is_begun(self) -> bool:
        return self.exists

    @property
    def exists(self) -> bool:
        return self._database.exists

    def rows(self, sql: str) -> list[tuple]:
        return self._database.rows(sql)

    def check_database(self):
        """Checks that the rows are consistent. The undisturbed server maintains its own files and indexes."""
        for table in _IMAGE_TABLES:
            found = self.rows(f"""
                SELECT image_id FROM {table}
                WHERE NOT EXISTS (SELECT 1 FROM image WHERE image.id = image_id)
            """)
            assert not found, f"{table} has rows without images: {found}"
        found = self.rows("SELECT id FROM image WHERE feed_id NOT IN (SELECT id FROM feed)")
        assert not found, f"images without a feed: {found}"
        self._check_counts()

    def thumbnails(self) -> dict[int, StoredPicture]:
        """The thumbnails in the database and in packs, by the image's id."""
        rows = self.rows("""
            SELECT image.id, entry_id, address, encode(sha256(thumbnail.bytes), 'hex'),
              encode(pack.sha256, 'hex'), pack_offset, pack_bytes
            FROM image JOIN thumbnail ON image_id = image.id LEFT JOIN pack ON pack.id = pack_id
        """)
        packs = {name: self._objects.pack(name) for name in {row[4] for row in rows} - {None}}
        return {
            number: (entry, self._path(address),
                     sha256 or hashlib.sha256(packs[pack][offset:offset + count]).hexdigest())
            for number, entry, address, sha256, pack, offset, count in rows
        }

    def spoil_thumbnails(self):
        """Changes one byte, or the offset in a pack, of every fifth thumbnail."""
        self._database.execute("""
            UPDATE thumbnail SET pack_offset = pack_offset + 1,
              bytes = set_byte(bytes, length(bytes) / 2, get_byte(bytes, length(bytes) / 2) # 1)
            WHERE image_id % 5 = 0
        """)

    def contents(self) -> Contents:
        """The images include their words for searches, and objects are identified by their actual hashes."""
        words = self.rows("""
            SELECT folded_words::text FROM image JOIN feed ON feed.id = feed_id
            ORDER BY feed.address, is_hidden, position, image.id
        """)
        found = super().contents()
        objects = {self._objects.hash(sha256) for sha256, in self._put()}
        return dataclasses.replace(found, images=found.images + words, objects=objects)

    def _hash(self, sha256: str) -> str:
        # An original in the object store needs no file on this machine.
        found = super()._hash(sha256)
        return self._objects.hash(sha256) if found == "no file" and (sha256,) in self._put() else found

    def leftovers(self) -> list[str]:
        # The leases of a session that has ended are free.
        leases = self.rows("""
            SELECT identity FROM feed_lock WHERE session IN (SELECT pid FROM pg_stat_activity)
        """)
        return super().leftovers() + [name for name, in leases]


@contextlib.contextmanager
def stores(folder: pathlib.Path) -> Iterator[Make]:
    """Runs both servers, and yields a function that makes libraries."""
    subprocess.run([CHECKOUT / "Scripts/setup", "libpq5", "postgresql", "util-linux"], check=True,
                   stdout=sys.stderr)
    program = subprocess.check_output([CHECKOUT / "Scripts/seaweedfs"], text=True).strip()
    databases, weed = Databases(folder), Weed(program, folder)
    os.environ.update(AWS_ACCESS_KEY_ID=ID, AWS_SECRET_ACCESS_KEY=SECRET, AWS_ENDPOINT_URL=weed.address)
    log = databases.server.folder / "data" / "pg_wal"

    def make(place: pathlib.Path, site: str) -> Library:
        return ClusterLibrary(place, site, databases.make(), Prefix(weed, place.parent.name), log)

    try:
        weed.start()
        # Make the bucket, which would otherwise not exist before the first original.
        filer(weed, "/buckets/pictures/", "POST")
        yield make
    finally:
        weed.stop()
        databases.server.stop(signal.SIGQUIT)
