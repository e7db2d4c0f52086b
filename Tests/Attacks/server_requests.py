"""Requests that break the rules of HTTP, name other hosts, or ask for more than their token allows."""
import contextlib
import json
import time
import urllib.parse

from .common import Run, part
from .processes import Server

LARGEST = (1 << 63) - 1


def request(server: Server, target: str, *lines: str, method: str = "GET", body: str = "", version: str = "1.1",
            host: str = "127.0.0.1", token: str | None = None) -> bytes:
    """The bytes of a request."""
    fields = [f"Host: {host}"] if host else []
    fields += [f"Authorization: Bearer {token or server.admin}", *lines]
    head = "\r\n".join([f"{method} {target} HTTP/{version}", *fields, "", ""])
    return (head + body).encode("utf-8", "surrogateescape")


@part
def ranges(run: Run):
    """A range, whatever its numbers, gives a part of the picture, all of it, or 416."""
    server = run.serve(run.library(run.site().address + "/feed/a/1", originals=True))
    reader = server.token("reader")
    image = json.loads(server.ask("/api/v1/images/1", token=reader).body)
    numbers = [0, 1, 5, 9_999_999, LARGEST - 1, LARGEST, LARGEST + 1, 10**40]
    texts = [f"{first}-{last}" for first in ["", *numbers] for last in ["", *numbers]]
    texts += ["--5", "0--5", "+0-+5", " 0-5", "0 - 5", "1_0-20", "0x1-5", "٣-٥", "-0", "", "-" * 9_000]
    texts += [",".join(f"{start}-{start}" for start in range(count)) for count in (2, 1_500)]
    for path in (f"/t/{image['thumbnail']['sha256']}", f"/o/{image['original']['sha256']}"):
        whole = server.ask(path, token=reader).body
        for text in texts:
            answer = server.raw(request(server, path, f"Range: bytes={text}", "Connection: close", token=reader))
            head, _, body = answer.partition(b"\r\n\r\n")
            status = head[9:12]
            run.among(status, {b"200", b"206", b"416"}, f"range {text[:40]}")
            run.check(body in whole and (status != b"200" or body == whole), f"range {text[:40]}: other bytes")
        for text in ('"' + image["thumbnail"]["sha256"][:8] + '"', "*", "W/" * 4_000, "Sun, 06 Nov 1994 08:49:37 GMT"):
            answer = server.ask(path, token=reader, If_Range=text, Range="bytes=0-5")
            run.equal((answer.status, answer.body), (200, whole), f"If-Range {text[:20]}")
    run.bounded(server)


# Each is followed by a request for the list of images, which must not be answered if the server may have read it as the
# body of the first one.
SMUGGLED = {
    "length and chunks": ["Content-Length: 5", "Transfer-Encoding: chunked", "", "0", "", ""],
    "chunks and length": ["Transfer-Encoding: chunked", "Content-Length: 5", "", "0", "", ""],
    "two lengths": ["Content-Length: 0", "Content-Length: 5", "", ""],
    "list of lengths": ["Content-Length: 0, 5", "", ""],
    "length with a sign": ["Content-Length: +0", "", ""],
    "length with a space before the colon": ["Content-Length : 0", "", ""],
    "long length": ["Content-Length: 99999999999999999999999", "", ""],
    "negative length": ["Content-Length: -1", "", ""],
    "unknown coding": ["Transfer-Encoding: xchunked", "", "0", "", ""],
    "chunks not last": ["Transfer-Encoding: chunked, identity", "", "0", "", ""],
    "long chunk": ["Transfer-Encoding: chunked", "", "FFFFFFFFFFFFFFFFFF", "", ""],
    "negative chunk": ["Transfer-Encoding: chunked", "", "-1", "", ""],
    "NUL in a field": ["X: a\0b", "", ""],
    "CR in a field": ["X: a\rContent-Length: 5", "", ""],
}


