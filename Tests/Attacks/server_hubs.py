"""Hubs, which reach the server without a token, and addresses that are added over the API."""
import contextlib
import hmac
import json
import time
import urllib.parse

from .common import Run, part
from .processes import Answer, Server
from .sites import Request, Site, photographs

PUBLIC = "gallery.example"


class Hub:
    """A feed with a hub, which notes what the program asks it to do."""

    def __init__(self, run: Run):
        self.asked: list[dict[str, str]] = []
        self.feed_requests = 0
        self.site = run.site(self._answer)
        self.library = run.library(f"{self.site.address}/feed/a/1")
        self.server = run.serve(self.library, "--public-url", f"http://{PUBLIC}/", "--verbose")
        end = time.monotonic() + 300
        while not self.asked and time.monotonic() < end:
            time.sleep(0.1)
        first = self.asked[0]
        self.path = urllib.parse.urlsplit(first["hub.callback"]).path
        self.topic, self.secret = first["hub.topic"], first["hub.secret"]

    def _answer(self, request: Request):
        if request.words[0] == "hub":
            body = request.rfile.read(int(request.headers["Content-Length"])).decode()
            self.asked.append(dict(urllib.parse.parse_qsl(body)))
            return request.send("", 202)
        if request.words[0] != "feed":
            return photographs(request)
        self.feed_requests += 1
        links = "".join(f'<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="{name}" href="{request.site.address}'
                        f'{path}"/>' for name, path in (("hub", "/hub"), ("self", "/feed/a/1")))
        request.send(f'<rss version="2.0"><channel><title>Hub</title>{links}</channel></rss>',
                     kind="application/rss+xml")

    def signature(self, body: bytes, algorithm: str = "sha256", secret: str | None = None) -> str:
        key = (self.secret if secret is None else secret).encode()
        return f"{algorithm}=" + hmac.new(key, body, algorithm).hexdigest()

    def ask(self, path: str | None = None, method: str = "GET", body: bytes | None = None, host: str = PUBLIC,
            query: dict[str, str] | None = None, **names: str) -> Answer:
        target = (path or self.path) + ("?" + urllib.parse.urlencode(query) if query else "")
        return self.server.ask(target, method, token=None, body=body, Host=host, **names)

    def verification(self, **changed: str | None) -> dict[str, str]:
        query = {"mode": "subscribe", "topic": self.topic, "challenge": "a-challenge", "lease_seconds": "86400"}
        return {f"hub.{name}": value for name, value in (query | changed).items() if value is not None}


@part
def verifications(run: Run):
    """A hub is confirmed only for a subscription that is wanted, and strangers learn nothing of it."""
    hub = Hub(run)
    server = hub.server
    answer = hub.ask(query=hub.verification())
    run.equal((answer.status, answer.body), (200, b"a-challenge"), "the verification")
    for name, query in {
        "another topic": hub.verification(topic=hub.topic + "x"), "no topic": hub.verification(topic=None),
        "an end that is not wanted": hub.verification(mode="unsubscribe"), "no mode": hub.verification(mode=None),
        "another mode": hub.verification(mode="publish"), "no challenge": hub.verification(challenge=None),
        "a long challenge": hub.verification(challenge="x" * 5_000),
    }.items():
        run.equal(hub.ask(query=query).status, 404, name)
    for text in ("0", "-1", "9223372036854775807", "9223372036854775808", "1e3", "", "9" * 500):
        run.among(hub.ask(query=hub.verification(lease_seconds=text)).status, {200, 404}, f"a lease of {text[:20]}")
    for challenge in ("<script>alert(1)</script>", "a\r\nX-Injected: 1", "\0", "é" * 100):
        answer = hub.ask(query=hub.verification(challenge=challenge))
        run.check(answer.status == 404 or answer.fields["content-type"].startswith("text/plain")
                  and answer.fields["x-content-type-options"] == "nosniff" and "x-injected" not in answer.fields,
                  f"the challenge {challenge[:20]!r}")
    for path in ("/websub/" + "0" * 64, "/websub/a", "/websub/", hub.path + "/x", hub.path + "%00", hub.path[:-1],
                 "/websub/..%2fapi%2fv1%2fimages", "/websub/../api/v1/images", "/websub/%2e%2e/api/v1/images"):
        run.equal(hub.ask(path, query=hub.verification()).status, 404, path[:40])
    for path in ("/", "/api/v1/images", "/healthz", "/websubx", "/metrics"):
        found = server.ask(path, Host=PUBLIC).status
        run.check(found == 421, f"{path} by the public name, with a token: {found}")
    run.check(hub.secret not in server.log() and hub.path.split("/")[-1] not in server.log(),
              "the log names the path or the secret")
    run.bounded(server)


