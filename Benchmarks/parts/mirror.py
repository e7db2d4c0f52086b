"""What follows a library: a first mirror beside rsync, a mirror with little new, changes and events."""

import contextlib
import http.client
import json
import resource
import selectors
import socket
import sqlite3
import subprocess
import time
import urllib.parse

from harness import data, runs, servers
from harness.rows import Row
from parts.round_trip import ROUND_TRIP
from parts.serve import served

# The most bytes of a response without news, including its header.
SMALLEST = 300
PAGE = 1_000
# The slow reader: its bytes per second, and the seconds for which it reads.
SLOW_RATE, SLOW_SECONDS = 8 << 10, 60
STREAMS_PER_TOKEN = 1_000


def rows(bench):
    with bench.folder() as work, bench.folder() as library:
        yield from first_mirror(bench, work, library)
    with bench.folder() as work:
        yield from large_library(bench, work)


def mirror(bench, cache, port, token, *arguments):
    """One sync of a gallery."""
    return bench.sync(cache, f"http://any:{token}@127.0.0.1:{port}/", "--no-limits", *arguments)


# Beside rsync


def first_mirror(bench, work, library):
    count = bench.size(10_000, 400)
    data.write_thumbnails(work / "thumbnails", count)
    data.write_media_rss(work / "feed.xml", count)
    with servers.site(work) as site:
        bench.sync(library, site.plain + "feed.xml")
    with served(bench, library) as server:
        if runs.on_path("rsync"):
            yield from beside_rsync(bench, work, library, server, count)
        yield nothing_new(bench, server)


def beside_rsync(bench, work, library, server, count):
    with rsync_daemon(work, library) as rsync:
        sides = Sides(bench, count, server.token)
        ours, theirs = sides.alternate(server.port, rsync)
        yield row(f"first mirror: {count} images with thumbnails", ours, theirs)
        with (
            servers.delayed(server.port, ROUND_TRIP) as own,
            servers.delayed(rsync, ROUND_TRIP) as other,
        ):
            ours, theirs = sides.alternate(own, other)
            yield row(f"first mirror: {count} images with thumbnails, 50 ms away", ours, theirs)


def nothing_new(bench, server):
    with servers.proxy(server.port) as proxy, bench.folder(is_kept=True) as cache:
        mirror(bench, cache, proxy.port, server.token)
        before = proxy.bytes
        mirror(bench, cache, proxy.port, server.token)
        taken = proxy.bytes - before
    return Row(
        "mirror with nothing new: bytes of answer", "300 bytes", taken / SMALLEST, 1.0,
        f"{taken} bytes", "",
    )


def row(case, ours, theirs):
    return Row(
        case, "rsync -a && sync", runs.ratio(ours, theirs), 1.0,
        f"{runs.seconds(ours):.2f} s", f"{runs.seconds(theirs):.2f} s",
    )


class Sides:
    """A mirror, and a copy of the same library's folder."""

    def __init__(self, bench, count, token):
        self.bench, self.count, self.token = bench, count, token

    def alternate(self, gallery_port, rsync_port):
        return runs.alternate(
            self.bench.runs, lambda: self.mirror(gallery_port), lambda: self.copy(rsync_port)
        )

    def mirror(self, port):
        with self.bench.folder(is_kept=True) as cache:
            run = mirror(self.bench, cache, port, self.token)
            with contextlib.closing(sqlite3.connect(cache / "gallery.sqlite")) as database:
                counted = "SELECT count(*) FROM image WHERE thumbnail_sha256 IS NOT NULL"
                found = database.execute(counted).fetchone()[0]
            self.bench.check("images with thumbnails", found, self.count)
            return run

    def copy(self, port):
        with self.bench.folder(is_kept=True) as target:
            address = f"rsync://127.0.0.1:{port}/library/"
            command = f'rsync -a "{address}" "{target}" && sync -f "{target}"'
            return runs.Run(["sh", "-c", command])


