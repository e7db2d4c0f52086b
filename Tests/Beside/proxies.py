"""nginx and Caddy in front of `gallery serve`, with many clients, odd ones, and a cache."""
import concurrent.futures
import contextlib
import json
import pathlib
import re
import shutil
import socket
import subprocess
import time

from weed import free_port

from .gallery import Feed, Gallery, ask, check, need, wait

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = 8
# Pictures that do not fit into the buffers of a proxy.
NOISE = 1_500_000
STREAMS = 500


class Front:
    """A proxy, with one port for HTTP/1.1 and one for HTTP/2 over TLS."""

    def __init__(self, command: list[str], ports: tuple[int, int], folder: pathlib.Path):
        (folder / "front").mkdir(exist_ok=True)
        self.port, self.secure_port = ports
        with (folder / "front/output").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder / "front",
                                             env={"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": str(folder / "front")})
        try:
            wait("the proxy", lambda: socket.create_connection(("127.0.0.1", self.port)).close() or True)
        except Exception:
            self.stop()
            raise

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)


def served(folder: pathlib.Path) -> tuple[Gallery, list[tuple[str, str]]]:
    """A served library with two feeds and originals; the hashes of a thumbnail and an original of each feed."""
    library = Gallery(str(folder / "library"), folder / "home")
    for name, first in (("open", 0), ("closed", 100)):
        feed = Feed(folder, name)
        feed.write({first + number: f"{name} {number}" for number in range(IMAGES)}, NOISE)
        library.run("sync", feed.path, "--originals", "--quiet")
    # The log has a line for each request.
    library.serve("--host", "photos.example", "--verbose")
    images = library.records("list", "--limit", "100")
    shown = {image["feed"]["id"]: image for image in images}
    originals = {}
    for id, image in shown.items():
        _, _, body = library.ask(f"/api/v1/images/{image['id']}")
        record = json.loads(body)
        originals[id] = record["thumbnail"]["sha256"], record["original"]["sha256"]
    return library, [originals[id] for id in sorted(originals)]


def nginx(folder: pathlib.Path, port: int, server: str = "") -> Front:
    """nginx with the lines of a server, by default those of a plain proxy."""
    need("nginx", "openssl")
    place, ports = folder / "front", (free_port(), free_port())
    place.mkdir()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=photos.example", "-days",
                    "1", "-keyout", place / "key", "-out", place / "certificate"], check=True, capture_output=True)
    plain = "server { location / { proxy_pass http://gallery; proxy_set_header Host $host; } }"
    listen = (f"server {{ listen 127.0.0.1:{ports[0]}; listen 127.0.0.1:{ports[1]} ssl http2;"
              f" ssl_certificate {place}/certificate; ssl_certificate_key {place}/key;")
    server = (server or plain).replace("/var/cache/nginx/gallery", f"{place}/cache").replace("server {", listen, 1)
    paths = "".join(f"{name}_temp_path {place}/{name};" for name in
                    ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (place / "nginx.conf").write_text(f"""
        daemon off; pid {place}/pid; error_log {place}/log; worker_rlimit_nofile 8192;
        events {{ worker_connections 4096; }}
        http {{ access_log off; {paths}
          upstream gallery {{ server 127.0.0.1:{port}; }}
          {server}
        }}""")
    return Front([shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-c", f"{place}/nginx.conf", "-p", str(place),
                  "-e", f"{place}/log"], ports, folder)


def caddy(folder: pathlib.Path, port: int) -> Front:
    """Caddy with its plain reverse proxy."""
    need("caddy")
    place, ports = folder / "front", (free_port(), free_port())
    place.mkdir()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=photos.example", "-days",
                    "1", "-keyout", place / "key", "-out", place / "certificate"], check=True, capture_output=True)
    (place / "Caddyfile").write_text(f"""
        {{ admin off
          auto_https off
        }}
        http://:{ports[0]} {{
          bind 127.0.0.1
          reverse_proxy 127.0.0.1:{port}
        }}
        https://:{ports[1]} {{
          bind 127.0.0.1
          tls {place}/certificate {place}/key
          reverse_proxy 127.0.0.1:{port}
        }}""")
    return Front(["caddy", "run", "--config", f"{place}/Caddyfile", "--adapter", "caddyfile"], ports, folder)


def behind(start):
    """The part for a proxy."""
    def part(folder: pathlib.Path) -> str:
        library, hashes = served(folder)
        try:
            front = start(folder, library.port)
            try:
                answers(library, front, hashes)
                streams(library, front)
                slow_reader(library, front, hashes[0][1])
                over_http2(library, front, hashes[0][1])
                return smuggling(library, front)
            finally:
                front.stop()
        finally:
            library.stop()

    part.__doc__ = "Pages, ranges, events, long polls, HTTP/2, slow readers and odd requests through a proxy."
    return part


