"""Web servers on loopback that answer as a part wants, and a feed of photographs."""
import http.server
import json
import socketserver
import threading
from collections.abc import Callable

from Kills.pictures import picture


class Request(http.server.BaseHTTPRequestHandler):
    """A request to a site, and the ways to answer it."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle_any(self):
        self.server.site.requests.append((self.command, self.path))
        try:
            self.server.site.answer(self)
        except OSError:
            # The program has closed the connection.
            self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

    @property
    def site(self) -> "Site":
        return self.server.site

    @property
    def words(self) -> list[str]:
        """The components of the path, without the query."""
        return self.path.partition("?")[0].strip("/").split("/")

    def send(self, body: bytes | str = b"", status: int = 200, kind: str = "application/octet-stream", **fields: str):
        """Answers; an underscore in the name of a field stands for a hyphen."""
        data = body.encode() if isinstance(body, str) else body
        self.send_response_only(status)
        named = {"Content_Type": kind, "Content_Length": str(len(data))} | fields
        for name, value in named.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_):
        pass


Answering = Callable[[Request], None]


class Site:
    """A web server. It lists its requests."""

    def __init__(self, answer: Answering, host: str = "127.0.0.1"):
        self.answer = answer
        self.requests: list[tuple[str, str]] = []
        self._server = _Server((host, 0), Request)
        self._server.site = self
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        host, port = self._server.server_address[:2]
        return f"http://{host}:{port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()


class _Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    site: Site

    def handle_error(self, *_):
        """Ignores errors, because hostile programs close their connections."""


def photographs(request: Request):
    """Answers `/feed/NAME/COUNT` with a feed of images, whose texts contain the name, and their pictures."""
    if request.words[0] == "feed":
        name, count = request.words[1], int(request.words[2])
        return request.send(feed(name, count, request.site.address), kind="application/json")
    if request.words[0] in ("thumbnail", "original"):
        padding = 60_000 if request.words[0] == "original" else 0
        return request.send(picture(request.path, padding=padding), kind="image/png")
    request.send("no", 404)


def feed(name: str, count: int, address: str) -> str:
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": f"Feed {name}", "items": [{
        "id": f"{name}-{number}", "title": f"{name} picture {number}", "summary": f"words of {name} number{number}",
        "date_published": f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}T08:00:00Z",
        "image": f"{address}/original/{name}-{number}.png",
        "thumbnail": f"{address}/thumbnail/{name}-{number}.png",
    } for number in range(count)]})
