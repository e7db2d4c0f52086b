"""Clients that open many connections, send slowly, never stop sending, or read nothing."""
import contextlib
import json
import select
import socket
import time
import zlib

from Kills.pictures import picture

from .common import Run, part
from .processes import Server
from .sites import Request, photographs


def answers(run: Run, server: Server, what: str):
    """Checks that a client that behaves gets its answer meanwhile."""
    run.equal(server.ask("/api/v1/images?limit=1", seconds=20).status, 200, f"the list during {what}")


def held(run: Run, server: Server, data: bytes, count: int) -> list[socket.socket]:
    """Connections that stay open after they have sent some bytes; they end with the part."""
    connections = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            connection = server.connect()
            run.everything.enter_context(connection)
            connection.setblocking(False)
            connections.append(connection)
            connection.send(data)
    return connections


def closed(connections: list[socket.socket]) -> int:
    """How many of them the server has closed, or answered."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLIN | select.POLLHUP)
    return len(poll.poll(0))


def flood(server: Server, head: str, piece: bytes, count: int) -> tuple[int, bytes]:
    """Sends a request with an endless body; returns how many pieces went out, and the beginning of the answer."""
    sent = 0
    with server.connect(5) as connection:
        connection.sendall(head.encode())
        with contextlib.suppress(OSError):
            for sent in range(1, count + 1):
                connection.sendall(piece)
        with contextlib.suppress(OSError):
            return sent, connection.recv(4_096)
    return sent, b""


@part(long=True, seconds=120)
def idle_connections(run: Run):
    """Idle connections of strangers, also in the middle of a header, take little memory, and no place of other clients."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    for data in (b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "):
        connections = held(run, server, data, run.number(1_300, 6_000))
        answers(run, server, f"{len(connections)} connections that have sent {data[:4]!r}")
    run.bounded(server)


@part(long=True, seconds=150, long_seconds=150)
def slow_connections(run: Run):
    """Connections that send nothing for a minute are closed; one that sends a byte a second cannot hold its place."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    silent = held(run, server, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", 500)
    dripping = held(run, server, b"POST /feeds HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900000\r\n", 500)
    begin = time.monotonic()
    while closed(silent) < len(silent) and time.monotonic() - begin < 90:
        time.sleep(1)
        for connection in dripping:
            with contextlib.suppress(OSError):
                connection.send(b"X")
    run.equal(closed(silent), len(silent), "silent connections that were closed after 90 s")
    # New strangers push the oldest ones out.
    held(run, server, b"", 1_100)
    time.sleep(1)
    run.check(closed(dripping) >= len(dripping) - 50, f"only {closed(dripping)} slow connections gave way")
    answers(run, server, "slow connections")
    run.bounded(server)


@part
def few_descriptors(run: Run):
    """With few descriptors, idle connections of strangers leave enough of them for answers."""
    library = run.library(run.site().address + "/feed/a/2", originals=True)
    for limit in (256, 1_024):
        server = run.serve(library, before=["prlimit", f"--nofile={limit}:{limit}"])
        held(run, server, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", limit + 200)
        time.sleep(0.5)
        answers(run, server, f"{limit + 200} connections with {limit} descriptors")
        run.equal(server.ask("/images/1/original").status, 303, f"an original with {limit} descriptors")
        run.check(server.processor < 5, f"idle connections take {server.processor:.1f} s of a core")


@part(long=True, seconds=120)
def long_headers(run: Run):
    """A header, a target or a list of fields beyond 16 KiB gets an error at once."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    begin = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    for name, data, right in [
        ("a field of 15,000 bytes", f"{begin}X: {'a' * 15_000}\r\n\r\n", [200]),
        ("a field of 17,000 bytes", f"{begin}X: {'a' * 17_000}\r\n\r\n", [400]),
        ("a field of 3 MB", f"{begin}X: {'a' * 3_000_000}\r\n\r\n", [400]),
        ("500 fields", begin + "".join(f"X{n}: a\r\n" for n in range(500)) + "\r\n", [200]),
        ("20,000 fields", begin + "".join(f"X{n}: a\r\n" for n in range(20_000)) + "\r\n", [400]),
        ("9,000 fields without a name", begin + ": a\r\n" * 9_000 + "\r\n", [400]),
        ("a target of 8,000 bytes", begin.replace("/healthz", "/healthz?" + "a" * 8_000) + "\r\n", [200]),
        ("a target of 200,000 bytes", begin.replace("/healthz", "/healthz?" + "a" * 200_000) + "\r\n", [400]),
        ("a method of 100,000 bytes", begin.replace("GET", "G" * 100_000) + "\r\n", [400]),
        ("a name of 100,000 bytes", begin + "X" * 100_000 + ": a\r\n\r\n", [400]),
        ("100,000 empty lines", "\r\n" * 100_000 + begin + "\r\n", [200]),
    ]:
        statuses = server.statuses(data.encode(), seconds=3)
        run.check(statuses in (right, [] if right != [200] else right), f"{name}: {statuses} instead of {right}")
    answers(run, server, "long headers")
    run.bounded(server)


