"""Clients of TLS and HTTP/2 that break its rules, or use them against the server."""
import contextlib
import json
import os
import socket
import subprocess
import time

from . import http2
from .common import Run, part
from .http2 import Connection, END_HEADERS, END_STREAM, fields, frame
from .processes import Server


def answers(run: Run, server: Server, what: str):
    """Checks that a client that behaves gets its answer."""
    run.equal(http2.status(server, fields("/healthz")), 200, f"/healthz after {what}")


@part
def strange_requests(run: Run):
    """A request of HTTP/2 with fields that are doubled, forbidden or too long does not reach the library."""
    server = http2.serve(run, run.library(run.site().address + "/feed/a/2"))
    reader = server.token("reader")
    path = "/api/v1/images?limit=1"
    good = fields(path, reader)
    run.equal(http2.status(server, good), 200, "a good request")
    run.equal(http2.status(server, good + [("host", "127.0.0.1")]), 200, "the host once more")
    run.equal(http2.status(server, good + [("cookie", f"a{n}=b") for n in range(200)]), 200, "200 cookies")
    for name, asked in {
        "no token": fields(path), "another authority": fields(path, reader, authority="evil.example"),
        "another host": good + [("host", "evil.example")], "no authority": fields(path, reader, authority=""),
        "a host alone": [pair for pair in good if pair[0] != ":authority"] + [("host", "evil.example")],
        "two methods": [(":method", "POST"), *good], "two paths": [(":path", "/healthz"), *good],
        "two authorities": [(":authority", "evil.example"), *good], "two schemes": [(":scheme", "http"), *good],
        "no path": [pair for pair in good if pair[0] != ":path"], "an empty path": fields("", reader),
        "no method": [pair for pair in good if pair[0] != ":method"],
        "an unknown pseudo-field": [(":x", "y"), *good], "a status": [(":status", "200"), *good],
        "a pseudo-field behind the others": good + [(":path", "/healthz")],
        "capital letters": good + [("X-Capital", "a")], "a space in a name": good + [("x y", "a")],
        "an empty name": good + [("", "a")], "a line break": good + [("x", "a\r\nhost: evil.example")],
        "a NUL": good + [("x", "a\0b")], "chunks": good + [("transfer-encoding", "chunked")],
        "connection": good + [("connection", "close")], "upgrade": good + [("upgrade", "h2c")],
        "te": good + [("te", "gzip")], "keep-alive": good + [("keep-alive", "5")],
        "a false length": fields("/api/v1/feeds", server.admin, "POST") + [("content-length", "5")],
        "a path with a space": fields("/api/v1/images HTTP/1.1", reader),
        "a long field": good + [("x", "a" * 60_000)], "10,000 fields": good + [(f"x{n}", "a") for n in range(10_000)],
        "CONNECT": fields("/", reader, "CONNECT"), "a method with a space": fields(path, reader, "GET /"),
    }.items():
        found = http2.status(server, asked)
        run.check(found is None or 400 <= found < 500, f"{name}: {found}")
    answers(run, server, "strange requests")
    run.bounded(server)