@part
def smuggling(run: Run):
    """A request whose end is ambiguous ends its connection; the next one is never read from its body."""
    server = run.serve(run.library(run.site().address + "/feed/a/1"))
    following = request(server, "/api/v1/images?limit=1", "Connection: close").decode()
    for name, lines in SMUGGLED.items():
        head = f"POST /feeds HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {server.admin}\r\n"
        statuses = server.statuses((head + "\r\n".join(lines) + following).encode(), seconds=2)
        run.check(statuses[1:] == [] and statuses[:1] in ([], [400]), f"{name}: {statuses}")
    for name, first, expected in [
        ("a body for GET", request(server, "/healthz", f"Content-Length: {len(following)}", body=following), [200]),
        ("a small letter", request(server, "/healthz", method="get"), [400]),
        ("HTTP/3.7", request(server, "/healthz", version="3.7"), [400]),
        ("two targets", request(server, "/healthz /api/v1/feeds"), [400]),
        ("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
        ("an upgrade to h2c", request(server, "/healthz", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c",
                                      "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"), [200]),
        ("an upgrade to a web socket", request(server, "/healthz", "Connection: Upgrade", "Upgrade: websocket",
                                               "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAA"), [200]),
    ]:
        statuses = server.statuses(first, seconds=1)
        run.check(statuses in (expected, [], [400], [505]), f"{name}: {statuses} instead of {expected}")


@part
def hosts(run: Run):
    """A request for another host gets 421, and one that names two gets 400."""
    server = run.serve(run.library(run.site().address + "/feed/a/1"))
    known = ["127.0.0.1", "127.0.0.1:1", "LOCALHOST", "localhost:", "[::1]", "[::1]:8470", "a.localhost"]
    foreign = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1@evil.example", "127.1",
               "0.0.0.0", "", "127.0.0.1\tx", "localhost.", "[::1]evil.example", "127.0.0.1:80:evil", "[::1%25lo]",
               "[fe80::1%25eth0]", "[::ffff:127.0.0.1]", "[::1", "localhost:8x", "xn--localhost-",
               "127.0.0.1/evil.example", "localhost#", "a" * 9_000]
    for host in known:
        run.equal(server.statuses(request(server, "/api/v1/images", "Connection: close", host=host)), [200], host)
    for host in foreign:
        statuses = server.statuses(request(server, "/api/v1/images", "Connection: close", host=host), seconds=2)
        run.among(statuses, ([421], [400]), f"host {host[:40]!r}")
    for name, data in {
        "no host": request(server, "/healthz", "Connection: close", host=""),
        "no host, HTTP/1.0": request(server, "/healthz", host="", version="1.0"),
        "two hosts": request(server, "/healthz", "Host: evil.example", "Connection: close"),
        "the same host twice": request(server, "/healthz", "Host: 127.0.0.1", "Connection: close"),
        "CONNECT": request(server, "evil.example:443", "Connection: close", method="CONNECT"),
    }.items():
        statuses = server.statuses(data, seconds=2)
        run.check(statuses != [] and all(status >= 400 for status in statuses), f"{name}: {statuses}")


@part(long=True, seconds=120)
def traversal(run: Run):
    """No path leads to a file of the library or of the machine."""
    server = run.serve(run.library(run.site().address + "/feed/a/1"))
    secrets = [server.admin.encode(), b"root:", b"SQLite format 3"]
    files = ["server-token", "tokens.json", "gallery.sqlite", "etc/passwd"]
    ups = ["", "../", "../../", "..%2f", "..%2f..%2f", "%2e%2e/", "%252e%252e/", "..\\", "..%5c", "..%00/", ".%2e/",
           "/", "//"]
    places = ["", "assets/", "assets/x/", "t/", "o/", "p/", "iiif/image/", "api/v1/", "images/1/", "worker.js/",
              "feeds/", "api/v1/tree/", "websub/"]
    for place in places:
        for up in ups:
            for file in files:
                answer = server.raw(request(server, f"/{place}{up}{file}", "Connection: close"))
                run.check(not any(secret in answer for secret in secrets) and answer[9:12] in (b"404", b"400", b"410"),
                          f"/{place}{up}{file}: {answer[9:12]}")


