"""What `gallery serve` gives and takes: pictures beside nginx, pages of JSON beside Datasette."""

import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import pathlib
import random
import re
import resource
import sqlite3
import statistics
import subprocess
import time
import urllib.parse

from harness import data, runs, servers
from harness.rows import Row

THUMBNAIL = 12 << 10
ORIGINAL = 200 << 20
# Photographs for the web.
PHOTOS, PHOTO = 100, 400 << 10
# The connections at once, with the tokens that share them: a client may have 128 requests at once.
CLIENTS = [(32, 1), (1_000, 8)]
PAGES = 64
# The most seconds that a response may take while a sync runs.
PATIENCE = 0.05


def rows(bench):
    count = bench.size(5_000, 200)
    with bench.folder() as site_folder, bench.folder() as library:
        write_site(bench, site_folder, count)
        with servers.site(site_folder) as site:
            bench.sync(library, site.plain + "feed.xml")
            bench.sync(library, site.plain + "one.xml", "--originals")
            bench.sync(library, site.plain + "photos/feed.xml", "--originals")
            allow_many_files()
            with served(bench, library) as server:
                if runs.on_path("wrk"):
                    yield from pictures(bench, library, site, server, count)
                yield from originals(bench, site, server)
    with bench.folder() as work, bench.folder() as library:
        yield from large_library(bench, work, library)


