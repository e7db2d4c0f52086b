"""Libraries, the feeds that they follow, and requests to their servers."""
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request
import zlib

import programs
from clock import Clock


class Missing(Exception):
    """A program that a part needs is not installed."""


class Wrong(Exception):
    """What was observed is not what is promised."""


def need(*names: str) -> None:
    """Ends the part when a program is missing."""
    for name in names:
        if not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin"):
            raise Missing(name)


def check(condition, what: str) -> None:
    if not condition:
        raise Wrong(what)


def wait(what: str, condition, seconds: float = 60):
    """Waits until a condition returns a true value, and returns it."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if found := condition():
                return found
        check(time.monotonic() < end, f"{what} has not come in {seconds:.0f} s")
        time.sleep(0.05)


def picture(number: int, noise: int = 2_000) -> bytes:
    """A small PNG image of one colour, with a chunk of noise that decoders ignore."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixels = b"".join(b"\0" + bytes([number * 7 % 256, number % 256, number // 256 % 256]) * 24 for _ in range(16))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 24, 16, 8, 2, 0, 0, 0))
            + chunk(b"noIz", random.Random(number).randbytes(noise))
            + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


class Feed:
    """A list of images in a file, with their pictures beside it."""

    def __init__(self, folder: pathlib.Path, name: str = "feed"):
        self._folder, self.path = folder / name, str(folder / name / "feed.json")
        self._folder.mkdir()

    def write(self, titles: dict[int, str], noise: int = 2_000) -> None:
        """Writes the feed again with images of these numbers and titles."""
        for number in titles:
            path = self._folder / f"{number}.png"
            if not path.exists():
                path.write_bytes(picture(number, noise))
        items = [{"id": f"entry {number}", "title": title, "date_published": f"2026-{number % 12 + 1:02}-01T00:00:00Z",
                  "image": f"{number}.png"} for number, title in titles.items()]
        pathlib.Path(self.path).write_text(json.dumps(
            {"version": "https://jsonfeed.org/version/1.1", "title": self._folder.name, "items": items}))


class Gallery:
    """A library, and the programs that work on it."""

    def __init__(self, address: str, home: pathlib.Path, **variables: str):
        home.mkdir(exist_ok=True)
        self.address, self.home = address, home
        self.variables = {
            "PATH": os.environ["PATH"], "HOME": str(home), "XDG_DATA_HOME": str(home / "data"),
            "GALLERY_CONFIG": "/dev/null", "GALLERY_CACHE": address, "TZ": "UTC", "LC_ALL": "C.UTF-8", **variables,
        }
        self.server: subprocess.Popen | None = None
        self.port, self.token = 0, ""

    def start(self, *arguments: str, program: str = "", **options) -> subprocess.Popen:
        command = [program or programs.path("gallery"), *arguments]
        return subprocess.Popen(command, env=self.variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def run(self, *arguments: str, status: int | None = 0, **options) -> str:
        """Runs a command, and returns all that it prints."""
        process = self.start(*arguments, **options)
        try:
            output, errors = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f"gallery {' '.join(arguments)} has not ended: {process.communicate()}") from None
        self.status = process.returncode
        if status is not None and process.returncode != status:
            raise Wrong(f"gallery {' '.join(arguments)}: status {process.returncode}\n{output}{errors}")
        return output + errors

    def records(self, *arguments: str, **options) -> list[dict]:
        text = self.run(*arguments, "--json", **options)
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def images(self) -> dict[int, tuple]:
        """The title, the date and the thumbnail's hash of each image, by its id."""
        return {image["id"]: (image["title"], image["published"], image["thumbnail"].get("sha256"))
                for image in self.records("list", "--limit", "100000")}

    def pins(self) -> set[int]:
        return {image["id"] for image in self.records("list", "--pinned", "--limit", "100000")}

    def serve(self, *arguments: str) -> None:
        listen = [] if "--listen" in arguments else ["--listen", "127.0.0.1:0"]
        self.server = self.start("serve", "--sync", "off", *listen, *arguments)
        line = self.server.stdout.readline()
        check("/?token=" in line, f"the server does not start: {line}{'' if line else self.server.stderr.read()}")
        address, self.token = line.strip().split("/?token=")
        self.port = int(address.rpartition(":")[2])

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.server:
            self.server.send_signal(number)
            self.server.communicate(timeout=60)
            self.server = None

    def ask(self, path: str, method: str = "GET", token: str | None = None, port: int = 0, **fields: str):
        """The status, the fields and the body of an answer of the server."""
        return ask(port or self.port, path, method, self.token if token is None else token, **fields)

    @property
    def mirror_address(self) -> str:
        return f"http://any:{self.token}@127.0.0.1:{self.port}/"


def ask(port: int, path: str, method: str = "GET", token: str = "", data: bytes | None = None, **fields: str):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=data, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    for name, value in fields.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.build_opener(Unfollowed).open(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


class Unfollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


@contextlib.contextmanager
def clock(offset: str):
    """The variables with which a program's clock is wrong by an offset."""
    need("faketime")
    found = Clock(offset)
    try:
        yield found.variables
    finally:
        found.stop()


class Site:
    """Serves a folder, and records the path and the status of each answer."""

    def __init__(self, folder: pathlib.Path):
        self.asked: list[tuple[str, int]] = []
        # The status and the fields of answers without a body, by their paths.
        self.refusals: dict[str, tuple[int, dict[str, str]]] = {}
        site = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def __init__(self, *arguments):
                super().__init__(*arguments, directory=str(folder))

            def do_GET(self):
                if self.path not in site.refusals:
                    return super().do_GET()
                status, fields = site.refusals[self.path]
                self.send_response(status)
                for name, value in (fields | {"Content-Length": "0"}).items():
                    self.send_header(name, value)
                self.end_headers()

            def log_request(self, code="-", size="-"):
                site.asked.append((self.path, int(code)))

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def count(self, path: str) -> int:
        return sum(asked == path for asked, _ in self.asked)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
