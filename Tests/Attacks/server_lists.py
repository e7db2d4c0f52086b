"""Lists, searches, cursors, changes and events with extreme words and numbers."""
import contextlib
import json
import socket
import subprocess
import time
import urllib.parse

import programs

from .common import Run, part
from .processes import Server, environment
from .server_requests import LARGEST

NUMBERS = ["0", "-1", "1", str(LARGEST), str(LARGEST + 1), str(-LARGEST - 1), "1" * 400, "+1", "1e3", "0x1", "٣", "",
           "%00", "1%00", "NaN", "inf", "2147483648", "9007199254740993", "1.5", "%20", "..", "*"]
ADDRESSES = [
    "/images/N", "/api/v1/images/N", "/feeds/N", "/feeds/N.rss", "/feeds/N.json", "/iiif/feeds/N/manifest.json",
    "/api/v1/timeline/N", "/api/v1/timeline/0?v=N", "/api/v1/images?limit=N", "/api/v1/images?feed=N",
    "/api/v1/changes?limit=N", "/api/v1/changes?wait=N", "/api/v1/changes?since=N", "/images.rss?limit=N",
    "/frame?seconds=N", "/images/N/original", "/api/v1/jobs/N", "/api/v1/tree/N", "/t/N", "/o/N", "/p/N",
    "/iiif/image/N/info.json", "/assets/N/app.css", "/random?feed=N", "/api/v1/thumbnails?hashes=N",
    "/api/v1/images?after=N.N.N", "/api/v1/images?sort=title&after=N.0.1", "/api/v1/images?sort=added&after=0.N.N",
    "/api/v1/images?since=N", "/api/v1/images?since=N-01-01T00:00:00Z", "/api/v1/changes?types=N",
]
WORDS = ["%00", "a%00b", "%ff%fe", '"', "'--", "*", "a*", "NEAR(a b)", "-a", "^a", "{title}:a", "a OR b", "a AND", "(",
         "\u202e", "🌊", "한국", "日本語" * 50, "a " * 99, " ".join(f"w{n}" for n in range(101)),
         " ".join(map(str, range(1_500))), "x" * 8_000, "\\", "title:picture", "a" + "\u0301" * 3_000, "%", "_", "İ" * 2_000]


def target(path: str) -> str:
    return urllib.parse.quote(path, safe="/?&=%.-:+,")


@part
def extremes(run: Run):
    """No number, date, cursor or word in an address causes an error of the server, or takes long."""
    server = run.serve(run.library(run.site().address + "/feed/a/50"))
    reader = server.token("reader")
    cursor = json.loads(server.ask("/api/v1/changes").body.splitlines()[-1])["cursor"].split(".")
    paths = [address.replace("N", number) for address in ADDRESSES for number in NUMBERS]
    for number in NUMBERS:
        for index in range(len(cursor)):
            changed = [*cursor[:index], number, *cursor[index + 1:]]
            paths += ["/api/v1/changes?since=" + ".".join(text) for text in (changed, [*changed, "1", number])]
    for word in WORDS:
        paths += [f"{path}?q={word.replace(' ', '+')}" for path in (
            "/search", "/api/v1/images", "/api/v1/timeline", "/random", "/search.rss", "/iiif/search/manifest.json",
            "/frame")]
    # A query as long as a header may be, and one with as many parameters.
    paths += ["/?" + "&".join(["a"] * 7_500), "/?" + "&" * 15_000, "/?" + "=" * 15_000, "/?" + "%41" * 5_000,
              "/" + "%2f" * 4_000, "/" + "/" * 15_000, "/" + "a/" * 7_000, "/?q=" + "+" * 15_000]
    if not run.is_long:
        paths = run.chance.sample(paths, 250)
    for path in paths:
        if "wait=" in path and "wait=0" not in path:
            continue
        begin = server.processor
        answer = server.ask(target(path), token=reader)
        run.check(answer.status < 500 or answer.status == 501, f"{path[:80]}: {answer.status} {answer.body[:100]}")
        run.check(server.processor - begin < 1, f"{path[:80]}: {server.processor - begin:.1f} s of a core")
    run.bounded(server)


