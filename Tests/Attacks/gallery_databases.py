"""Database servers that hang, lie or break off, and passwords in their addresses."""

import signal
import socket
import struct
import subprocess
import threading
import time

import programs

from .common import Run, part
from .processes import environment

SECRET = "S3CR3TW0RD"


def message(kind: bytes, body: bytes = b"") -> bytes:
    return kind + struct.pack(">I", len(body) + 4) + body


READY = message(b"R", struct.pack(">I", 0)) + message(b"S", b"server_version\x0017.0\0") + message(b"Z", b"I")
DONE = message(b"C", b"SELECT 1\0") + message(b"Z", b"I")


def row(name: bytes, kind: int, *values: bytes | None) -> bytes:
    """An answer with one column of a type, and its values."""
    column = name + b"\0" + struct.pack(">IhIhih", 0, 0, kind, -1, -1, 0)
    rows = b"".join(
        message(
            b"D",
            struct.pack(">h", 1)
            + (struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value),
        )
        for value in values
    )
    return message(b"1") + message(b"2") + message(b"T", struct.pack(">h", 1) + column) + rows + DONE


# What a server sends when a client has connected, and for each query; None closes the connection, and b"" says nothing.
SERVERS = {
    "says nothing": (b"", b""),
    "closes": (None, None),
    "garbage": (b"HTTP/1.1 200 OK\r\n\r\n" * 50, b""),
    "wants a password of another kind": (message(b"R", struct.pack(">I", 7)), b""),
    "a length without end": (b"R\x7f\xff\xff\xff", b""),
    "closes at a query": (READY, None),
    "text for numbers": (READY, row(b"x", 25, b"no number")),
    "no value": (READY, row(b"x", 20, None)),
    "numbers beyond 64 bits": (READY, row(b"x", 1700, b"9" * 400)),
    "empty rows": (READY, message(b"1") + message(b"2") + DONE),
    "rows of another query": (READY, row(b"y", 17, b"\\x00ff", b"\\xzz", b"")),
    "an error with control characters": (
        READY,
        message(b"E", b"SERROR\0C42P01\0M\x1b[31m\x1b]0;x\x07\0\0") + message(b"Z", b"I"),
    ),
}


class Database:
    """A server that answers each message of a client with the same bytes."""

    def __init__(self, run: Run, first: bytes | None, then: bytes | None):
        self._first, self._then = first, then
        self._listener = socket.create_server(("127.0.0.1", 0))
        run.everything.callback(self._listener.close)
        threading.Thread(target=self._accept, daemon=True).start()
        self.address = f"postgresql://gal:{SECRET}@127.0.0.1:{self._listener.getsockname()[1]}/photos?sslmode=disable"

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client: socket.socket):
        answers = [self._first]
        try:
            with client:
                while client.recv(1 << 16):
                    answer = answers.pop() if answers else self._then
                    if answer is None:
                        return
                    client.sendall(answer)
        except OSError:
            pass


@part(long=True, seconds=300)
def wrong_servers(run: Run):
    """A database server that hangs, lies or sends rows of other types ends a command with a message, or Ctrl-C does."""
    for name, (first, then) in SERVERS.items():
        database = Database(run, first, then)
        process = subprocess.Popen(
            [programs.path("gallery"), "list"],
            env=environment(database.address, HOME=str(run.folder)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        run.everything.callback(process.kill)
        begin = time.monotonic()
        try:
            output, _ = process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                output, _ = process.communicate(timeout=120)
            except subprocess.TimeoutExpired:
                run.check(False, f"{name}: Ctrl-C does not end it")
                continue
        run.note(f"{name}: {time.monotonic() - begin:.0f} s")
        run.check(
            process.returncode in (0, 1, 130, -signal.SIGINT), f"{name}: status {process.returncode}: {output[-300:]}"
        )
        run.check(SECRET not in output and "\x1b" not in output, f"{name}: {output[-300:]}")


@part(long=True)
def passwords(run: Run):
    """No message prints the password of a database, whatever is wrong with its address."""
    for address in (
        f"gal:{SECRET}@127.0.0.1:1/x",
        f"gal:%{SECRET}@127.0.0.1:1/x",
        f"gal:{SECRET}/y@127.0.0.1:1/x",
        f"gal:{SECRET}@x@127.0.0.1:1/x",
        f"gal:{SECRET}#y@127.0.0.1:1/x",
        f"gal:{SECRET}@[::1",
        f"127.0.0.1:1/x?user=gal&password={SECRET}",
        f"127.0.0.1:1/x?password={SECRET}&bogus=1",
        f"127.0.0.1:1/x?sslpassword={SECRET}",
        f"gal:{SECRET}@/x?host=/nonexistent",
    ):
        for words in (["list"], ["status", "--verbose"], ["config", "show"], ["move", "--to", str(run.folder / "x")]):
            command = run.gallery(f"postgresql://{address}", *words, status=None, HOME=str(run.folder))
            run.check(SECRET not in command.output, f"{address}, {words}: {command.output[-200:]}")
