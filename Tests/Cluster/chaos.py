"""Some minutes in which all parts of a cluster fail in turn, while it is in use."""
import http.client
import http.server
import json
import shutil
import signal
import threading
import time


class Gateway:
    """A proxy of the object store, which answers 503 while `is_away` is true."""

    def __init__(self, store: str):
        self.is_away, self.refused = False, 0
        gateway, place = self, store.removeprefix("http://")

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if gateway.is_away:
                    gateway.refused += 1
                    return self.reply(503, [], b"<Error><Code>SlowDown</Code></Error>")
                connection = http.client.HTTPConnection(place, timeout=30)
                try:
                    connection.request(self.command, self.path, body, dict(self.headers.items()))
                    answer = connection.getresponse()
                    self.reply(answer.status, answer.getheaders(), answer.read())
                except OSError:
                    self.reply(502, [], b"")
                finally:
                    connection.close()

            do_GET = do_PUT = do_HEAD = do_DELETE = handle_one

            def reply(self, status: int, fields: list[tuple[str, str]], body: bytes) -> None:
                self.send_response_only(status)
                length = str(len(body))
                for name, value in fields:
                    if name.lower() == "content-length":
                        length = value
                    elif name.lower() not in ("connection", "transfer-encoding"):
                        self.send_header(name, value)
                self.send_header("Content-Length", length)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """Ignores errors, because a killed node closes its connections."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


class Reader(threading.Thread):
    """Reads lists and thumbnails through nginx until it is stopped, and counts successes and failures."""

    def __init__(self, front):
        super().__init__(daemon=True)
        self._front, self.read, self.failed, self.is_stopped, self.last = front, 0, 0, False, ""

    def run(self) -> None:
        while not self.is_stopped:
            try:
                for image in json.loads(self._front.get("/api/v1/images?limit=20"))["images"]:
                    sha256 = image["thumbnail"].get("sha256")
                    if sha256:
                        self._front.get(f"/t/{sha256}")
                    self.read += 1
            except Exception as error:  # Count errors of all kinds.
                self.failed, self.last = self.failed + 1, f"{type(error).__name__}: {error}"
            time.sleep(0.05)


class Chaos:
    """Disturbs the nodes of a check, and the services that they use, for some minutes."""

    def __init__(self, check, seconds: float):
        self._check, self._seconds = check, seconds
        self._cluster, self._random = check.cluster, check.random
        self._begun = 0.0
        self.emptied = 0
        self.early: list[str] = []
        self.reader: Reader | None = None

    def run(self) -> None:
        cluster = self._cluster
        reader = Reader(cluster.front)
        reader.start()
        self._begun = time.monotonic()
        steps = sorted([
            (0.10, self._leave_store), (0.10 + min(60 / self._seconds, 0.15), self._restart_store),
            (0.35, self._empty_caches), (0.50, self._fail_over), (0.75, self._empty_caches),
        ], key=lambda step: step[0])
        turn, paused = self._begun, self._begun
        while (now := time.monotonic()) < self._begun + self._seconds:
            if steps and now > self._begun + steps[0][0] * self._seconds:
                steps.pop(0)[1]()
            if now > turn + 15:
                turn, cluster.web.round = now, cluster.web.round + 1
                self._check.due()
            if now > paused + 7:
                paused = now
                host = cluster.web.host(self._random.randrange(cluster.web.hosts))
                cluster.web.pause(host, self._random.uniform(6, 20))
            time.sleep(self._random.uniform(0.3, 3))
            self._check.kill(cluster.syncing + cluster.serving)
        cluster.web.pauses.clear()
        reader.is_stopped = True
        reader.join(60)
        web = cluster.web
        self.early, self.reader = web.early(self._check.kills), reader
        print(f"chaos: {self._seconds:.0f} s, {len(self._check.kills)} killed, {cluster.gateway.refused} refused by the store, "
              f"{self.emptied} originals deleted on a machine, {len(web.told)} told to wait, {reader.read} read and {reader.failed} not "
              f"({reader.last})", flush=True)

    def _leave_store(self) -> None:
        self._cluster.gateway.is_away = True

    def _restart_store(self) -> None:
        self._cluster.weed.stop()
        self._cluster.weed.start()
        self._cluster.gateway.is_away = False

    def _empty_caches(self) -> None:
        """Empties nginx's cache, and deletes the originals of one machine that the object store has."""
        for path in (self._cluster.folder / "nginx/cache").glob("*"):
            shutil.rmtree(path, ignore_errors=True)
        put = set(self._check.server().sql("SELECT sha256 FROM original WHERE put_at IS NOT NULL"))
        for path in (self._cluster.folder / "sync-1").rglob("originals/*/*"):
            if path.stem in put:
                path.unlink(missing_ok=True)
                self.emptied += 1

    def _fail_over(self) -> None:
        if self._cluster.has_replica:
            print(f"the primary is killed at {time.monotonic():.1f}", flush=True)
            self._cluster.primary.stop(signal.SIGKILL)
            self._cluster.replica.promote()