def answers(library: Gallery, front: Front, hashes: list[tuple[str, str]]) -> None:
    original = hashes[0][1]
    whole = library.ask(f"/o/{original}")[2]
    check(len(whole) > NOISE, f"the original has {len(whole)} bytes")
    for path in ["/", "/feeds", "/api/v1/feeds", "/api/v1/changes", "/api/v1/timeline", "/images.rss", f"/o/{original}",
                 f"/t/{hashes[0][0]}", "/api/v1/openapi.json", "/healthz"]:
        direct, through = library.ask(path), library.ask(path, port=front.port)
        check(through[0] == direct[0] == 200, f"{path}: {through[0]} and {direct[0]}")
        fields = ["Cache-Control", "Content-Type"]
        # Pages have a nonce, and feeds the address that the client has asked.
        if path not in ("/", "/feeds", "/images.rss"):
            fields.append("ETag")
            check(through[2] == direct[2], f"{path}: other bytes")
        for field in fields:
            one, other = through[1].get(field), direct[1].get(field)
            check(one == other, f"{path}: {field} {one} and {other}")
    for value, part in [("bytes=10-19", whole[10:20]), ("bytes=-7", whole[-7:]), (f"bytes={len(whole) - 3}-", whole[-3:]),
                        ("bytes=0-9223372036854775807", whole)]:
        status, _, body = library.ask(f"/o/{original}", port=front.port, Range=value)
        check(status == 206 and body == part, f"{value}: {status}, {len(body)} bytes")
    status, *_ = library.ask(f"/o/{original}", port=front.port, Range=f"bytes={len(whole)}-")
    check(status == 416, f"a range behind the end: {status}")
    check(ask(front.port, "/api/v1/feeds")[0] == 401, "without a token")
    status, fields, _ = ask(front.port, f"/?token={library.token}", Accept="text/html", Sec_Fetch_Mode="navigate")
    cookie = fields.get("Set-Cookie", "").partition(";")[0]
    check(status in (302, 303) and ask(front.port, "/", Cookie=cookie, Accept="text/html")[0] == 200,
          f"a session: {status}")
    check(ask(front.port, "/", token=library.token, Host="photos.example")[0] == 200, "the name of the server")
    status, *_ = ask(front.port, "/", token=library.token, Host="other.example")
    check(400 <= status < 500, f"a foreign name: {status}")
    status, *_ = ask(front.port, "/websub/unknown", method="POST", data=b"x" * 900_000)
    check(status in (401, 404, 405, 410), f"a delivery without a subscription: {status}")


