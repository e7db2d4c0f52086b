"""Hubs, which reach the server without a token, and addresses that are added over the API."""
import contextlib
import hmac
import json
import threading
import time
import urllib.parse

from .common import Run, part
from .processes import Answer, LockWatch, Server
from .sites import Request, Site, photographs

PUBLIC = "gallery.example"


class Hub:
    """Feeds with a hub, which notes what the program asks it to do."""

    def __init__(self, run: Run, *names: str, options: tuple[str, ...] = ()):
        self.asked: list[dict[str, str]] = []
        self.feed_requests = 0
        self.site = run.site(self._answer)
        names = names or ("a",)
        self.library = run.library(*(f"{self.site.address}/feed/{name}/1" for name in names))
        self.server = run.serve(self.library, "--public-url", f"http://{PUBLIC}/", "--verbose", *options)
        end = time.monotonic() + 300
        while len(self.asked) < len(names) and time.monotonic() < end:
            time.sleep(0.1)
        first = self.of(names[0])
        self.path = urllib.parse.urlsplit(first["hub.callback"]).path
        self.topic, self.secret = first["hub.topic"], first["hub.secret"]

    def of(self, name: str) -> dict[str, str]:
        """The first request about a feed."""
        return next(each for each in self.asked if each["hub.topic"].endswith(f"/feed/{name}/1"))

    def _answer(self, request: Request):
        if request.words[0].startswith("hub"):
            body = request.rfile.read(int(request.headers["Content-Length"])).decode()
            self.asked.append(dict(urllib.parse.parse_qsl(body)))
            return request.send("", 202)
        if request.words[0] != "feed":
            return photographs(request)
        self.feed_requests += 1
        name, address = request.words[1], request.site.address
        links = "".join(f'<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="{rel}" href="{address}{path}"/>'
                        for rel, path in (("hub", f"/hub-{name}"), ("self", f"/feed/{name}/1")))
        request.send(f'<rss version="2.0"><channel><title>Hub {name}</title>{links}<item><guid>{name}</guid><title>{name} '
                     f'picture</title><enclosure type="image/png" length="1" url="{address}/original/{name}.png"/></item>'
                     '</channel></rss>', kind="application/rss+xml")

    def signature(self, body: bytes, algorithm: str = "sha256", secret: str | None = None) -> str:
        key = (self.secret if secret is None else secret).encode()
        return f"{algorithm}=" + hmac.new(key, body, algorithm).hexdigest()

    def ask(self, path: str | None = None, method: str = "GET", body: bytes | None = None, host: str = PUBLIC,
            query: dict[str, str] | None = None, **names: str) -> Answer:
        target = (path or self.path) + ("?" + urllib.parse.urlencode(query) if query else "")
        return self.server.ask(target, method, token=None, body=body, Host=host, **names)

    def deliver(self, body: bytes = b"<x/>", **names: str) -> int:
        """Tells the program of a change, with the right signature."""
        return self.ask(method="POST", body=body, X_Hub_Signature=self.signature(body), **names).status

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
def limited_tokens(run: Run):
    """A token that is limited to a part learns of no hub of the rest, and no token learns a secret of a hub."""
    hub = Hub(run, "secret", "open")
    server = hub.server
    run.equal(hub.ask(query=hub.verification()).status, 200, "the verification")
    feeds = {feed["title"].split()[-1]: feed for feed in json.loads(server.ask("/api/v1/feeds").body)["feeds"]}
    run.check("hub-secret" in json.dumps(feeds["secret"]), "the administrator sees no hub: this part proves nothing")
    number = feeds["secret"]["id"]
    path, secret = hub.path.rpartition("/")[2].encode(), hub.secret.encode()
    shown = str(feeds["open"]["id"])
    limited = {"feed": server.token("feed", "--feed", shown), "search": server.token("search", "--search", "open"),
               "both": server.token("both", "--feed", shown, "--search", "picture")}
    paths = ["/", "/feeds", f"/feeds/{number}", f"/feeds/{number}.json", f"/feeds/{number}.rss", f"/api/v1/feeds/{number}",
             f"/iiif/feeds/{number}/manifest.json", "/api/v1/feeds", "/api/v1/images", "/api/v1/changes", "/api/v1/tree/root",
             "/api/v1/timeline", "/metrics", "/healthz", "/api/v1/jobs/1", "/images.rss", "/images.json", "/feeds.opml",
             "/search?q=hub-secret", "/api/v1/images?q=hub-secret", f"/?feed={number}", hub.path,
             f"{hub.path}?hub.mode=subscribe&hub.topic={hub.topic}"]
    for name, token in {"whole": server.token("whole"), "admin": server.admin, **limited}.items():
        for each in paths:
            answer = server.ask(each, token=token)
            text = answer.body + json.dumps(answer.fields).encode()
            run.check(answer.status < 500 and secret not in text and (path not in text or each.startswith(hub.path)),
                      f"{name}: {each} tells the secret or the path of a hub")
            run.check(name not in limited or b"hub-secret" not in text or "hub-secret" in each, f"{name}: {each} tells a hub")
    for token in (server.admin, limited["feed"]):
        for each in ({"Authorization": f"Bearer {token}"}, {"Cookie": f"session={token}"}):
            found = hub.ask("/api/v1/images", **each)
            run.equal(found.status, 421, "the library by the public name")
        answer = hub.ask(query=hub.verification() | {"token": token})
        run.check(answer.status == 200 and "set-cookie" not in answer.fields, f"a token at the path of a hub: {answer}")
        run.equal(hub.ask(query={"token": token}).status, 404, "a token alone at the path of a hub")
    run.check(path.decode() not in server.log() and hub.secret not in server.log(), "the log names the path or the secret")