@part
def methods(run: Run):
    """No method but those of a path does anything, and HEAD sends no body."""
    server = run.serve(run.library(run.site().address + "/feed/a/2", originals=True))
    paths = json.loads(server.ask("/api/v1/openapi.json").body)["paths"]
    image = json.loads(server.ask("/api/v1/images/1").body)
    values = {"id": "1", "hash": image["original"]["sha256"], "sha256": image["original"]["sha256"]}
    places = {path.split("{")[0] + "".join(f"{values.get(piece.split('}')[0], '1')}{piece.split('}')[1]}"
                                           for piece in path.split("{")[1:]) for path in paths}
    for path in sorted(places | {"/", "/feeds", "/images/1", "/frame", "/worker.js", "/healthz", "/metrics"}):
        # The answer ends at its head, though the field names the length that GET has.
        data = server.raw(request(server, path, "Connection: close", method="HEAD"), seconds=3)
        head, _, body = data.partition(b"\r\n\r\n")
        run.check(head.startswith(b"HTTP/1.1 ") and not body, f"HEAD {path}: {data[-80:]}")
        for method in ("OPTIONS", "TRACE", "CONNECT", "PROPFIND", "MERGE", "X" * 3_000):
            data = server.raw(request(server, path, "X-Secret: a-field-of-the-request", "Connection: close",
                                      method=method), seconds=3)
            run.among(data[9:12], {b"404", b"405", b"400", b"403", b"501", b""}, f"{method[:10]} {path}")
            run.check(b"a-field-of-the-request" not in data, f"{method[:10]} {path} gives fields back")


