"""Libraries of older versions: a full one of today with what they lacked taken away."""
import contextlib
import pathlib
import shutil
import sqlite3

from .packs import thumbnail_bytes

# What leads from a version to the one before it: the opposite of each migration.
_STEPS_BACK = {
    6: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' DEFERRABLE INITIALLY DEFERRED', '')
            WHERE name = 'image';
        PRAGMA writable_schema = RESET;
    """,
    5: """
        DROP TRIGGER thumbnail_deletion;
        DROP TRIGGER thumbnail_replacement;
        DROP TABLE pack_hole;
        DROP TABLE pack;
        ALTER TABLE thumbnail DROP COLUMN pack_id;
        ALTER TABLE thumbnail DROP COLUMN position;
        ALTER TABLE thumbnail DROP COLUMN bytes;
        ALTER TABLE thumbnail DROP COLUMN checksum;
    """,
    4: """
        ALTER TABLE feed DROP COLUMN reach;
        ALTER TABLE feed DROP COLUMN private_host;
    """,
    3: """
        DROP INDEX image_thumbnail_unmade;
        ALTER TABLE thumbnail DROP COLUMN source_sha256;
    """,
    2: """
        DROP TABLE verification;
        DROP TABLE picture_failure;
        DROP TABLE host;
        DROP TABLE feed_alias;
        DROP INDEX image_thumbnail_check;
        DROP INDEX image_original_check;
        ALTER TABLE image DROP COLUMN thumbnail_check_at;
        ALTER TABLE image DROP COLUMN original_check_at;
        ALTER TABLE feed DROP COLUMN moved_to;
        ALTER TABLE feed DROP COLUMN is_paused;
        ALTER TABLE feed DROP COLUMN next_sync_at;
    """,
}


def make_older(library: pathlib.Path, version: int):
    """Makes a library one that an older version of the program might have left."""
    with contextlib.closing(sqlite3.connect(library / "gallery.sqlite")) as database:
        known = max(_STEPS_BACK)
        current = database.execute("PRAGMA user_version").fetchone()[0]
        assert current <= known, f"the library is of version {current}: tell older.py how it came"
        if current >= 5 > version:
            _unpack(library, database)
        for step in range(current, version, -1):
            statements = f"{_STEPS_BACK[step]} PRAGMA user_version = {step - 1};"
            database.executescript(f"BEGIN; {statements} COMMIT;")


def _unpack(library: pathlib.Path, database: sqlite3.Connection):
    """Puts the thumbnails back into their rows, and takes the packs away."""
    rows = database.execute("SELECT image_id, pack_id, position, bytes, data FROM thumbnail")
    for number, *place in rows.fetchall():
        database.execute("UPDATE thumbnail SET data = ?, pack_id = NULL WHERE image_id = ?",
                         (thumbnail_bytes(library, *place), number))
    database.commit()
    shutil.rmtree(library / "thumbnails", ignore_errors=True)