@part(long=True, seconds=120)
def long_bodies(run: Run):
    """The server does not keep an endless body of any client."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    reader = server.token("reader")
    count = run.number(200, 3_000)
    plain, chunk = b"x" * 65_536, b"10000\r\n" + b"{" * 65_536 + b"\r\n"
    for token in ("", reader, server.admin):
        for path in ("/feeds", "/api/v1/feeds", "/healthz", "/api/v1/images", "/websub/" + "a" * 64):
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            head += f"Authorization: Bearer {token}\r\n" if token else ""
            for field, piece in (("Content-Length: 1000000000", plain), ("Transfer-Encoding: chunked", chunk)):
                _, answer = flood(server, f"{head}{field}\r\n\r\n", piece, count)
                run.check(answer[:10] in (b"HTTP/1.1 4", b""), f"{path} {field}: {answer[:40]}")
    # Chunks of one byte, and extensions that are longer than their chunks.
    head = f"POST /api/v1/feeds HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {server.admin}\r\n" \
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    flood(server, head, b"1\r\n{\r\n" * 10_000, 10)
    flood(server, head, b"1;" + b"a=b;" * 16_000 + b"\r\n{\r\n", 50)
    flood(server, head, b"0\r\n" + b"X: y\r\n" * 10_000, 10)
    answers(run, server, "long bodies")
    run.bounded(server)


@part
def bodies(run: Run):
    """JSON that is deep, doubled, packed or false is refused, and starts nothing."""
    server = run.serve(run.library(run.site().address + "/feed/a/2"))
    bodies = [b"[" * 500_000, b'{"a":' * 100_000, b'{"url":' + b"[" * 90_000 + b"]" * 90_000 + b"}",
              b'{"url":"' + b"a" * 1_000_000 + b'"}', b'{"url":"x","allowPrivate":"y"}', b'{"url":1}', b"null", b"",
              b"\xff\xfe{", b"\x1f\x8b\x08\x00" + b"\0" * 100, b'{"url":"\\ud800"}',
              b'{"url":null,"url":"file:///etc/passwd"}',
              b'{"url":"file:///etc/passwd","url":"/etc/passwd"}', b"{" + b'"a":1,' * 100_000 + b'"url":"/x"}',
              b'{"url":"http:///x"}', b'{"url":"-"}']
    for body in bodies:
        answer = server.ask("/api/v1/feeds", "POST", body=body, Content_Type="application/json")
        run.among(answer.status, {400, 413, 422}, f"{body[:30]}")
    for body in (b'{"feed":1e400}', b'{"feed":9223372036854775808}', b'{"feed":-0.5}', b'{"feed":"1"}'):
        run.equal(server.ask("/api/v1/sync", "POST", body=body, Content_Type="application/json").status, 422, f"{body}")
    packed = zlib.compress(b'{"url":"' + b"a" * 50_000_000 + b'"}', wbits=31)
    answer = server.ask("/api/v1/feeds", "POST", body=packed, Content_Type="application/json", Content_Encoding="gzip")
    run.among(answer.status, {400, 415, 422}, "a packed body")
    jobs = [line for line in server.ask("/metrics").body.decode().splitlines() if line.startswith("gallery_jobs")]
    run.check(all(line.endswith(" 0") for line in jobs), f"bodies started jobs: {jobs}")
    # An address that leads nowhere begins a sync, which fails.
    for url in ("http://\\u0000/", "http://[::1%25lo]/", "http://1:99999/", "http://a:b:c/"):
        body = f'{{"url":"{url}"}}'.encode()
        answer = server.ask("/api/v1/feeds", "POST", body=body, Content_Type="application/json")
        run.among(answer.status, {202, 422}, url)
    feeds = json.loads(server.ask("/api/v1/feeds").body)["feeds"]
    run.equal(len(feeds), 1, "feeds")
    run.bounded(server)


@part(long=True, seconds=120)
def pipelines(run: Run):
    """Twenty thousand requests at once on a connection are answered in turn, and unread answers take little memory."""
    server = run.serve(run.library(run.site().address + "/feed/a/200"))
    count = run.number(2_000, 20_000)
    received = server.raw(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * (count - 1)
                          + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", seconds=10)
    run.equal(received.count(b"200 OK"), count, "answers")
    list_images = (f"GET /api/v1/images?limit=1000 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                   f"Authorization: Bearer {server.admin}\r\n\r\n").encode()
    held(run, server, list_images * 400, run.number(20, 100))
    time.sleep(1)
    run.check(server.ask("/healthz", token=None).status == 200, "the server does not answer")
    run.bounded(server)


@part(long=True)
def slow_readers(run: Run):
    """Clients that read nothing of packs, originals and lists take little memory, and no place of other clients."""
    library = run.library(run.site().address + "/feed/a/300", originals=True)
    server = run.serve(library)
    tokens = [server.token(f"reader{number}") for number in range(4)]
    image = json.loads(server.ask("/api/v1/images/1").body)
    packs = [line for line in server.ask("/api/v1/changes").body.splitlines() if b'"pack"' in line]
    hashes = [json.loads(line)["data"].get("sha256") for line in packs if b'"data"' in line]
    paths = ["/o/" + image["original"]["sha256"], "/api/v1/images?limit=1000", "/api/v1/changes", "/"]
    paths += [f"/p/{digest}" for digest in hashes if digest]
    for path in paths:
        for token in tokens:
            data = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            held(run, server, data * 3, run.number(60, 120))
    time.sleep(1)
    answers(run, server, "slow readers")
    run.bounded(server)


@part(long=True, seconds=120)
def endings(run: Run):
    """A server that is asked to end does so soon, whatever its clients still send or do not read."""
    def answer(request: Request):
        if request.words[0] == "feed":
            return photographs(request)
        # So long that it does not fit into the buffers of a connection.
        padding = 8_000_000 if request.words[0] == "original" else 0
        request.send(picture(request.path, padding=padding), kind="image/png")
    library = run.library(run.site(answer).address + "/feed/a/1", originals=True)
    server = run.serve(library)
    image = json.loads(server.ask("/api/v1/images/1").body)
    access = f"Host: 127.0.0.1\r\nAuthorization: Bearer {server.admin}\r\n"
    half = f"{access}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n"
    for data in (f"GET /o/{image['original']['sha256']} HTTP/1.1\r\n{access}\r\n",
                 f"GET /api/v1/events HTTP/1.1\r\n{access}\r\n", "GET / HTTP/1.1\r\nHost: 127",
                 f"GET /api/v1/changes?wait=25 HTTP/1.1\r\n{access}\r\n",
                 f"POST /api/v1/feeds HTTP/1.1\r\n{half}"):
        held(run, server, data.encode(), 5)
    time.sleep(0.5)
    begin = time.monotonic()
    run.check(server.stop(60), "the server does not end")
    run.note(f"ended after {time.monotonic() - begin:.0f} s")
    run.check(time.monotonic() - begin < 25, f"the server ended after {time.monotonic() - begin:.0f} s")