def stream(port: int, token: str) -> socket.socket:
    """Opens a stream of events."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    return connection


def read_until(connection: socket.socket, text: bytes, have: bytes = b"") -> bytes:
    end = time.monotonic() + 30
    while text not in have:
        check(time.monotonic() < end, f"'{text}' is not in {have[-300:]}")
        data = connection.recv(65_536)
        check(data, f"the stream ended: {have[-300:]}")
        have += data
    return have


def streams(library: Gallery, front: Front) -> None:
    """Events and long polls arrive at once, on hundreds of connections."""
    tokens = [library.run("token", "add", f"stream{number}").strip().splitlines()[-1] for number in range(STREAMS // 100)]
    with contextlib.ExitStack() as stack:
        open_streams = [stack.enter_context(stream(front.port, tokens[number % len(tokens)]))
                        for number in range(STREAMS)]
        for connection in open_streams:
            head = read_until(connection, b"\n\n")
            check(b" 200 " in head.splitlines()[0], f"a stream: {head[:200]}")
        cursor = json.loads(library.ask("/api/v1/changes?limit=1000")[2].splitlines()[-1])["cursor"]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            poll = pool.submit(library.ask, f"/api/v1/changes?since={cursor}&wait=25", port=front.port)
            time.sleep(0.5)
            begin = time.monotonic()
            library.ask("/api/v1/images/1/pin", "PUT", port=front.port)
            status, _, body = poll.result()
            seconds = time.monotonic() - begin
            check(status == 200 and b'"pin"' in body and seconds < 10, f"a long poll: {status} after {seconds:.1f} s")
        for connection in open_streams:
            read_until(connection, b"data:")
        check(time.monotonic() - begin < 20, "events are late")
    begin = time.monotonic()
    cursor = json.loads(library.ask("/api/v1/changes?limit=1000")[2].splitlines()[-1])["cursor"]
    status, _, body = library.ask(f"/api/v1/changes?since={cursor}&wait=3", port=front.port)
    check(status == 200 and body.count(b"\n") == 1, f"a long poll without news: {status}")
    check(time.monotonic() - begin >= 2.5, "a long poll does not wait")


def slow_reader(library: Gallery, front: Front, original: str) -> None:
    """A client that reads slowly gets everything, and others are served."""
    whole = library.ask(f"/o/{original}")[2]
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    with connection:
        connection.settimeout(300)
        connection.connect(("127.0.0.1", front.port))
        connection.sendall(f"GET /o/{original} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                           f"Authorization: Bearer {library.token}\r\n\r\n".encode())
        data = connection.recv(1_000)
        for _ in range(20):
            time.sleep(0.1)
            data += connection.recv(1_000)
            check(library.ask("/healthz", port=front.port)[0] == 200, "others are not served")
        while more := connection.recv(65_536):
            data += more
    check(data.partition(b"\r\n\r\n")[2] == whole, "a slow reader got something else")


def over_http2(library: Gallery, front: Front, original: str) -> None:
    need("curl")
    done = subprocess.run(
        ["curl", "-sS", "--http2", "-k", "-w", "%{http_version} %{http_code}", "-o", "/dev/null", "--resolve",
         f"photos.example:{front.secure_port}:127.0.0.1", "-H", f"Authorization: Bearer {library.token}", "--max-time",
         "300", f"https://photos.example:{front.secure_port}/o/{original}"], capture_output=True, text=True)
    check(done.stdout == "2 200", f"HTTP/2: {done.stdout} {done.stderr}")


def smuggling(library: Gallery, front: Front) -> str:
    """No request is seen by the server that the proxy has not seen as a request."""
    hidden = b"GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    chunked = b"0\r\n\r\n" + hidden
    size = str(len(hidden)).encode()
    heads = {
        "length and coding": (b"Content-Length: " + str(len(chunked)).encode() + b"\r\nTransfer-Encoding: chunked", chunked),
        "coding after a space": (b"Content-Length: 5\r\nTransfer-Encoding : chunked", chunked),
        "coding with a tab": (b"Content-Length: " + str(len(chunked)).encode() + b"\r\nTransfer-Encoding:\tchunked", chunked),
        "unknown coding": (b"Content-Length: " + str(len(chunked)).encode() + b"\r\nTransfer-Encoding: xchunked", chunked),
        "two codings": (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", chunked),
        "two lengths": (b"Content-Length: 0\r\nContent-Length: " + size, hidden),
        "lengths in a list": (b"Content-Length: 0, " + size, hidden),
        "length with a sign": (b"Content-Length: +" + size, hidden),
        "folded coding": (b"Content-Length: " + str(len(chunked)).encode() + b"\r\nX: y\r\n Transfer-Encoding: chunked", chunked),
        "line feeds": (b"Content-Length: " + str(len(chunked)).encode() + b"\nTransfer-Encoding: chunked", chunked),
        "chunk with an extension": (b"Transfer-Encoding: chunked", b"0;a=\"\r\n\r\n" + hidden),
        "chunk size too large": (b"Transfer-Encoding: chunked", b"FFFFFFFFFFFFFFFFF0\r\n" + hidden),
        "expectation": (b"Expect: 100-continue\r\nContent-Length: " + size, hidden),
        "upgrade": (b"Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: " + size, hidden),
    }
    statuses = []
    for name, (head, body) in heads.items():
        with socket.create_connection(("127.0.0.1", front.port), timeout=3) as connection:
            connection.sendall(b"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + head + b"\r\n\r\n" + body)
            data = b""
            with contextlib.suppress(OSError):
                while more := connection.recv(65_536):
                    data += more
        found = re.findall(rb"HTTP/1.1 (\d+)", data)
        check(len([status for status in found if status != b"100"]) <= 1, f"{name}: {found}")
        statuses.append(found[-1].decode() if found else "closed")
    # All requests that follow get their own answers.
    for _ in range(10):
        status, _, body = library.ask("/api/v1/feeds", port=front.port)
        check(status == 200 and b"open" in body, f"an answer of another request: {status}")
    library.server.terminate()
    log = library.server.communicate(timeout=60)[1]
    library.server = None
    check("/healthz" in log, f"the log has no requests: {log[-500:]}")
    check("smuggled" not in log, f"a hidden request: {[line for line in log.splitlines() if 'smuggled' in line]}")
    return f"{len(statuses)} odd requests: {' '.join(sorted(set(statuses)))}"


def cache(folder: pathlib.Path) -> str:
    """nginx with a cache, by the lines of Documentation/Scale.md, gives a limited token no other picture."""
    page = (CHECKOUT / "Documentation/Scale.md").read_text()
    lines = re.search(r"```nginx\n(.*?)```", page, re.S).group(1)
    library, [(thumbnail, original), (other_thumbnail, other_original)] = served(folder)
    try:
        front = nginx(folder, library.port, lines)
        try:
            return limits(library, front, [f"/t/{thumbnail}", f"/o/{original}"],
                          [f"/t/{other_thumbnail}", f"/o/{other_original}"])
        finally:
            front.stop()
    finally:
        library.stop()


def limits(library: Gallery, front: Front, own: list[str], others: list[str]) -> str:
    feeds = library.records("feeds")
    feed = str(next(feed["id"] for feed in feeds if feed["title"] == "open"))
    limited = library.run("token", "add", "limited", "--feed", feed).strip().splitlines()[-1]
    secrets = {library.ask(path)[2]: path for path in others}
    pictures = {path: library.ask(path)[2] for path in own + others}

    def leaks(when: str) -> int:
        count = 0
        for path, allowed in zip(others, own):
            hash, name = path.rpartition("/")[2], allowed.rpartition("/")[2]
            kind = path[:3]
            forms = [path, path + "?", path + "?x=1", path + f"?token={limited}", kind + "/" + hash, "/" + path, kind + "./" + hash,
                     f"{kind}{name}/../{hash}", f"{kind}{name}%2f..%2f{hash}", f"{kind}{name}/%2e%2e/{hash}",
                     f"{kind}{hash}%23{name}", f"{kind}{hash}%3f{name}", f"{kind}{hash}#{name}", f"{kind}{hash};{name}",
                     f"{kind}{name}/..%2f{hash}", f"{kind}{name}/..;/{hash}", f"{kind}{hash[:1]}%{ord(hash[1]):02x}{hash[2:]}",
                     f"{kind}{hash.upper()}", f"http://127.0.0.1{path}", f"{kind}{hash}%20", f"{kind}{hash}%00", f"{kind}{hash}/",
                     f"{kind}{name}\\..\\{hash}", f"/picture-access", f"/x/..{path}"]
            asked = [("GET", form, "") for form in forms] + [("HEAD", path, ""), ("POST", path, "")]
            asked += [("GET", path, extra) for extra in (
                "Range: bytes=0-99\r\n", 'If-None-Match: "x"\r\n', "X-Original-URI: /\r\n", "Cookie: gallery=x\r\n",
                "Transfer-Encoding: identity\r\n", "X-Accel-Redirect: /\r\n", "X-Original-Method: GET\r\n")]
            for method, form, extra in asked:
                for token in (limited, ""):
                    count += 1
                    answer = raw(front.port, method, form, token, extra)
                    body = answer.partition(b"\r\n\r\n")[2]
                    is_picture = any(body and (body[:64] == secret[:64] or body in secret) for secret in secrets)
                    check(not is_picture and b"image/png" not in answer[:600],
                          f"{when}, {method} {form} {extra}{'limited' if token else 'no'} token: {answer[:200]}")
        return count

    count = leaks("with an empty cache")
    for path, picture in pictures.items():
        for _ in range(2):
            status, _, body = library.ask(path, port=front.port)
            check(status == 200 and body == picture, f"{path}: {status}")
    for path in own:
        status, _, body = ask(front.port, path, token=limited)
        check(status == 200 and body == pictures[path], f"an own picture {path}: {status}")
        check(ask(front.port, path)[0] in (401, 403), "without a token")
        status, _, body = ask(front.port, path, token=limited, Range="bytes=5-9")
        check(status == 206 and body == pictures[path][5:10], f"a part of an own picture: {status}")
    count += leaks("with a full cache")
    check(ask(front.port, "/t/" + "0" * 64, token=limited)[0] in (403, 404), "a picture that is missing")
    library.run("token", "remove", "limited")
    wait("the end of a token", lambda: ask(front.port, own[0], token=limited)[0] in (401, 403))
    # The cache answers while the server only checks.
    before = library.ask("/metrics")[2]
    check(b"gallery_" in before, "no metrics")
    return f"{count} requests for pictures of others"


def raw(port: int, method: str, target: str, token: str, fields: str) -> bytes:
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 0\r\n"
                           f"{authorization}{fields}\r\n".encode())
        data = b""
        with contextlib.suppress(OSError):
            while more := connection.recv(65_536):
                data += more
        return data
