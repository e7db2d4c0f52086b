"""Libraries in databases of one server. Each has a separate folder for its files."""
import json
import os
import pathlib
import shutil
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Objects"))

from postgres import Server

# Only programs are disturbed, not the server, so no data must survive a power cut.
_SETTINGS = ["fsync=off", "full_page_writes=off", "autovacuum=off", "max_wal_size=64MB"]


class Database:
    """A database of the server, empty or with a library, and the folder of its files on this machine."""

    def __init__(self, databases: "Databases", name: str):
        server = databases.server
        place = f"gallery@{urllib.parse.quote(str(server.folder), safe='')}:{server.port}/{name}"
        self.address = f"postgresql://{place}"
        # LibraryLocation makes the same name.
        self.folder = databases.home / "gallery" / "databases" / urllib.parse.quote(place, safe="-_.:@=")
        self._databases, self._name = databases, name

    @property
    def exists(self) -> bool:
        """Whether the database has the tables of a library."""
        return self.rows("SELECT to_regclass('library') IS NOT NULL") == [(True,)]

    def rows(self, sql: str) -> list[tuple]:
        """The rows of a query, with values converted from JSON."""
        lines = self._databases.server.sql(f"SELECT to_json(found) FROM ({sql}) AS found", self._name)
        return [tuple(json.loads(line, object_pairs_hook=_values)) for line in lines]

    def execute(self, sql: str) -> None:
        self._databases.server.sql(sql, self._name)

    def copy(self) -> "Database":
        """Copies the library in its current state. The server waits for the sessions of killed programs to end."""
        copy = self._databases.make(template=self._name)
        if self.folder.exists():
            shutil.copytree(self.folder, copy.folder)
        return copy

    def end_sessions(self) -> None:
        """Ends the sessions of all programs, like the restart of a server."""
        self._databases.server.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._name}'")

    def delete(self) -> None:
        self._databases.server.sql(f'DROP DATABASE "{self._name}" WITH (FORCE)')
        shutil.rmtree(self.folder, ignore_errors=True)


class Databases:
    """A server whose databases are libraries, and the user's data folder with their files."""

    def __init__(self, folder: pathlib.Path):
        # The server may run as another user.
        folder.chmod(0o755)
        self.home, self._count = folder / "home", 0
        self.server = Server(folder / "server", *_SETTINGS)
        self.server.make()
        self.server.start()
        # All programs that this process starts inherit this.
        os.environ["XDG_DATA_HOME"] = str(self.home)

    def make(self, template: str = "template0") -> Database:
        self._count += 1
        name = f"library{self._count}"
        self.server.sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return Database(self, name)


def _values(pairs: list[tuple]) -> list:
    return [value for _, value in pairs]
