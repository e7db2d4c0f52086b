"""Feeds of many hosts, which are addresses of loopback, with a record of all requests."""
import http.server
import os
import pathlib
import random
import socket
import struct
import threading
import time
import zlib

IMAGES = 4
# Bytes of noise in each picture: originals are small, and thumbnails large enough to fill a pack.
NOISE = {"original": 3_000, "thumbnail": 40_000}
# Seconds that each response takes, so that requests of two nodes to one host overlap.
LATENCY = 0.01


def picture(feed: int, image: int, kind: str) -> bytes:
    """A small PNG image of one colour, which differs from all others."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixels = b"".join(b"\0" + bytes([feed * 7 % 256, image * 31 % 256, feed // 256]) * 24 for _ in range(16))
    noise = random.Random(feed * 1_000 + image).randbytes(NOISE[kind])
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 24, 16, 8, 2, 0, 0, 0))
            + chunk(b"noIz", noise) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


class Web:
    """`feeds` feeds on `hosts` hosts, each with its own pictures. Each round adds an image to every second feed."""

    def __init__(self, feeds: int, hosts: int):
        self.feeds, self.hosts, self.round = feeds, hosts, 0
        self.nodes: dict[int, str] = {}
        self._lock = threading.Lock()
        # For each request: the host, the node, the start, the end, and the path.
        self.asked: list[tuple[str, str, float, float, str]] = []
        self.pauses: dict[str, float] = {}
        # For each request that was told to wait: the host, the node, the time, and the end of the pause.
        self.told: list[tuple[str, str, float, float]] = []
        web = self

        class Handler(_Handler):
            def do_GET(self):
                web._answer(self)

        self._servers = []
        self.port = 0
        for number in range(hosts):
            server = _Server((self.host(number), self.port), Handler)
            self.port = server.server_port
            self._servers.append(server)
            threading.Thread(target=server.serve_forever, daemon=True).start()
        self.list = f"http://{self.host(0)}:{self.port}/feeds.opml"

    @staticmethod
    def host(number: int) -> str:
        return f"127.0.{1 + number // 250}.{1 + number % 250}"

    def address(self, feed: int) -> str:
        return f"http://{self.host(feed % self.hosts)}:{self.port}/feed/{feed}.rss"

    def images(self, feed: int) -> int:
        return IMAGES + (self.round + feed % 2) // 2

    def pause(self, host: str, seconds: float) -> None:
        self.pauses[host] = time.monotonic() + seconds

    def _answer(self, request: "_Handler") -> None:
        host, begun, node = request.server.server_address[0], time.monotonic(), self._node(request)
        time.sleep(LATENCY)
        pause, now = self.pauses.get(host, 0), time.monotonic()
        # Record the request before the response: once a node has it, another one may send a request.
        with self._lock:
            self.asked.append((host, node, begun, now, request.path))
            if now < pause:
                self.told.append((host, node, now, pause))
        path = pathlib.PurePosixPath(request.path)
        if now < pause:
            request.reply(503, b"", "text/plain", {"Retry-After": str(int(pause - now) + 1)})
        elif path.name == "feeds.opml":
            outlines = "".join(f'<outline type="rss" xmlUrl="{self.address(feed)}"/>' for feed in range(self.feeds))
            request.reply(200, f"<opml version='2.0'><body>{outlines}</body></opml>".encode(), "text/x-opml")
        elif path.parent.name == "feed":
            request.reply_document(self._document(int(path.stem)))
        else:
            feed, image = map(int, path.stem.split("-"))
            request.reply(200, picture(feed, image, path.parent.name), "image/png", {"Cache-Control": "max-age=86400"})

    def _document(self, feed: int) -> bytes:
        items = "".join(
            f"<item><guid isPermaLink='false'>{feed}-{image}</guid><title>Image {image} of feed {feed}</title>"
            f"<media:content url='/original/{feed}-{image}.png' width='2400' height='1600'/>"
            f"<media:thumbnail url='/thumbnail/{feed}-{image}.png' width='240' height='160'/>"
            f"<pubDate>{image % 28 + 1:02} Jan 2026 {feed % 24:02}:00:00 GMT</pubDate></item>"
            for image in range(self.images(feed)))
        return (f"<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><title>Feed {feed}</title>"
                f"{items}</channel></rss>").encode()

    def _node(self, request: "_Handler") -> str:
        """The name of the node at the other end of a connection (proc(5)), or "?"."""
        if request.node is None:
            # Compare both ends, because connections to other hosts may have the same port.
            ends = [self._end(request.client_address), self._end(request.server.server_address)]
            with open("/proc/net/tcp") as table:
                rows = [row for row in map(str.split, table) if row[1:3] == ends]
            inodes = {f"socket:[{row[9]}]" for row in rows}
            request.node = next((name for process, name in list(self.nodes.items())
                                 if inodes & open_files(process)), "?")
        return request.node

    @staticmethod
    def _end(address: tuple[str, int]) -> str:
        """An end of a connection as /proc/net/tcp writes it on a little-endian machine."""
        return f"{socket.inet_aton(address[0])[::-1].hex().upper()}:{address[1]:04X}"

    def shared_hosts(self, kills: list[tuple[float, str]]) -> list[str]:
        """Hosts that received overlapping requests of two nodes. The request of a killed node ends with the node."""
        shared = []
        for host in {asked[0] for asked in self.asked}:
            requests = sorted((asked[2:4] + (asked[1], asked[4]) for asked in self.asked if asked[0] == host))
            for (begun, end, one, first), (start, _, other, second) in zip(requests, requests[1:]):
                is_dead = any(name == one and begun - 1 < death < start for death, name in kills)
                if one != other and "?" not in (one, other) and start < end and not is_dead:
                    shared.append(f"{host}, at {start:.1f}: {one} {first} and {other} {second}")
        return shared


    def early(self, kills: list[tuple[float, str]]) -> list[str]:
        """Requests during a pause. It ignores a pause if the node that received it was killed at about that time."""
        early = []
        for host, node, told, until in self.told:
            # If the process of a request could not be found ("?"), it had been killed.
            if node == "?" or any(name == node and told - 0.1 < death < told + 2 for death, name in kills):
                continue
            early += [f"{host}: {other}, {begun - told:.2f} s after {node} was told to wait for {until - told:.1f} s"
                      for asked_host, other, begun, _, _ in self.asked
                      if asked_host == host and told + 1 < begun < until]
        return early


def open_files(process: int) -> set[str]:
    files = set()
    try:
        for name in os.listdir(f"/proc/{process}/fd"):
            files.add(os.readlink(f"/proc/{process}/fd/{name}"))
    except OSError:
        pass
    return files


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64

    def handle_error(self, *_):
        """Ignores errors, because a killed node closes its connections."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The first request of a connection sets this.
    node = None

    def reply(self, status: int, body: bytes, kind: str, fields: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(fields or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def reply_document(self, body: bytes) -> None:
        tag = f'"{zlib.crc32(body):08x}"'
        if self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        self.reply(200, body, "application/rss+xml", {"ETag": tag})

    def log_message(self, *_):
        pass