@part(long=True, seconds=240)
def wrong_secrets(run: Run):
    """Only the secret of a feed that is still followed tells of its changes, by POST, with one signature."""
    hub = Hub(run, "a", "b")
    other = hub.of("b")
    other_path = urllib.parse.urlsplit(other["hub.callback"]).path
    run.check(other["hub.secret"] != hub.secret and other_path != hub.path, "two feeds share a secret or a path")
    run.equal(hub.ask(query=hub.verification()).status, 200, "the verification")
    run.equal(hub.ask(other_path, query=hub.verification(topic=other["hub.topic"])).status, 200, "the other verification")
    body, before = b"<x/>", hub.feed_requests
    right, foreign = hub.signature(body), hub.signature(body, secret=other["hub.secret"])
    for name, fields in {
        "the other feed's secret": {"X_Hub_Signature": foreign},
        "its path as secret": {"X_Hub_Signature": hub.signature(body, secret=hub.path)},
        "the topic as secret": {"X_Hub_Signature": hub.signature(body, secret=hub.topic)},
        "the digits as bytes": {
            "X_Hub_Signature": "sha256=" + hmac.new(bytes.fromhex(hub.secret), body, "sha256").hexdigest()},
        "another field": {"X_Hub_Signature_256": right}, "a token": {"Authorization": f"Bearer {hub.server.admin}"},
    }.items():
        run.equal(hub.ask(method="POST", body=body, **fields).status, 202, f"a delivery with {name}")
    run.equal(hub.ask(other_path, method="POST", body=body, X_Hub_Signature=right).status, 202, "a delivery to the other feed")
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"):
        run.among(hub.ask(method=method, body=body, X_Hub_Signature=right).status, {404, 405, 501}, method)
    run.among(hub.ask(query={"X-Hub-Signature": right}, method="GET").status, {404}, "a signature in a query")
    head = f"POST {hub.path} HTTP/1.1\r\nHost: {PUBLIC}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    for fields in ((foreign, right), (right, foreign)):
        lines = "".join(f"X-Hub-Signature: {each}\r\n" for each in fields)
        hub.server.raw(f"{head}{lines}\r\n".encode() + body)
    # The topic of another feed denies, confirms and ends nothing.
    for mode in ("subscribe", "unsubscribe", "denied"):
        run.equal(hub.ask(query=hub.verification(mode=mode, topic=other["hub.topic"])).status, 404, f"{mode} by another topic")
    time.sleep(3)
    run.equal(hub.feed_requests, before, "requests for the feeds after wrong deliveries")
    run.equal(hub.deliver(), 202, "the right delivery")
    end = time.monotonic() + 60
    while hub.feed_requests == before and time.monotonic() < end:
        time.sleep(0.1)
    run.equal(hub.feed_requests, before + 1, "requests for the feed after the right delivery")
    # A feed that is removed, or whose hub has denied it.
    run.equal(hub.ask(other_path, query=hub.verification(mode="denied", topic=other["hub.topic"])).status, 200, "a refusal")
    run.gallery(hub.library, "remove", "1")
    end = time.monotonic() + 180
    while not any(each["hub.mode"] == "unsubscribe" for each in hub.asked) and time.monotonic() < end:
        time.sleep(0.5)
    ends = [each for each in hub.asked if each["hub.mode"] == "unsubscribe"]
    run.check([each["hub.topic"] for each in ends] == [hub.topic] and not any("hub.secret" in each for each in ends),
              f"the end of the subscription: {ends}")
    run.equal(hub.deliver(), 410, "a delivery for a removed feed")
    run.equal(hub.ask(query=hub.verification()).status, 404, "a verification for a removed feed")
    run.equal(hub.ask(query=hub.verification(mode="unsubscribe")).status, 200, "the end is confirmed")
    for method in ("GET", "POST"):
        run.among(hub.ask(method=method, body=b"", query=hub.verification(mode="unsubscribe")).status, {404, 410}, "after the end")