@part
def rights(run: Run):
    """A token that may only read changes nothing, and a page of another site makes no change."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    changes = [
        ("POST", "/api/v1/feeds", "application/json", '{"url":"http://127.0.0.1:1/"}'),
        ("DELETE", "/api/v1/feeds/1", "", ""), ("POST", "/api/v1/sync", "application/json", "{}"),
        ("PUT", "/api/v1/images/1/pin", "", ""), ("DELETE", "/api/v1/images/1/pin", "", ""),
        ("POST", "/feeds", "application/x-www-form-urlencoded", "url=http://127.0.0.1:1/"),
        ("POST", "/feeds/1/remove", "application/x-www-form-urlencoded", ""),
        ("POST", "/sync", "application/x-www-form-urlencoded", ""),
        ("POST", "/images/1/pin", "application/x-www-form-urlencoded", ""),
    ]
    tokens = {"reader": server.token("reader"), "feed": server.token("feed", "--feed", "1"),
              "search": server.token("search", "--search", "picture")}
    for name, token in tokens.items():
        for method, path, kind, body in changes:
            answer = server.ask(path, method, token=token, body=body.encode(), Content_Type=kind)
            run.equal(answer.status, 403, f"{name}: {method} {path}")
    own = f"127.0.0.1:{server.port}"
    for fields, status in [
        ({"Sec_Fetch_Site": "cross-site"}, 403), ({"Sec_Fetch_Site": "same-site"}, 403), ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403), ({"Origin": f"http://{own}.evil.example"}, 403),
        ({"Origin": f"http://evil.example/{own}"}, 403), ({"Origin": f"http://evil.example@{own}"}, 403),
        ({"Origin": own}, 403), ({"Sec_Fetch_Site": "cross-site", "Origin": f"http://{own}"}, 403),
        ({"Origin": f"http://{own}"}, 303), ({"Sec_Fetch_Site": "same-origin"}, 303),
    ]:
        answer = server.ask("/images/1/pin", "POST", body=b"", **fields,
                            Content_Type="application/x-www-form-urlencoded")
        run.equal(answer.status, status, f"{fields}")
    for target in ("/", "//evil.example/", "/\\evil.example", "/\t/evil.example", "/%0d%0aSet-Cookie:a=b"):
        data = server.raw(request(server, f"{target}?token={server.admin}&x=%0d%0aX-Injected:1", "Connection: close"))
        head = data.partition(b"\r\n\r\n")[0].decode("latin-1")
        place = [line.partition(":")[2].strip() for line in head.split("\r\n") if line.lower().startswith("location:")]
        run.check(all(urllib.parse.urljoin("http://own/", path).startswith("http://own/") for path in place)
                  and "\r\nX-Injected" not in head, f"{target}: {place}")


WORDS = ["0", "1", "-1", "9223372036854775807", "9223372036854775808", "1e308", "nan", "", "%00", "%ff", "..", "a" * 3_000, "é",
         "\u202e", "*", '"', "'", "feed", "NEAR(a b)", "x" * 64, "0" * 64, "1.2.3.4.5.6", "9999-99-99", "newest", "-", "~", "{}"]
ROUTES = ["/", "/feeds/{}", "/feeds/{}.json", "/images/{}", "/images/{}/original", "/search?q={}", "/frame?seconds={}",
          "/random?q={}", "/t/{}", "/o/{}", "/p/{}", "/api/v1/images?after={}", "/api/v1/images?limit={}", "/api/v1/changes?since={}",
          "/api/v1/changes?limit={}", "/api/v1/timeline/{}", "/api/v1/tree/{}", "/api/v1/jobs/{}", "/iiif/image/{}/info.json",
          "/iiif/image/{}/{}/{}/{}/default.jpg", "/iiif/feeds/{}/manifest.json", "/iiif/~{}/images/manifest.json", "/websub/{}",
          "/api/v1/thumbnails?hashes={}", "/assets/{}", "/metrics", "/healthz", "/api/v1/feeds/{}", "/api/v1/images/{}/pin"]
NAMES = ["Range", "If-Range", "If-None-Match", "If-Modified-Since", "Cookie", "Last-Event-ID", "Accept", "Accept-Encoding",
         "Forwarded", "X-Forwarded-For", "Origin", "Sec-Fetch-Site", "Content-Type", "Expect", "TE", "Authorization", "Via"]


@part(long=True, seconds=90, long_seconds=2_400)
def requests_by_chance(run: Run):
    """Whatever requests are put together, the server goes on, answers others, and does not grow."""
    library = run.library(run.site().address + "/feed/a/50", originals=True)
    server = run.serve(library)
    tokens = [server.admin, server.token("reader"), server.token("limited", "--search", "picture"), "wrong", ""]
    chance = run.chance

    def odd() -> bytes:
        path = chance.choice(ROUTES)
        while "{}" in path:
            path = path.replace("{}", urllib.parse.quote(chance.choice(WORDS), safe="%/.:,"), 1)
        method = chance.choices(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "x"], [20, 4, 2, 2, 2, 1, 1, 1])[0]
        fields = [f"{chance.choice(NAMES)}: {chance.choice(['bytes=', '', 'W/'])}{chance.choice(WORDS)}" for _ in range(chance.randrange(4))]
        body = chance.choice(["", "", "{}", "[" * 900, '{"url":"' + chance.choice(WORDS) + '"}'])
        head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {chance.choices(tokens, [9, 9, 9, 0.01, 0.1])[0]}",
                f"Content-Length: {len(body.encode())}", *fields]
        data = ("\r\n".join(head) + "\r\n\r\n" + body).encode("utf-8", "replace")
        if chance.random() < 0.1:
            place = chance.randrange(len(data))
            data = data[:place] + chance.randbytes(chance.randrange(5)) + data[place + chance.randrange(5):]
        return data

    end = time.monotonic() + run.number(20, 1_800)
    begin, sent, before = time.monotonic(), 0, 0.0
    while time.monotonic() < end and server.is_alive:
        with contextlib.suppress(OSError), server.connect(0.5) as connection:
            for _ in range(chance.randrange(1, 20)):
                connection.sendall(odd())
                sent += 1
            # What a client does not read must not pile up either.
            if chance.random() < 0.8:
                connection.recv(1 << 16)
        # By now, the caches are filled.
        if not before and time.monotonic() - begin > (end - begin) / 3:
            before = server.memory_now
    run.equal(server.ask("/api/v1/images?limit=1").status, 200, "the list after odd requests")
    run.note(f"{sent} requests, growth {server.memory_now - before:.0f} MB")
    run.check(server.memory_now - before <= 20, f"the server grew by {server.memory_now - before:.0f} MB")
    run.check(server.memory <= 150, f"the server used {server.memory:.0f} MB")