def write_site(bench, folder, count):
    """Writes `count` thumbnails of one size, a feed with a large original, and one with photographs."""
    generator = random.Random(data.SEED)
    (folder / "thumbnails").mkdir()
    (folder / "originals").mkdir()
    for number in range(1, count + 1):
        data.write_jpeg(folder / f"thumbnails/{number}.jpg", THUMBNAIL, generator)
    data.write_jpeg(folder / "originals/1.jpg", bench.size(ORIGINAL, ORIGINAL // 20), generator)
    data.write_media_rss(folder / "feed.xml", count)
    data.write_media_rss(folder / "one.xml", 1, "One")
    for kind, size in [("originals", PHOTO), ("thumbnails", THUMBNAIL)]:
        (folder / "photos" / kind).mkdir(parents=True)
        for number in range(1, PHOTOS + 1):
            data.write_jpeg(folder / f"photos/{kind}/{number}.jpg", size, generator)
    data.write_media_rss(folder / "photos/feed.xml", PHOTOS, "Photos")


def allow_many_files():
    """Lets this program and those that it starts open as many files as the system allows: connections are files."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


# The server


class Server:
    """A gallery that is served, from the view of a client."""

    def __init__(self, process, port, token):
        self.process, self.port, self.token = process, port, token

    def ask(self, path, connection=None):
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
        answer = own.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {body[:200]}")
        return answer, body

    def json(self, path):
        return json.loads(self.ask(path)[1])

    @property
    def memory(self):
        """Resident memory, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", status)[1]) * 1024


@contextlib.contextmanager
def served(bench, library):
    command = [bench.gallery, "serve", "--cache", library, "--listen", "127.0.0.1:0", "--sync", "off"]
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    try:
        yield started(process)
    finally:
        process.terminate()
        process.wait()


def started(process):
    """The server, when it has printed its address."""
    address = urllib.parse.urlsplit(process.stdout.readline().strip())
    token = urllib.parse.parse_qs(address.query)["token"][0]
    return Server(process, address.port, token)


class Load:
    """The results of wrk(1): requests per second, and the slowest of a hundred, in seconds.

    It has two threads, or as many as tokens; the connections of a thread have the same token.
    """

    def __init__(self, bench, port, paths, clients, *tokens, threads=0):
        with bench.folder() as folder:
            (folder / "paths").write_text("\n".join(paths))
            (folder / "tokens").write_text("\n".join(tokens))
            (folder / "load.lua").write_text(f"""
                local threads = 0
                function setup(thread)
                  thread:set("own", threads)
                  threads = threads + 1
                end
                local paths, tokens, next = {{}}, {{}}, 0
                for path in io.lines("{folder}/paths") do paths[#paths + 1] = path end
                for token in io.lines("{folder}/tokens") do tokens[#tokens + 1] = token end
                function init()
                  if #tokens > 0 then
                    wrk.headers["Authorization"] = "Bearer " .. tokens[own % #tokens + 1]
                  end
                end
                function request()
                  next = next % #paths + 1
                  return wrk.format(nil, paths[next])
                end
                """)
            found = subprocess.run(
                ["wrk", f"-t{max(2, threads, len(tokens))}", f"-c{clients}", f"-d{bench.size(6, 2)}s", "--latency",
                 "--timeout", "30s", "-s", folder / "load.lua", f"http://127.0.0.1:{port}"],
                check=True, capture_output=True, text=True,
            ).stdout
        if "Non-2xx" in found or "Socket errors" in found:
            raise SystemExit(found)
        self.rate = float(re.search(r"Requests/sec:\s*([\d.]+)", found)[1])
        number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", found).groups()
        self.slowest = float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit]
        self.seconds = 1 / self.rate


# Pictures


def pictures(bench, library, site, server, count):
    """Thumbnails and originals by their hashes, with few and with many connections."""
    many = [bench.output("token", "add", f"client-{number}", "--cache", library) for number in range(CLIENTS[-1][1])]
    for kind, folder, number, least in [
        ("t", "thumbnails", count, 0.75), ("o", "photos/originals", PHOTOS, 0.9),
    ]:
        names = [f"{folder}/{number}.jpg" for number in range(1, number + 1)]
        contents = [(pathlib.Path(site.folder) / name).read_bytes() for name in names]
        stored = [f"/{kind}/{hashlib.sha256(content).hexdigest()}" for content in contents]
        ask_for_all(bench, server, stored, contents)
        for clients, count_of_tokens in CLIENTS:
            tokens = [server.token] if count_of_tokens == 1 else many
            ours, theirs = runs.alternate(
                bench.runs,
                lambda: Load(bench, server.port, stored, clients, *tokens),
                lambda: Load(bench, site.plain_port, [f"/{name}" for name in names], clients, threads=len(tokens)),
            )
            what = f"a thumbnail of {THUMBNAIL >> 10} KB" if kind == "t" else f"an original of {PHOTO >> 10} KB"
            yield Row(
                f"{what} by its hash, {number} different ones, {clients} connections", "nginx",
                runs.ratio(ours, theirs), 1 / least, rate(ours), rate(theirs),
            )


def ask_for_all(bench, server, paths, contents):
    """Asks for pictures until the server keeps all of them. After a change, such as new colours, it keeps none."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
        for _ in range(20):
            for path, content in zip(paths, contents):
                bench.check(path, server.ask(path, connection)[1] == content, True)
            metrics = server.ask("/metrics", connection)[1].decode()
            if int(re.search(r"^gallery_kept_pictures (\d+)$", metrics, re.MULTILINE)[1]) >= len(paths):
                return
            time.sleep(1)


def rate(loads):
    return f"{statistics.median(load.rate for load in loads):.0f}/s"


def originals(bench, site, server):
    image = server.json("/api/v1/images?limit=1&feed=2")["images"][0]["id"]
    address = server_address(server, f"/images/{image}/original")
    idle = server.memory
    for clients in (1, 8):
        ours, theirs = runs.alternate(
            bench.runs,
            lambda: Download(address, clients, server.token),
            lambda: Download(site.plain + "originals/1.jpg", clients),
        )
        yield Row(
            f"an original of 200 MB, {clients} at once", "nginx", runs.ratio(ours, theirs), 1 / 0.9,
            f"{runs.seconds(ours):.3f} s", f"{runs.seconds(theirs):.3f} s",
        )
    grown = max(server.memory - idle, 0)
    yield Row(
        "memory that the server takes for it", "16 MB", grown / 16e6, 1.0, f"{grown / 1e6:.0f} MB", "",
    )


def server_address(server, path):
    """The target of a redirect."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", path, headers={"Authorization": f"Bearer {server.token}"})
    return f"http://127.0.0.1:{server.port}{connection.getresponse().headers['Location']}"


class Download:
    """A file that some clients fetch at once, and discard."""

    def __init__(self, address, clients, token=None):
        command = ["curl", "-sf", "-o", "/dev/null", address]
        if token:
            command += ["-H", f"Authorization: Bearer {token}"]
        began = time.perf_counter()
        processes = [subprocess.Popen(command) for _ in range(clients)]
        for process in processes:
            if process.wait() != 0:
                raise SystemExit(f"exit {process.returncode} from: {' '.join(command[:5])}")
        self.seconds = time.perf_counter() - began


# A million images