@part(long=True, seconds=120)
def deliveries(run: Run):
    """A delivery with a wrong signature, or a wrong length, has no effect; right ones ask the feed once a minute."""
    hub = Hub(run)
    server = hub.server
    run.equal(hub.ask(query=hub.verification()).status, 200, "the verification")
    before, body = hub.feed_requests, b"<x/>"
    right = hub.signature(body)
    for name, signature in {
        "none": None, "zeros": "sha256=" + "0" * 64, "md5": hub.signature(body, "md5"), "empty": "sha256=",
        "no secret": hub.signature(body, secret=""), "a beginning": right[:20], "longer": right + "00",
        "another body": hub.signature(b"<y/>"), "two": f"sha256=00,{right}", "no digits": "sha256=" + "z" * 64,
        "long": "sha256=" + "0" * 12_000, "unknown": "sha999=" + right[7:], "sha1 of none": "sha1=", "=": "=",
    }.items():
        fields = {} if signature is None else {"X_Hub_Signature": signature}
        run.equal(hub.ask(method="POST", body=body, **fields).status, 202, f"a delivery with {name}")
    # Bodies that end too early, that go on, or that are longer than a delivery may be.
    head = f"POST {hub.path} HTTP/1.1\r\nHost: {PUBLIC}\r\nX-Hub-Signature: {right}\r\n"
    for data in (f"{head}Content-Length: 1000\r\n\r\n<x/>", f"{head}Content-Length: 3\r\n\r\n<x/>",
                 f"{head}Transfer-Encoding: chunked\r\n\r\n4\r\n<x/>\r\n", f"{head}Content-Length: 0\r\n\r\n"):
        server.raw(data.encode(), seconds=1)
    length = run.number(20, 200) << 20
    with server.connect(10) as connection, contextlib.suppress(OSError):
        connection.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode())
        for _ in range(length >> 16):
            connection.sendall(b"y" * 65_536)
    time.sleep(1)
    run.equal(hub.feed_requests, before, "requests for the feed after wrong deliveries")
    for _ in range(20):
        run.equal(hub.ask(method="POST", body=body, X_Hub_Signature=right).status, 202, "a right delivery")
    time.sleep(3)
    run.check(hub.feed_requests - before <= 2, f"20 deliveries asked the feed {hub.feed_requests - before} times")
    run.bounded(server)


@part(long=True, seconds=120)
def private_hubs(run: Run):
    """A hub at a private address, or one that redirects there, is not asked."""
    asked: list[str] = []
    def note(request: Request):
        asked.append(request.path)
        request.send("", 202)
    private = Site(note, host="127.0.0.2")
    run.everything.callback(private.close)
    port = private.address.rpartition(":")[2]
    for number, (hub, place) in enumerate([
        (f"{private.address}/hub", ""), (f"http://[::ffff:127.0.0.2]:{port}/hub", ""), ("file:///etc/passwd", ""),
        (f"http://0x7f000002:{port}/hub", ""), ("", f"{private.address}/to"), ("", "http://169.254.169.254/to"),
    ]):
        def answer(request: Request):
            if request.words[0] == "hub":
                return request.send("", 307, Location=place)
            address = hub or request.site.address + "/hub"
            request.send(f'<rss version="2.0"><channel><title>Hub</title><atom:link rel="hub" href="{address}" '
                         'xmlns:atom="http://www.w3.org/2005/Atom"/></channel></rss>', kind="application/rss+xml")
        library = run.library(f"{run.site(answer).address}/feed", name=f"library{number}")
        run.serve(library, "--public-url", f"http://{PUBLIC}/")
    time.sleep(2)
    run.equal(asked, [], "requests to the private hub")


