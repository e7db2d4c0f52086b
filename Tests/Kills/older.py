"""Libraries of older versions: a full one of today with what they lacked taken away."""
import contextlib
import pathlib
import sqlite3

# What leads from a version to the one before it: the opposite of each migration.
_STEPS_BACK = {
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
        for step in range(current, version, -1):
            statements = f"{_STEPS_BACK[step]} PRAGMA user_version = {step - 1};"
            database.executescript(f"BEGIN; {statements} COMMIT;")
