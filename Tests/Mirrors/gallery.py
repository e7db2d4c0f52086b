"""The gallery, its mirror, and a connection between them that can be cut."""
import os
import pathlib
import selectors
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Cluster"))

import programs
from databases import Database


class Proxy:
    """Passes bytes between a mirror and the current server, and can cut connections after a number of bytes."""

    def __init__(self):
        self.target: int | None = None
        self.sent = 0
        self.cut_after: int | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            threading.Thread(target=self._pass, args=[client], daemon=True).start()

    def _pass(self, client: socket.socket):
        try:
            with client, socket.create_connection(("127.0.0.1", self.target)) as server:
                self._copy(client, server)
        except OSError:
            pass

    def _copy(self, client: socket.socket, server: socket.socket):
        with selectors.DefaultSelector() as selector:
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in selector.select():
                    data = key.fileobj.recv(16 << 10)
                    if key.fileobj is server:
                        self.sent += len(data)
                        if self.cut_after is not None and self.sent > self.cut_after:
                            # Reset the connection, so that unread bytes are lost.
                            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                            return
                    if not data:
                        return
                    key.data.sendall(data)


class Library:
    """A library in a folder, and the program that works on it."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self._server: subprocess.Popen | None = None

    @property
    def address(self) -> str:
        """The value for `--cache`."""
        return str(self.folder)

    @property
    def exists(self) -> bool:
        return (self.folder / "gallery.sqlite").exists()

    def copy(self, folder: pathlib.Path) -> "Library":
        shutil.copytree(self.folder, folder)
        return Library(folder)

    def restored(self, backup: "Library", folder: pathlib.Path) -> "Library":
        """A copy of the library with the database of a backup."""
        copy = self.copy(folder)
        for path in copy.folder.glob("gallery.sqlite*"):
            path.unlink()
        for path in backup.folder.glob("gallery.sqlite*"):
            shutil.copy2(path, copy.folder)
        return copy

    def delete(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *arguments: str, **options) -> subprocess.Popen:
        environment = {**os.environ, "GALLERY_CACHE": self.address, "NO_COLOR": "1"}
        return subprocess.Popen(
            [programs.path("gallery"), *arguments], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def run(self, *arguments: str) -> str:
        process = self.start(*arguments)
        output, errors = process.communicate()
        if process.returncode != 0:
            raise AssertionError(f"gallery {' '.join(arguments)}: {process.returncode}\n{output}{errors}")
        return output

    def serve(self) -> tuple[int, str]:
        """Serves the library; returns the port and the token."""
        self._server = self.start("serve", "--sync", "off", "--listen", "127.0.0.1:0")
        line = self._server.stdout.readline()
        address, token = line.strip().split("/?token=")
        return int(address.rpartition(":")[2]), token

    def kill_server(self):
        self._server.kill()
        self._server.communicate()

    def request(self, method: str, path: str, port: int, token: str):
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method)
        request.add_header("Authorization", f"Bearer {token}")
        urllib.request.urlopen(request).read()

    def ask(self, sql: str) -> list[tuple]:
        with sqlite3.connect(f"file:{self.folder}/gallery.sqlite?mode=ro", uri=True) as database:
            return database.execute(sql).fetchall()

    def change(self, sql: str):
        with sqlite3.connect(self.folder / "gallery.sqlite") as database:
            database.execute(sql)
        database.close()

    def state(self) -> dict[str, list[tuple]]:
        """The data that two mirrors of one gallery must have in common."""
        return {
            "feeds": self.ask(
                "SELECT id, identity, title, format, image_count, is_removed FROM feed ORDER BY id"),
            "images": self.ask(
                "SELECT image.id, identity, position, date, first_seen_at, original_address, thumbnail_address,"
                " entry_id, image.title, caption, is_gone, is_hidden, thumbnail_sha256, thumbnail_state"
                " FROM image JOIN feed ON feed.id = feed_id ORDER BY image.id"),
            "pins": self.ask("SELECT image_id, pinned_at FROM pin ORDER BY image_id"),
            "tombstones": self.ask("SELECT type, id FROM tombstone ORDER BY type, id"),
            "origins": self.ask("SELECT image_id, origin_id, origin_seq, is_pinned FROM mirror_image ORDER BY 1"),
            "cursor": self.ask("SELECT library, cursor FROM mirror"),
            "wanted": self.ask("SELECT image_id FROM mirror_thumbnail"),
        }

    def check(self):
        """Checks that the library is sound, if it exists."""
        if not self.exists:
            return
        self.check_database()
        self.run("verify", "--quiet")

    def check_database(self):
        found = self.ask("PRAGMA integrity_check") + self.ask("PRAGMA foreign_key_check")
        if found != [("ok",)]:
            raise AssertionError(f"the database is damaged: {found}")


class DatabaseLibrary(Library):
    """A library in PostgreSQL."""

    def __init__(self, database: Database):
        super().__init__(database.folder)
        self._database = database

    @property
    def address(self) -> str:
        return self._database.address

    @property
    def exists(self) -> bool:
        return self._database.exists

    def copy(self, _: pathlib.Path) -> Library:
        return DatabaseLibrary(self._database.copy())

    def restored(self, backup: Library, folder: pathlib.Path) -> Library:
        copy = backup.copy(folder)
        shutil.copytree(self.folder, copy.folder, dirs_exist_ok=True)
        return copy

    def delete(self):
        self._database.delete()

    def ask(self, sql: str) -> list[tuple]:
        return self._database.rows(sql)

    def change(self, sql: str):
        self._database.execute(sql)

    def check_database(self):
        """Does nothing, because the server maintains its own files and indexes."""

    def end_sessions(self):
        """Ends all sessions of the library, like the restart of a server."""
        self._database.end_sessions()


def wait(condition, patience: float = 30):
    """Waits until a condition is true."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited for too long")
        time.sleep(0.001)


def end(process: subprocess.Popen, number: int = signal.SIGKILL):
    """Ends a process, unless it has already ended."""
    if process.poll() is None:
        process.send_signal(number)
    process.communicate()
