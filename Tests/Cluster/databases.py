"""Libraries in databases of one server, each with a folder of its own for its files."""
import json
import os
import pathlib
import shutil
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Objects"))

from postgres import Server

# Programs are disturbed, and the server is not, so nothing has to outlive a power cut.
_SETTINGS = ["fsync=off", "full_page_writes=off", "autovacuum=off", "max_wal_size=64MB"]


class Database:
    """A database of the server, empty or with a library, and the folder in which this machine has its files."""

    def __init__(self, databases: "Databases", name: str):
        server = databases.server
        place = f"gallery@{urllib.parse.quote(str(server.folder), safe='')}:{server.port}/{name}"
        self.address = f"postgresql://{place}"
        # As the program names it (LibraryLocation).
        self.folder = databases.home / "gallery" / "databases" / urllib.parse.quote(place, safe="-_.:@=")
        self._databases, self._name = databases, name

    @property
    def exists(self) -> bool:
        """Whether the database has the tables of a library."""
        return self.rows("SELECT to_regclass('library') IS NOT NULL") == [(True,)]

    def rows(self, sql: str) -> list[tuple]:
        """The rows of a query, with values as JSON has them."""
        lines = self._databases.server.sql(f"SELECT to_json(found) FROM ({sql}) AS found", self._name)
        return [tuple(json.loads(line, object_pairs_hook=_values)) for line in lines]

    def execute(self, sql: str) -> None:
        self._databases.server.sql(sql, self._name)

    def copy(self) -> "Database":
        """Copies the library as it is; the server waits for the sessions of killed programs to end."""
        copy = self._databases.make(template=self._name)
        if self.folder.exists():
            shutil.copytree(self.folder, copy.folder)
        return copy

    def end_sessions(self) -> None:
        """Ends those of programs, as the restart of a server does."""
        self._databases.server.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{self._name}'")

    def delete(self) -> None:
        self._databases.server.sql(f'DROP DATABASE "{self._name}" WITH (FORCE)')
        shutil.rmtree(self.folder, ignore_errors=True)


class Databases:
    """A server whose databases are libraries, and the home of the user who has their files."""

    def __init__(self, folder: pathlib.Path):
        # The server is another user.
        folder.chmod(0o755)
        self.home, self._count = folder / "home", 0
        self.server = Server(folder / "server", *_SETTINGS)
        self.server.make()
        self.server.start()
        # For each program that is started from here.
        os.environ["XDG_DATA_HOME"] = str(self.home)

    def make(self, template: str = "template0") -> Database:
        self._count += 1
        name = f"library{self._count}"
        self.server.sql(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return Database(self, name)


def _values(pairs: list[tuple]) -> list:
    return [value for _, value in pairs]
