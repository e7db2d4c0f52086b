"""Web servers on loopback that answer as a part wants, and a feed of photographs."""
import email.utils
import http.server
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
        return request.send(feed(name, count, request.site.address), kind="application/rss+xml")
    if request.words[0] in ("thumbnail", "original"):
        padding = 60_000 if request.words[0] == "original" else 0
        return request.send(picture(request.path, padding=padding), kind="image/png")
    request.send("no", 404)


def feed(name: str, count: int, address: str) -> str:
    """A feed in RSS with thumbnails, so that a sync without `--originals` asks for no original."""
    items = "".join(
        f"<item><guid>{name}-{number}</guid><title>{name} picture {number}</title>"
        f"<description>words of {name} number{number}</description>"
        f"<pubDate>{email.utils.formatdate(1_790_000_000 - number * 200_000, usegmt=True)}</pubDate>"
        f'<media:content url="{address}/original/{name}-{number}.png" medium="image"/>'
        f'<media:thumbnail url="{address}/thumbnail/{name}-{number}.png"/></item>'
        for number in range(count)
    )
    return ('<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>'
            f"<title>Feed {name}</title>{items}</channel></rss>")
