"""Two feeds and their pictures, served on loopback."""
import http.server
import json
import socketserver
import zlib

from Kills.pictures import picture

FEEDS = ("/list.json", "/rss.xml")
IMAGES_PER_FEED = 6


class Site(http.server.BaseHTTPRequestHandler):
    """Serves the feeds and any picture, with entity tags and ranges."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path
        if path.startswith("/thumbnail"):
            return self.answer(picture(path, padding=4_000), "image/png")
        if path.startswith("/original"):
            return self.answer(picture(path, padding=150_000), "image/png")
        feed = rss() if path == "/rss.xml" else json.dumps(entries())
        self.answer(feed.encode(), "application/octet-stream")

    def answer(self, body: bytes, kind: str):
        tag = f'"{zlib.crc32(body):x}"'
        first, status = 0, 200
        if self.headers.get("If-None-Match") == tag:
            body, status = b"", 304
        elif self.headers.get("If-Range") == tag:
            first, status = int(self.headers["Range"][len("bytes="):-1]), 206
        self.send_response_only(status)
        fields = {"Content-Type": kind, "ETag": tag, "Cache-Control": "max-age=3600"}
        if status == 206:
            fields["Content-Range"] = f"bytes {first}-{len(body) - 1}/{len(body)}"
        if status != 304:
            fields["Content-Length"] = str(len(body) - first)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body[first:])
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


def rss() -> str:
    items = "".join(
        f'<item><guid>r{n}</guid><title>R {n}</title><media:content url="/original/r{n}.png" '
        f'type="image/png"/><media:thumbnail url="/thumbnail/r{n}.png"/></item>'
        for n in range(IMAGES_PER_FEED)
    )
    return ('<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>'
            f"<title>R</title>{items}</channel></rss>")


def entries() -> list[dict]:
    return [
        {"id": n, "title": f"l {n}", "thumbnail": f"/thumbnail/l{n}.png",
         "image": f"/original/l{n}.png"}
        for n in range(IMAGES_PER_FEED)
    ]


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Serves the site to many clients at once, and ignores clients that close their connections."""
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass
