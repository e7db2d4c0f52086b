"""Puts a server under load while other processes sync, list, clean, remove and check the same library.

Every picture must have the hash that its address names, and no response may be a server error.
"""

import collections
import contextlib
import hashlib
import http.client
import http.server
import json
import pathlib
import random
import subprocess
import threading
import time

DEMO = pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "demo-feed"
CLIENTS = 8
# The statuses that a client may get for a resource that a sync has just changed or removed.
CHANGED = {"picture": {404}, "bucket": {404, 409}, "image": {404}}

# `remove` fails with this message if another process has begun to sync the same feed.
TAKEN_UP = "a sync has taken the feed up again"


class Site(http.server.BaseHTTPRequestHandler):
    """Two feeds: one gains and loses an image each second, the pictures of the other change every five seconds."""

    protocol_version = "HTTP/1.1"
    pictures = [path.read_bytes() for path in sorted((DEMO / "thumbnails").glob("*.jpg"))]

    def do_GET(self):
        now = int(time.time())
        if self.path == "/rolling.json":
            self.answer(self.feed((number, 0) for number in range(now, now - 100, -1)), "application/json")
        elif self.path == "/changing.json":
            self.answer(self.feed((number, now // 5) for number in range(40)), "application/json")
        else:
            self.answer(self.picture(self.path), "image/jpeg")

    def feed(self, images):
        return json.dumps({"images": [
            {"id": f"i{number}", "title": f"Image {number}", "date": 1_700_000_000 + number,
             "thumbnail": f"/t/{number}/{version}.jpg", "original": f"/o/{number}/{version}.jpg"}
            for number, version in images
        ]}).encode()

    def picture(self, path):
        """A photograph with the path in a comment, so that each address has different bytes."""
        whole = self.pictures[sum(path.encode()) % len(self.pictures)]
        comment = path.encode()
        return whole[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + whole[2:]

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=0")
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # A sync that ends does not read all pictures.
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Client(threading.Thread):
    """Reads lists, and the pictures that they name."""

    def __init__(self, number, netloc, token, end):
        super().__init__()
        self.random, self.netloc, self.end = random.Random(number), netloc, end
        self.fields = {"Authorization": f"Bearer {token}"}
        self.counts, self.problems = collections.Counter(), []

    def run(self):
        self.connection = http.client.HTTPConnection(self.netloc, timeout=30)
        while time.monotonic() < self.end and len(self.problems) < 5:
            try:
                self.random.choice([self.page, self.list, self.timeline])()
            except Exception as error:  # Broken connections are the faults that this program looks for.
                self.problems.append(f"{type(error).__name__}: {error}")
                self.connection.close()

    def page(self):
        self.ask("page", self.random.choice(["/", "/feeds", "/search?q=image", "/?sort=oldest"]))

    def list(self):
        listed = json.loads(self.ask("list", "/api/v1/images?limit=50") or '{"images": []}')["images"]
        for image in self.random.sample(listed, min(5, len(listed))):
            if thumbnail := (image.get("thumbnail") or {}).get("sha256"):
                self.fetch("/t/", thumbnail)
            known = json.loads(self.ask("image", f"/api/v1/images/{image['id']}") or "{}")
            if original := (known.get("original") or {}).get("sha256"):
                self.fetch("/o/", original)

    def timeline(self):
        timeline = json.loads(self.ask("timeline", "/api/v1/timeline"))
        for bucket in timeline["buckets"]:
            body = self.ask("bucket", f"/api/v1/timeline/{bucket['key']}?v={timeline['version']}")
            columns = json.loads(body or '{"ids": []}')
            if body and len(columns["ids"]) != bucket["count"]:
                self.problems.append(f"bucket {bucket}: {len(columns['ids'])} images")

    def fetch(self, path, digest):
        body = self.ask("picture", path + digest)
        if body and hashlib.sha256(body).hexdigest() != digest:
            self.problems.append(f"{path}{digest} has other bytes")

    def ask(self, kind, path):
        self.connection.request("GET", path, headers=self.fields)
        answer = self.connection.getresponse()
        body = answer.read()
        self.counts[kind] += 1
        if answer.status in CHANGED.get(kind, ()):
            self.counts["changed meanwhile"] += 1
            return None
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body[:300]}")
        return body


class Worker(threading.Thread):
    """Runs commands on the library in turn. Each of them must succeed."""

    def __init__(self, tools, library, commands, end):
        super().__init__()
        self.tools, self.library, self.commands, self.end = tools, library, commands, end
        self.runs, self.problems = 0, []

    def run(self):
        while time.monotonic() < self.end:
            for command in self.commands:
                found = subprocess.run(
                    [self.tools.programs / "gallery", *command, "--cache", self.library],
                    env=self.tools.environment, capture_output=True, text=True, timeout=120,
                )
                self.runs += 1
                if found.returncode and not (command[0] == "remove" and TAKEN_UP in found.stderr):
                    self.problems.append(f"{' '.join(command)}: {found.returncode} {found.stderr[-500:]}")


def facts(tools):
    """Puts a server under load, and returns the problems."""
    seconds = 600 if tools.long else 15
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    tools.callback(site.shutdown)
    rolling, changing = (f"http://127.0.0.1:{site.server_port}/{name}.json" for name in ("rolling", "changing"))
    library = tools.folder / "library"
    sync = ["sync", "--quiet", "--originals", "--force"]
    tools.gallery(*sync, "--cache", library, rolling, changing)
    errors = open(tools.folder / "errors", "w+")
    address, token = tools.serve_library(library, errors=errors, sync="5s")
    end = time.monotonic() + seconds
    threads = [Client(number, address.removeprefix("http://"), token, end) for number in range(CLIENTS)]
    threads += [
        Worker(tools, library, [[*sync, rolling], ["list"], ["clean"]], end),
        Worker(tools, library, [["remove", changing], [*sync, changing], ["verify", "--quiet"]], end),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tools.stop_servers()
    errors.seek(0)
    problems = [problem for thread in threads for problem in thread.problems]
    problems += [f"the server wrote: {line.strip()}" for line in errors][:10]
    counts = sum((thread.counts for thread in threads[:CLIENTS]), collections.Counter())
    runs = sum(thread.runs for thread in threads[CLIENTS:])
    print(f"{dict(counts)}; {runs} commands beside them")
    if not counts["picture"] or not runs:
        problems.append("nothing was read")
    return problems or ["every picture has the hash that its address names, and every command succeeds"]