@contextlib.contextmanager
def rsync_daemon(work, library):
    port = servers.free_port()
    configuration = work / "rsyncd.conf"
    configuration.write_text(f"use chroot = no\nuid = 0\ngid = 0\n[library]\npath = {library}\n")
    process = subprocess.Popen([
        "rsync", "--daemon", "--no-detach", "--address", "127.0.0.1", "--port", str(port),
        "--config", configuration, "--log-file", work / "rsync.log",
    ])
    try:
        servers.wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


# A million images


def large_library(bench, work):
    count, few = bench.size(1_000_000, 20_000), 1_000
    lists = {size: work / f"list-{size}.json" for size in (count, few)}
    for size, path in lists.items():
        data.write_list(path, size, f"List of {size}")
    for number in range(bench.runs + 2):
        data.write_media_rss(work / f"new-{number}.xml", 100, f"New {number}")
    with servers.site(work) as site, contextlib.ExitStack() as stack:
        pairs = {
            size: Pair(bench, stack, site, path) for size, path in lists.items()
        }
        yield from changes(bench, pairs[count], count)
        for pair in pairs.values():
            pair.mirror()
        yield from little_new(bench, pairs[count], pairs[few], count)
        yield after_absence(pairs[count], lists[count], count)
        yield from events(bench, pairs[few])


class Pair:
    """A library that is served, and a mirror of it."""

    def __init__(self, bench, stack, site, path):
        self.bench, self.site = bench, site
        self.library = stack.enter_context(bench.folder())
        self.cache = stack.enter_context(bench.folder())
        self.sync(path.name)
        self.server = stack.enter_context(served(bench, self.library))
        self.proxy = stack.enter_context(servers.proxy(self.server.port))
        self.news = 0
        self.first = 0

    def sync(self, name):
        self.bench.sync(self.library, self.site.plain + name, "--metadata-only", "--no-limits")

    def mirror(self):
        """Brings the mirror up to date; returns the run with its number of response bytes."""
        before = self.proxy.bytes
        run = mirror(self.bench, self.cache, self.proxy.port, self.server.token)
        run.bytes = self.proxy.bytes - before
        self.first = self.first or run.bytes
        return run

    def mirror_news(self):
        """Adds a hundred images to the library, and then to the mirror."""
        self.sync(f"new-{self.news}.xml")
        self.news += 1
        return self.mirror()


def little_new(bench, many, few, count):
    ours, theirs = runs.alternate(bench.runs, many.mirror_news, few.mirror_news)
    of = f"mirror of 100 new images in {count}"
    yield Row(
        of, "the same in 1000", runs.ratio(ours, theirs), 1.2,
        f"{runs.seconds(ours):.3f} s", f"{runs.seconds(theirs):.3f} s",
    )
    own, other = ours[-1].bytes, theirs[-1].bytes
    yield Row(
        f"{of}: bytes", "the same in 1000", own / other, 1.2, f"{own} bytes", f"{other} bytes"
    )