@part(long=True, seconds=120)
def conditions(run: Run):
    """Long and strange conditions of requests give the answer or 304."""
    server = run.serve(run.library(run.site().address + "/feed/a/50"))
    begin = server.processor
    for name in ("If_None_Match", "If_Match", "If_Modified_Since", "If_Unmodified_Since", "Accept", "Accept_Encoding",
                 "Accept_Language", "Last_Event_ID", "Sec_Fetch_Mode", "Origin", "Referer", "X_Forwarded_Host",
                 "X_Forwarded_For", "Forwarded", "X_Original_URL", "X_HTTP_Method_Override", "Range", "Prefer", "TE"):
        for text in ("*", ",", '"x"', 'W/"x"', ", ".join(['"x"'] * 2_500), "," * 15_000, "a;q=" + "9" * 400, "gzip;q=0",
                     "\xff" * 5_000, "identity;q=0, *;q=0", "delete", "/api/v1/feeds/1", "evil.example"):
            answer = server.ask("/api/v1/images", **{name: text})
            run.among(answer.status, {200, 304}, f"{name}: {text[:30]}")
            run.check(b"evil.example" not in answer.body, f"{name} changes an address in the answer")
    run.check(server.processor - begin < 8, f"conditions took {server.processor - begin:.1f} s of a core")
    run.bounded(server)


@part(long=True, seconds=120)
def pages_of_manifests(run: Run):
    """The largest pages of lists, feeds and manifests are bounded, also when many clients ask for them at once."""
    server = run.serve(run.library(run.site().address + f"/feed/a/{run.number(1_000, 5_000)}"))
    for path in ("/iiif/search/manifest.json?q=picture&limit=1000", "/iiif/images/manifest.json?limit=1000",
                 "/search.rss?q=words&limit=1000", "/images.json?limit=1000", "/api/v1/images?limit=1000",
                 "/api/v1/changes?limit=1000", "/api/v1/timeline", "/api/v1/timeline/0"):
        run.equal(server.ask(path).status, 200, path)
        data = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {server.admin}\r\n\r\n".encode()
        for _ in range(run.number(20, 60)):
            connection = run.everything.enter_context(server.connect())
            connection.setblocking(False)
            with contextlib.suppress(OSError):
                connection.send(data)
    for path in ("/iiif/images/manifest.json?limit=1001", "/images.rss?limit=100000", "/api/v1/changes?limit=999999"):
        run.among(server.ask(path).status, {400, 200, 429}, path)
    run.equal(server.ask("/healthz", token=None).status, 200, "the server")
    run.bounded(server)


def stream(server: Server, token: str, *lines: str) -> socket.socket:
    """An open event stream."""
    connection = server.connect()
    head = "\r\n".join(["GET /api/v1/events HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", *lines])
    connection.sendall(head.encode("utf-8", "surrogateescape") + b"\r\n\r\n")
    return connection


@part(long=True, seconds=120)
def events(run: Run):
    """Event streams are bounded for each token, end with their token, and read every Last-Event-ID."""
    library = run.library(run.site().address + "/feed/a/5")
    server = run.serve(library)
    reader = server.token("reader")
    cursor = json.loads(server.ask("/api/v1/changes").body.splitlines()[-1])["cursor"]
    parts = cursor.split(".")
    identities = ["", "x", cursor, cursor[:-1] + str(LARGEST), cursor + ".1.1", "9" * 9_000, "\udcff" * 50,
                  ".".join("1" * 6), ".".join([parts[0], "0" * 32, *parts[2:]]),
                  ".".join([*parts[:2], str(LARGEST), *parts[3:]]), "-1", ","]
    for text in identities:
        with stream(server, reader, f"Last-Event-ID: {text}") as connection:
            received = connection.recv(4_096)
            run.among(received[9:12], {b"200", b"400"}, f"Last-Event-ID {text[:20]!r}")
    statuses = []
    count = run.number(300, 1_100)
    for _ in range(count):
        connection = run.everything.enter_context(stream(server, reader))
        statuses.append(connection.recv(4_096)[9:12])
    run.check(set(statuses) <= {b"200", b"503", b"429"} and statuses.count(b"200") <= 1_000, f"{count} streams")
    run.equal(server.ask("/api/v1/images?limit=1", token=reader).status, 200, "a list beside the streams")
    # A client that stays silent keeps its stream, but not after its token.
    subprocess.run([programs.path("gallery"), "token", "remove", "reader"], env=environment(library), check=True)
    with stream(server, server.admin) as other:
        other.recv(4_096)
        time.sleep(3)
        connection.settimeout(5)
        ended = b""
        with contextlib.suppress(OSError):
            while piece := connection.recv(4_096):
                ended += piece
            ended += b"END"
        run.check(b"END" in ended or b"0\r\n\r\n" in ended, "a stream outlives its token")
    run.bounded(server)
