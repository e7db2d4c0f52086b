"""The web site that is synced: feeds and pictures on loopback. It counts requests and bytes."""
import http.server
import socketserver
import threading
import time
import urllib.parse
import zlib

from . import feeds
from .pictures import picture

# The bytes in each piece of a response, and the seconds before the next one. These pauses make runs long
# enough to disturb them at different moments.
DOCUMENT_PIECE, DOCUMENT_PAUSE = 8_000, 0.004
PICTURE_PIECE, PICTURE_PAUSE = 100_000, 0.002
ANSWER_PAUSE = 0.003


class Site:
    """The content of the site, and counts of its requests and bytes.

    `version` is 1 or 2. In version 2, every other picture whose name begins with "live" has
    changed under its address, and every other one whose name begins with "gone" was deleted: a sign
    is in its place. moved.json has moved to new.json permanently.
    """

    def __init__(self):
        self.version = 1
        self.requests = 0
        self.sent = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.site = self
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def count(self, requests: int = 0, sent: int = 0):
        with self._lock:
            self.requests += requests
            self.sent += sent

    def body(self, path: str, version: int) -> bytes:
        """The body of the response for a path with its query."""
        parts = urllib.parse.urlsplit(path)
        folder, _, rest = parts.path.removeprefix("/").partition("/")
        if folder == "feeds":
            page = urllib.parse.parse_qs(parts.query).get("page", ["0"])[0]
            return feeds.document(rest, version, int(page))
        kind, _, name = rest.partition("/")
        if version == 2 and is_deleted(name):
            return SIGN
        if is_changed(name) and version == 2:
            name = "changed " + name
        if kind.isdigit():
            return picture(name, padding=int(kind) << 20)
        if kind == "tiny":
            return picture(f"tiny {name}", side=32)
        if kind == "wide":
            return picture(f"wide {name}", side=300)
        if kind == "noise":
            return picture(f"noise {name}", side=400)
        padding = 4_000 if folder == "thumbnails" else 100_000
        return picture(f"{folder} {kind} {name}", padding=padding)


# The picture that the site sends in place of a deleted one.
SIGN = picture("sign", side=10)


def is_deleted(name: str) -> bool:
    """Whether a picture is deleted in version 2."""
    number = "".join(filter(str.isdigit, name))
    return name.startswith("gone") and int(number) % 2 == 0


def is_changed(name: str) -> bool:
    """Whether a picture is different in version 2."""
    number = "".join(filter(str.isdigit, name))
    return name.startswith("live") and int(number) % 2 == 0


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers conditional requests, and range requests for the rest of a body."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        site = self.server.site
        site.count(requests=1)
        time.sleep(ANSWER_PAUSE)
        if self.path == "/feeds/moved.json" and site.version == 2:
            return self._send(301, {"Location": "/feeds/new.json", "Content-Length": "0"}, b"")
        body = site.body(self.path, site.version)
        tag = f'"{zlib.crc32(body):x}"'
        # A "live" or "gone" picture is stale at every sync, like a webcam's.
        age = 0 if "/live" in self.path or "/gone" in self.path else 3_600
        fields = {"ETag": tag, "Cache-Control": f"max-age={age}"}
        if self.headers.get("If-None-Match") == tag:
            return self._send(304, fields, b"")
        first, status = 0, 200
        if "Range" in self.headers and self.headers.get("If-Range") == tag:
            first, status = int(self.headers["Range"][len("bytes="):-1]), 206
            fields["Content-Range"] = f"bytes {first}-{len(body) - 1}/{len(body)}"
        fields["Content-Length"] = str(len(body) - first)
        self._send(status, fields, body[first:])

    def _send(self, status: int, fields: dict[str, str], body: bytes):
        piece, pause = PICTURE_PIECE, PICTURE_PAUSE
        if self.path.startswith("/feeds/"):
            piece, pause = DOCUMENT_PIECE, DOCUMENT_PAUSE
        try:
            self.send_response_only(status)
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            for start in range(0, len(body), piece):
                self.wfile.write(body[start:start + piece])
                self.server.site.count(sent=len(body[start:start + piece]))
                time.sleep(pause)
        except OSError:
            # The client has been killed.
            self.close_connection = True

    def log_message(self, *_):
        pass


class _Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128
    site: Site

    def handle_error(self, *_):
        """Ignores errors, because a killed program closes its connections."""