def after_absence(pair, path, count):
    """Changes the titles of the newest hundredth, and makes the mirror's cursor invalid."""
    changed = path.with_suffix(".new")
    # Line by line, because the memory of this program would count as gallery's (getrusage(2)).
    with path.open() as old, changed.open("w") as new:
        for number, line in enumerate(old):
            if 1 <= number <= count // 100:
                line = line.replace('"title": "', '"title": "New ')
            new.write(line)
    changed.replace(path)
    pair.sync(path.name)
    with contextlib.closing(sqlite3.connect(pair.cache / "gallery.sqlite")) as database:
        # The gallery does not know this cursor's epoch, so it answers 410.
        database.execute("UPDATE mirror SET cursor = '1.00.1.0.0.7'")
        database.commit()
    run = pair.mirror()
    with contextlib.closing(sqlite3.connect(pair.cache / "gallery.sqlite")) as database:
        counted = "SELECT count(*) FROM image WHERE title LIKE 'New %'"
        found = database.execute(counted).fetchone()[0]
    pair.bench.check("changed titles", found, count // 100)
    return Row(
        f"back after 410, the newest hundredth of {count} changed: bytes", "a first mirror",
        run.bytes / runs.peer_value(pair.first), 0.05, f"{run.bytes / 1e6:.1f} MB", f"{pair.first / 1e6:.1f} MB",
    )


def changes(bench, pair, count):
    idle = pair.server.memory
    began = time.perf_counter()
    found, highest = read_changes(pair.server)
    seconds = time.perf_counter() - began
    bench.check("changes of images", found, count)
    yield Row(f"/changes of {count} images", "10 s", seconds / 10, 1.0, f"{seconds:.1f} s", "")
    highest = max(highest, read_slowly(bench, pair.server), idle)
    yield Row(
        "memory of the server, also for a reader of 8 KB/s", "64 MB", highest / 64e6, 1.0,
        f"{highest / 1e6:.0f} MB", f"{idle / 1e6:.0f} MB idle",
    )


def read_changes(server):
    """The number of changes, and the most memory that the server had while they were read."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    found, highest, cursor, more = 0, 0, None, True
    while more:
        since = f"&since={urllib.parse.quote(cursor)}" if cursor else ""
        _, body = server.ask(f"/api/v1/changes?limit={PAGE}{since}", connection)
        found += body.count(b'"type":"image"')
        end = json.loads(body[body.rindex(b"\n", 0, -1) + 1:])
        cursor, more = end["cursor"], end["more"]
        highest = max(highest, server.memory)
    return found, highest


def read_slowly(bench, server):
    """The most memory that the server has while a client reads all changes slowly."""
    highest = 0
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 10)
        client.connect(("127.0.0.1", server.port))
        client.sendall(request(f"/api/v1/changes?limit={PAGE}", server.token))
        for _ in range(bench.size(SLOW_SECONDS, 2)):
            client.recv(SLOW_RATE)
            highest = max(highest, server.memory)
            time.sleep(1)
    return highest


def request(path, token):
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", "", ""]
    return "\r\n".join(lines).encode()


# Events


def events(bench, pair):
    count = bench.size(10_000, 500)
    tokens = [
        bench.output("token", "add", f"reader-{number}", "--cache", pair.library)
        for number in range(-(-count // STREAMS_PER_TOKEN))
    ]
    with Streams(pair.server.port, tokens, count) as streams:
        memory = pair.server.memory
        yield Row(
            f"memory of the server with {count} idle event streams", "200 MB", memory / 200e6, 1.0,
            f"{memory / 1e6:.0f} MB", "",
        )
        pair.sync(f"new-{pair.news}.xml")
        seconds = streams.hear(2)
        yield Row(
            f"a change until all {count} streams have it", "2 s", seconds / 2, 1.0,
            f"{seconds:.2f} s", "",
        )


class Streams:
    """Clients that each follow a stream of events, and have received its first event."""

    def __init__(self, port, tokens, count):
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        self.selector = selectors.DefaultSelector()
        # The number of events that each client has received.
        self.heard = {}
        for number in range(count):
            client = socket.create_connection(("127.0.0.1", port))
            client.sendall(request("/api/v1/events", tokens[number % len(tokens)]))
            self.selector.register(client, selectors.EVENT_READ)
            self.heard[client] = 0
            # No more at once than the server's queue of connections has room for.
            if number % 100 == 99:
                self.hear(1)

    def hear(self, events):
        """Waits until all clients have received so many events; returns the seconds."""
        began = time.perf_counter()
        late = {client for client, heard in self.heard.items() if heard < events}
        while late:
            for key, _ in self.selector.select():
                client = key.fileobj
                piece = client.recv(1 << 16)
                if not piece:
                    raise SystemExit("the server has ended a stream of events")
                self.heard[client] += piece.count(b"\ndata:")
                if self.heard[client] >= events:
                    late.discard(client)
        return time.perf_counter() - began

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.heard:
            client.close()