@part(long=True, seconds=300)
def floods(run: Run):
    """A hub that confirms, denies or delivers without end costs others neither the library nor their answers."""
    hub = Hub(run, "a", "b")
    server, before = hub.server, hub.feed_requests
    run.equal(hub.ask(query=hub.verification()).status, 200, "the verification")
    body = b"z" * (1 << 20)
    head = f"Host: {PUBLIC}\r\n"
    query = {mode: urllib.parse.urlencode(hub.verification(mode=mode, lease_seconds="1"))
             for mode in ("subscribe", "denied")}
    confirm = f"GET {hub.path}?{query['subscribe']} HTTP/1.1\r\n{head}\r\n".encode()
    deny = f"GET {hub.path}?{query['denied']} HTTP/1.1\r\n{head}\r\n".encode()
    strange = f"GET {hub.path[:-8]}00000000?{query['subscribe']} HTTP/1.1\r\n{head}\r\n".encode()
    def delivery(body: bytes, signature: str) -> bytes:
        fields = f"X-Hub-Signature: {signature}\r\nContent-Length: {len(body)}\r\n"
        return f"POST {hub.path} HTTP/1.1\r\n{head}{fields}\r\n".encode() + body
    for name, data in {
        "confirms": confirm * 50, "denies": deny * 50, "confirms and denies": (confirm + deny) * 25, "strange paths": strange * 50,
        "deliveries": delivery(b"<x/>", hub.signature(b"<x/>")) * 50,
        "wrong deliveries": delivery(b"<x/>", "sha256=" + "0" * 64) * 50,
        "large deliveries": delivery(body, hub.signature(body)) * 4,
        "large wrong deliveries": delivery(body, "sha512=" + "0" * 128) * 4,
    }.items():
        ending = threading.Event()
        def flood():
            while not ending.is_set():
                with contextlib.suppress(OSError), server.connect(10) as connection:
                    connection.sendall(data)
                    connection.settimeout(0.05)
                    while connection.recv(1 << 16):
                        pass
        clients = [threading.Thread(target=flood, daemon=True) for _ in range(8)]
        watch = LockWatch(hub.library / "gallery.sqlite")
        for client in clients:
            client.start()
        end, slowest, count = time.monotonic() + run.number(2, 8), 0.0, 0
        while time.monotonic() < end:
            begin = time.monotonic()
            run.equal(server.ask("/api/v1/images?limit=1").status, 200, f"the list beside {name}")
            slowest, count = max(slowest, time.monotonic() - begin), count + 1
        run.gallery(hub.library, "pin", "1", seconds=30)
        run.gallery(hub.library, "unpin", "1", seconds=30)
        ending.set()
        for client in clients:
            client.join()
        watch.close()
        run.locked(watch.longest, f"the server beside {name}")
        run.note(f"{name}: {count} lists, slowest {slowest * 1000:.0f} ms, lock {watch.longest * 1000:.0f} ms")
        run.check(slowest < 5, f"a list beside {name} took {slowest:.1f} s")
    run.check(hub.feed_requests - before <= 4, f"the flood asked the feeds {hub.feed_requests - before} times")
    run.check(len(hub.asked) <= 6, f"the flood asked the hub {len(hub.asked)} times")
    # The flood itself takes processor time, as much as its connections send.
    run.check(server.memory <= 150, f"the server used {server.memory:.0f} MB")


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