def large_library(bench, work, library):
    count = bench.size(1_000_000, 20_000)
    data.write_list(work / "large.json", count, "Large")
    new = bench.size(5_000, 200)
    write_site(bench, work, new)
    with servers.site(work) as site:
        bench.sync(library, site.plain + "large.json", "--metadata-only", "--no-limits")
        with served(bench, library) as server:
            server.ask("/api/v1/images?limit=1")
            time.sleep(1)
            idle = server.memory
            yield Row("memory, idle", "60 MB", idle / 60e6, 1.0, f"{idle / 1e6:.0f} MB", "")
            if runs.on_path("wrk") and bench.python:
                yield from beside_datasette(bench, work, library, server, count)
            yield from during_sync(bench, site, library, server, count)


def beside_datasette(bench, work, library, server, count):
    database = work / "images.db"
    copy_rows(library / "gallery.sqlite", database)
    with datasette(bench, database) as port:
        ours = gallery_pages(server)
        theirs = datasette_pages(port)
        own, other = runs.alternate(
            bench.runs,
            lambda: Load(bench, server.port, ours, 16, server.token),
            lambda: Load(bench, port, theirs, 16),
        )
        of = f"a page of 100 of {count} images as JSON, 16 clients"
        yield Row(of, "Datasette", runs.ratio(own, other), 1 / 8, rate(own), rate(other))
        slow = [statistics.median(load.slowest for load in loads) for loads in (own, other)]
        yield Row(
            f"{of}, the slowest of a hundred", "Datasette", slow[0] / slow[1], 0.25,
            f"{slow[0] * 1000:.0f} ms", f"{slow[1] * 1000:.0f} ms",
        )
        Load(bench, server.port, ours, 64, server.token)
        busy = server.memory
        yield Row("memory, after 64 clients", "120 MB", busy / 120e6, 1.0, f"{busy / 1e6:.0f} MB", "")


def copy_rows(source, target):
    """Copies only the rows of the images, with the index that the order of the pages needs."""
    with contextlib.closing(sqlite3.connect(target)) as database:
        database.execute("ATTACH ? AS library", [str(source)])
        database.executescript(f"""
            CREATE TABLE images(id INTEGER PRIMARY KEY, title TEXT, caption TEXT, author TEXT,
              published INTEGER, date INTEGER, feed INTEGER, thumbnail TEXT, state INTEGER);
            INSERT INTO images SELECT id, title, caption, author, published_at, date, feed_id,
              thumbnail_address, thumbnail_state FROM library.image;
            CREATE INDEX images_date ON images(date DESC);
            """)


@contextlib.contextmanager
def datasette(bench, database):
    port = servers.free_port()
    process = subprocess.Popen(
        [bench.python.parent / "datasette", "serve", database, "--port", str(port), "--setting",
         "suggest_facets", "off"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        servers.wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def gallery_pages(server):
    """The addresses of the first pages, each found in the one before it (RFC 8288)."""
    paths, path = [], "/api/v1/images?limit=100"
    while len(paths) < PAGES:
        paths.append(path)
        answer, _ = server.ask(path)
        following = urllib.parse.urlsplit(re.search("<([^>]*)>", answer.headers["Link"])[1])
        path = f"{following.path}?{following.query}"
    return paths


def datasette_pages(port):
    paths, path = [], "/images/images.json?_size=100&_sort_desc=date&_nocount=1&_shape=objects"
    while len(paths) < PAGES:
        paths.append(path)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", path)
        following = urllib.parse.urlsplit(json.load(connection.getresponse())["next_url"])
        path = f"{following.path}?{following.query}"
    return paths


def during_sync(bench, site, library, server, count):
    """Jumps and searches while another process adds new images."""
    timeline = server.json("/api/v1/timeline")
    buckets = [
        f"/api/v1/timeline/{bucket['key']}?v={timeline['version']}" for bucket in timeline["buckets"]
    ]
    generator = random.Random(data.SEED)
    words = [" ".join(generator.sample(data.WORDS, 2)) for _ in range(100)]
    searches = [f"/api/v1/images?{urllib.parse.urlencode({'q': pair})}" for pair in words]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        sync = pool.submit(bench.sync, library, site.plain + "feed.xml")
        found = {"jump to a bucket": [], "search of two words": []}
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        while not sync.done():
            for case, paths in zip(found, (buckets, searches)):
                began = time.perf_counter()
                server.ask(generator.choice(paths), connection)
                found[case].append(time.perf_counter() - began)
        sync.result()
    for case, times in found.items():
        slowest = sorted(times)[len(times) * 99 // 100]
        yield Row(
            f"{case}, {count} images, during a sync: slowest of a hundred", "50 ms",
            slowest / PATIENCE, 1.0, f"{slowest * 1000:.0f} ms", f"{len(times)} times",
        )
