"""The web of the simulated year: one server on loopback, which has the date of the simulated day."""
import collections
import email.utils
import hashlib
import http.server
import socketserver
import threading
import time
import urllib.parse

from Kills.pictures import picture

from .habits import SIGN, Entry, Feed, Places


class Site:
    """Serves the feeds of a year. It notes which pictures it has sent, and how many bytes they had."""

    def __init__(self, feeds: list[Feed]):
        self.feeds = {feed.name: feed for feed in feeds}
        self.day = 0
        # The hashes of the pictures of each entry, by its title; signs are none of them.
        self.true: dict[str, set[str]] = collections.defaultdict(set)
        self.sent = 0
        self.distinct: dict[tuple[str, str], int] = {}
        # The titles of the entries whose documents have been sent whole.
        self.published: set[str] = set()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.site = self
        self.places = Places(self._server.server_port)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def now(self) -> float:
        return time.time() + self.day * 86_400

    def stop(self) -> None:
        self._server.shutdown()

    def note(self, path: str, body: bytes, entry: Entry | None) -> None:
        """Notes a picture that was sent for an entry; without an entry, it is a sign."""
        digest = hashlib.sha256(body).hexdigest()
        with self._lock:
            self.sent += len(body)
            self.distinct[path, digest] = len(body)
            if entry:
                self.true[entry.title].add(digest)

    def answer(self, host: str, target: str) -> tuple[int, dict[str, str], bytes]:
        """The status, the fields and the body of the response."""
        parts = urllib.parse.urlsplit(target)
        folder, _, rest = parts.path.removeprefix("/").partition("/")
        if folder in ("feeds", "moved"):
            return self._document(rest.rpartition(".")[0], is_moved=folder == "moved")
        if folder == "removed.png":
            return 200, {"Content-Type": "image/png"}, picture("removed", side=40, padding=700)
        if folder in ("full", "small"):
            return self._picture(host, folder, rest, urllib.parse.parse_qs(parts.query))
        return 404, {}, b""

    def _document(self, name: str, is_moved: bool) -> tuple[int, dict[str, str], bytes]:
        feed = self.feeds.get(name)
        if not feed:
            return 404, {}, b""
        status, fields = feed.status(self.day)
        if status == 301 and is_moved:
            status, fields = 200, {}
        if status != 200:
            return status, fields, b""
        kind, body = feed.document(self.day, self.places)
        with self._lock:
            titles = [entry.title for entry in feed.shown(self.day)]
            self.published.update(title for title in titles if f"{title}<" in body.decode() or
                                  f'{title}"' in body.decode())
        return 200, {"Content-Type": kind, "ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"'}, body

    def _picture(self, host: str, folder: str, rest: str,
                 query: dict[str, list[str]]) -> tuple[int, dict[str, str], bytes]:
        name, _, file = rest.partition("/")
        feed = self.feeds.get(name)
        number, _, version = file.removesuffix(".png").partition("-")
        if not feed or not number.isdigit() or int(number) >= len(feed.entries):
            return 404, {}, b""
        entry = feed.entries[int(number)]
        if "expires" in query and int(query["expires"][0]) < self.day:
            return 403, {}, b""
        if feed.habit.startswith("rehosted") and folder == "full":
            if (host == "pictures") != feed.has_turned(self.day):
                return 404, {}, b""
        if folder == "small":
            body = picture(f"small {entry.title}", side=24, padding=200)
            return 200, {"Content-Type": "image/png", "Cache-Control": "max-age=2592000"}, body
        if entry.deleted is not None and self.day >= entry.deleted:
            match feed.habit:
                case "deleted-by-redirect":
                    return 302, {"Location": "/removed.png"}, b""
                case "deleted-by-sign":
                    return 200, {"Content-Type": "image/png", "Cache-Control": "max-age=0"}, SIGN
                case _:
                    return 404, {}, b""
        body = feed.body(entry, self.day, int(version or 0))
        age = 0 if feed.habit == "webcam" else 86_400
        return 200, {"Content-Type": "image/png", "Cache-Control": f"max-age={age}", "X-Entry": number}, body


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        site = self.server.site
        host = self.headers.get("Host", "").partition(".localhost")[0]
        status, fields, body = site.answer(host, self.path)
        number = fields.pop("X-Entry", None)
        tag = fields.setdefault("ETag", f'"{hashlib.sha256(body).hexdigest()[:16]}"') if status == 200 else ""
        if tag and self.headers.get("If-None-Match") == tag:
            status, body = 304, b""
        elif fields.get("Content-Type") == "image/png":
            path = urllib.parse.urlsplit(self.path).path
            entry = site.feeds[path.split("/")[2]].entries[int(number)] if number else None
            # A picture at another host is another one; shards are hosts of one domain.
            site.note(host.rpartition(".")[2] + path, body, entry)
        self.send_response_only(status)
        for name, value in (fields | {"Content-Length": str(len(body))}).items():
            if status != 304 or name not in ("Content-Length", "Content-Type"):
                self.send_header(name, value)
        self.send_header("Date", email.utils.formatdate(site.now, usegmt=True))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class _Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128
    site: Site

    def handle_error(self, *_):
        """Ignores errors: a client may close its connections."""