def job(server: Server, body: dict) -> dict:
    """Adds a feed, and waits for the end of its sync."""
    answer = server.ask("/api/v1/feeds", "POST", body=json.dumps(body).encode(), Content_Type="application/json")
    if answer.status != 202:
        return {"state": answer.status}
    end = time.monotonic() + 300
    while time.monotonic() < end:
        found = json.loads(server.ask(answer.fields["location"]).body)
        if found["state"] in ("done", "failed"):
            return found
        time.sleep(0.05)
    return {"state": "late"}


@part(long=True, seconds=120)
def private_feeds(run: Run):
    """A feed that is added over the API reaches no private address in any spelling, and no file."""
    asked: list[str] = []
    def note(request: Request):
        asked.append(request.path)
        photographs(request)
    private = Site(note, host="127.0.0.3")
    run.everything.callback(private.close)
    port = private.address.rpartition(":")[2]
    redirecting = run.site(lambda request: request.send("", 302, Location=private.address + "/feed/redirected/1"))
    server = run.serve(run.library(run.site().address + "/feed/a/1"))
    places = [f"http://{host}:{port}/feed/x/1" for host in (
        "127.0.0.3", "2130706435", "0x7f000003", "127.3", "0177.0.0.3", "[::ffff:127.0.0.3]", "[::ffff:7f00:3]",
        "127.0.0.3.", "127.0.0.3%00", "user@127.0.0.3", "127.0.0.3%2f", "①②⑦.0.0.3", "[::127.0.0.3]", "0",
        "[::]")]
    places += [f"127.0.0.3:{port}/feed/x/1", "http://169.254.169.254/latest/meta-data", "file:///etc/passwd",
               "/etc/passwd", "stdin:", "-", "1", "~/x.xml", "./feed.xml", "javascript:alert(1)",
               "data:text/xml,<rss/>", f"gopher://127.0.0.3:{port}/x", f"dict://127.0.0.3:{port}/x",
               "http://", "x" * 9_000, "",
               "a\nb", "\\\\127.0.0.3\\x"]
    for place in places:
        found = job(server, {"url": place})
        run.among(found["state"], {422, 400, "failed"}, place[:50])
    run.equal(asked, [], "requests to a private address")
    found = job(server, {"url": redirecting.address + "/feed", "allowPrivate": False})
    run.equal((found["state"], asked), ("failed", []), "a redirect to a private address")
    run.equal(job(server, {"url": "http://169.254.169.254/x", "allowPrivate": True})["state"], "failed", "link-local")
    run.equal(job(server, {"url": private.address + "/feed/y/1", "allowPrivate": True})["state"], "done", "allowed")
    run.bounded(server)


@part(long=True, seconds=120)
def many_syncs(run: Run):
    """A token queues few syncs, and a server with slow ones ends soon."""
    def slow(request: Request):
        if request.server.site.requests.count(("GET", request.path)) > 1 and request.words[0] == "feed":
            time.sleep(15)
        photographs(request)
    library = run.library(run.site(slow).address + "/feed/a/1")
    server = run.serve(library)
    statuses = [server.ask("/api/v1/sync", "POST", body=b"{}", Content_Type="application/json").status
                for _ in range(100)]
    run.check(statuses.count(202) <= 17 and set(statuses) == {202, 429}, f"{statuses.count(202)} syncs are queued")
    begin = time.monotonic()
    run.check(server.stop(60), "the server does not end")
    run.check(time.monotonic() - begin < 14, f"the server with slow syncs ended after {time.monotonic() - begin:.0f} s")