@part(long=True, seconds=120)
def limits_of_lists(run: Run):
    """A list of fields up to the limit is read, also in many frames; one beyond it ends the connection."""
    server = http2.serve(run, run.library(run.site().address + "/feed/a/2"))
    for length, right in ((8_000, {200}), (15_000, {200, 400, None}), (17_000, {400, 431, None}),
                          (300_000, {400, 431, None})):
        run.among(http2.status(server, fields("/healthz") + [("x", "a" * length)]), right, f"{length} bytes in a field")
    # One field that the table of HPACK keeps, and then 20,000 references to it of a byte each: 80 MB when unpacked.
    connection = Connection(server)
    block = connection.state.encoder.encode(fields("/healthz") + [("bomb", "a" * 3_900)])
    with contextlib.suppress(OSError):
        connection.socket.sendall(frame(http2.HEADERS, END_STREAM | END_HEADERS, 1, block + b"\xbe" * 15_000))
        run.check(connection.status(1) is None, "a bomb of references is answered")
    # A block in frames of a byte, and one that never ends.
    for pieces, piece in ((2_000, b"\x82"), (50_000, b"")):
        connection = Connection(server)
        with contextlib.suppress(OSError):
            connection.socket.sendall(frame(http2.HEADERS, 0, 1, b"\x82"))
            for _ in range(pieces // 100):
                connection.socket.sendall(frame(http2.CONTINUATION, 0, 1, piece) * 100)
        connection.close()
    answers(run, server, "long lists of fields")
    run.bounded(server)


FLOODS = {
    "PING": frame(http2.PING, 0, 0, b"x" * 8), "SETTINGS": frame(http2.SETTINGS, 0, 0, b""),
    "SETTINGS with a new table each": frame(http2.SETTINGS, 0, 0, b"\0\1\0\0\x10\0\0\1\0\0\0\0"),
    "WINDOW_UPDATE": frame(http2.WINDOW, 0, 0, b"\0\0\0\1"), "PRIORITY": frame(http2.PRIORITY, 0, 3, b"\0\0\0\0\x10"),
    "PRIORITY of itself": frame(http2.PRIORITY, 0, 3, b"\0\0\0\3\xff"), "empty DATA": frame(http2.DATA, 0, 1, b""),
    "RST_STREAM": frame(http2.RESET, 0, 1, b"\0\0\0\x08"), "GOAWAY": frame(http2.GOAWAY, 0, 0, b"\0" * 8),
    "unknown frames": frame(0xEE, 0, 0, b"x" * 100), "PUSH_PROMISE": frame(http2.PUSH, END_HEADERS, 1, b"\0\0\0\2\x82"),
    "a window beyond 31 bits": frame(http2.WINDOW, 0, 0, b"\x7f\xff\xff\xff"),
    "a window of 0": frame(http2.WINDOW, 0, 0, b"\0\0\0\0"),
    "an initial window beyond 31 bits": frame(http2.SETTINGS, 0, 0, b"\0\4\xff\xff\xff\xff"),
    "frames of 16 MB": frame(http2.SETTINGS, 0, 0, b"\0\5\xff\xff\xff\xff"),
    "padding longer than its frame": frame(http2.DATA, 8, 1, b"\xff" + b"x" * 10), "noise": os.urandom(1_000),
    "trailers without an end": frame(http2.HEADERS, END_HEADERS, 1, b"\x82"),
    "a request on stream 0": frame(http2.HEADERS, END_HEADERS | END_STREAM, 0, b"\x82\x84\x87"),
    "a request on an even stream": frame(http2.HEADERS, END_HEADERS | END_STREAM, 2, b"\x82\x84\x87"),
}


@part(long=True, seconds=120)
def floods(run: Run):
    """Frames by the hundred thousand take little time and memory, or end their connection."""
    server = http2.serve(run, run.library(run.site().address + "/feed/a/2"))
    for name, data in FLOODS.items():
        before = server.processor
        connection = Connection(server)
        with contextlib.suppress(OSError):
            for _ in range(run.number(20, 400)):
                connection.socket.sendall(data * 500)
        connection.close()
        run.check(server.processor - before < run.number(3, 10), f"{name}: {server.processor - before:.1f} s of a core")
    answers(run, server, "floods")
    run.bounded(server)


@part(long=True, seconds=120)
def rapid_resets(run: Run):
    """Requests that are given up at once take little time, and no place of other clients."""
    server = http2.serve(run, run.library(run.site().address + "/feed/a/200"))
    reader = server.token("reader")
    asked = fields("/api/v1/images?limit=1000", reader)
    for _ in range(run.number(3, 30)):
        connection = Connection(server)
        with contextlib.suppress(OSError):
            for _ in range(1_000):
                stream = connection.state.get_next_available_stream_id()
                connection.state.send_headers(stream, asked, end_stream=True)
                connection.state.reset_stream(stream)
                if stream % 50 == 1:
                    connection.flush()
        connection.close()
    answers(run, server, "rapid resets")
    run.bounded(server)


@part(long=True, seconds=120)
def unread_streams(run: Run):
    """Streams that a client does not read are bounded for each client, and their memory comes back."""
    library = run.library(run.site().address + "/feed/a/300", originals=True)
    server = http2.serve(run, library)
    reader = server.token("reader")
    with http2.connect(server, "http/1.1") as plain:
        plain.sendall(f"GET /api/v1/images/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {reader}\r\n"
                      "Connection: close\r\n\r\n".encode())
        received = b""
        while piece := plain.recv(1 << 16):
            received += piece
    original = json.loads(received.partition(b"\r\n\r\n")[2])["original"]["sha256"]
    for path in (f"/o/{original}", "/api/v1/images?limit=1000"):
        connections = []
        for _ in range(run.number(15, 60)):
            connection = Connection(server, window=0)
            for _ in range(95):
                stream = connection.state.get_next_available_stream_id()
                connection.state.send_headers(stream, fields(path, reader), end_stream=True)
            with contextlib.suppress(OSError):
                connection.flush()
            connections.append(connection)
        time.sleep(1)
        run.check(http2.status(server, fields("/api/v1/images?limit=1", server.admin)) == 200,
                  f"another client during unread streams of {path[:10]}")
        for connection in connections:
            connection.close()
    time.sleep(1)
    run.equal(http2.status(server, fields("/api/v1/images?limit=1", reader)), 200, "the same client after that")
    run.bounded(server)


@part(long=True, seconds=120)
def trailers(run: Run):
    """Trailers, bodies by the byte and bodies beyond their length do not reach the library, and take little memory."""
    server = http2.serve(run, run.library(run.site().address + "/feed/a/2"))
    asked = fields("/api/v1/sync", server.admin, "POST") + [("content-type", "application/json")]
    for name, pieces, after in [
        ("a token in a trailer", [b"{}"], [("authorization", f"Bearer {server.admin}")]),
        ("a path in a trailer", [b"{}"], [(":path", "/healthz")]), ("1,000 trailers", [b"{}"], [("x", "y")] * 1_000),
        ("a body beyond a megabyte", [b" " * 16_000] * 80, None), ("bytes", [b" "] * 900, None),
    ]:
        body = fields("/api/v1/sync", None, "POST") if "token" in name else asked
        connection = Connection(server)
        found = None
        with contextlib.suppress(Exception):
            # The window may be too small for the rest, which then stays away.
            stream = connection.ask(body, ends=False)
            for piece in pieces:
                connection.state.send_data(stream, piece)
            if after is None:
                connection.state.end_stream(stream)
            else:
                connection.state.send_headers(stream, after, end_stream=True)
            connection.flush()
        with contextlib.suppress(OSError):
            connection.socket.settimeout(2)
            found = connection.status(1)
        connection.close()
        run.check(found is None or found == 202 and "token" not in name or 400 <= found < 500, f"{name}: {found}")
    answers(run, server, "trailers")
    run.bounded(server)


@part(long=True, seconds=120)
def handshakes(run: Run):
    """Half handshakes, plain text, noise and old versions at the port of TLS get nothing."""
    server = http2.serve(run, run.library(run.site().address + "/feed/a/2"))
    beginnings = [b"\x16\x03\x01", b"\x16\x03\x01\x40\0" + b"x" * 100, b"GET / HTTP/1.1\r\n\r\n", os.urandom(5_000)]
    for beginning in beginnings:
        for _ in range(run.number(50, 500)):
            connection = run.everything.enter_context(socket.create_connection(("127.0.0.1", server.port), 5))
            with contextlib.suppress(OSError):
                connection.sendall(beginning)
    answers(run, server, "half handshakes")
    for version in ("-tls1", "-tls1_1"):
        command = ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", version, "-cipher", "ALL:@SECLEVEL=0"]
        found = subprocess.run(command, input=b"", capture_output=True)
        run.check(b"Cipher is (NONE)" in found.stdout or found.returncode != 0, f"openssl s_client {version} connects")
    # Renegotiation by a client, which TLS 1.2 knows.
    command = ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_2"]
    found = subprocess.run(command, input=b"R\n" * 50, capture_output=True, timeout=30)
    run.check(found.stdout.count(b"RENEGOTIATING") <= 1, "the server renegotiates again and again")
    answers(run, server, "renegotiations")
    run.bounded(server)
