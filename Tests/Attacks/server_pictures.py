"""Pictures while they arrive, and renderings of the IIIF Image API."""
import contextlib
import hashlib
import io
import json
import socket
import threading
import time
import urllib.parse

from Kills.pictures import picture
from PIL import Image

from .common import Run, part
from .processes import Server, children, peak
from .sites import Request, photographs

EXTREMES = ["0", "1", "-1", "0.0001", "1e3", "1e308", "nan", "inf", "9223372036854775807", "9223372036854775808",
            "9" * 300, "0x10", "٣", "", " 1", "+1", "1.", ".5", "00001", "%00", "99.99999999999999"]


def png(width: int, height: int) -> bytes:
    """A picture of one colour, whose file is short."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (9, 99, 199)).save(buffer, "PNG", compress_level=9)
    return buffer.getvalue()


def served(run: Run, *sizes: tuple[int, int]) -> tuple[Server, list[str]]:
    """A server whose originals have these sizes, and their hashes."""
    pictures = [png(*size) for size in sizes]
    def answer(request: Request):
        if request.words[0] == "original":
            number = int(request.words[1].rpartition("-")[2].removesuffix(".png"))
            return request.send(pictures[number], kind="image/png")
        photographs(request)
    library = run.library(f"{run.site(answer).address}/feed/a/{len(sizes)}", originals=True)
    return run.serve(library), [hashlib.sha256(data).hexdigest() for data in pictures]


@part(long=True, seconds=120)
def extreme_renderings(run: Run):
    """A region, a size or a rotation with extreme numbers gives a picture or an error, and never a larger picture."""
    server, [digest] = served(run, (600, 400))
    reader = server.token("reader")
    paths = []
    for number in EXTREMES:
        regions = [f"{number},0,10,10", f"0,{number},10,10", f"0,0,{number},{number}", f"pct:{number},0,10,10",
                   f"pct:0,0,{number},{number}", f"599,399,{number},{number}"]
        sizes = [f"{number},", f",{number}", f"{number},{number}", f"!{number},{number}", f"pct:{number}",
                 f"^{number},", f"^!{number},{number}", f"^pct:{number}", f"1,{number}"]
        paths += [f"{region}/max/0/default.jpg" for region in regions]
        paths += [f"full/{size}/0/default.jpg" for size in sizes]
        paths += [f"full/10,/{number}/default.jpg", f"full/10,/!{number}/default.jpg", f"full/10,/0/{number}.jpg",
                  f"full/10,/0/default.{number}", f"{number}/max/0/default.jpg", f"full/{number}/0/default.jpg"]
    paths += ["square/max/0/default.jpg/x", "full/max/0/default", "full/max/0/.jpg", "full/max/0/default.jpg.png",
              "full/^max/0/default.svg", "full/max/0/default.gif", "full/max/0/" + "a" * 9_000, "full/" + "!" * 9_000,
              "%66ull/max/0/default.jpg", "full%2Fmax/0/default.jpg", "1,1,1,1/1,1/!359.9999/gray.png"]
    if not run.is_long:
        paths = run.chance.sample(paths, 60)
    for path in paths:
        answer = server.ask(f"/iiif/image/{digest}/{urllib.parse.quote(path, safe='/,:!^%')}", token=reader)
        run.check(answer.status in (200, 400, 404, 501), f"{path[:60]}: {answer.status} {answer.body[:80]}")
        run.check(answer.status != 200 or len(answer.body) < 2_000_000, f"{path[:60]}: {len(answer.body)} bytes")
    run.bounded(server)


@part(long=True, long_seconds=900)
def heavy_renderings(run: Run):
    """Renderings of huge pictures, also abandoned ones, leave lists quick, and other clients get their turn."""
    server, digests = served(run, (12_000, 12_000), (20_000, 20_000), (6_000, 6_000))
    reader, other = server.token("reader"), server.token("other")
    def abandon(number: int):
        with server.connect() as connection:
            path = f"/iiif/image/{digests[number % 3]}/0,0,{2_000 + number},2000/max/0/default.png"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                               f"Authorization: Bearer {reader}\r\n\r\n".encode())
            time.sleep(0.01)
    for number in range(60):
        abandon(number)
    begin = time.monotonic()
    answer = server.ask(f"/iiif/image/{digests[2]}/0,0,100,100/max/0/default.jpg", token=other, seconds=200)
    run.among(answer.status, {200, 501, 504}, "a rendering after 60 abandoned ones")
    run.note(f"a rendering after 60 abandoned ones {time.monotonic() - begin:.0f} s")
    statuses: list[int] = []
    def render(number: int):
        path = f"/iiif/image/{digests[number % 3]}/{number},{number},3000,3000/max/0/default.png"
        with contextlib.suppress(OSError):
            statuses.append(server.ask(path, token=reader, seconds=400).status)
    threads = [threading.Thread(target=render, args=[number], daemon=True) for number in range(130)]
    for thread in threads:
        thread.start()
    decoders = 0.0
    end = time.monotonic() + 60
    while time.monotonic() < end and any(thread.is_alive() for thread in threads):
        run.equal(server.ask("/api/v1/images?limit=1", token=other).status, 200, "the list during renderings")
        decoders = max(decoders, max((peak(pid) for pid in children(server.pid)), default=0))
        time.sleep(0.5)
    run.check(decoders < 384, f"a decoder used {decoders:.0f} MB")
    run.check(all(status in (200, 429, 501, 504) for status in statuses), f"renderings: {set(statuses)}")
    run.bounded(server)


def stranger(number: int, length: int) -> bytes:
    """A picture with noise behind its pixels."""
    return picture(f"arriving {number}", padding=length)


@part(long=True, seconds=120)
def changed_originals(run: Run):
    """An original that becomes another picture on its way ends early, without a byte of the other one."""
    smuggled = b"HTTP/1.1 200 OK\r\nContent-Length: 23\r\n\r\n{\"answer\":\"a stranger\"}\n"
    first = stranger(1, 3_000_000)
    seconds = {"longer": stranger(2, 4_000_000), "as long": stranger(3, 3_000_000), "shorter": stranger(4, 100_000),
               "with an answer": first[:-20] + smuggled * 2_000, "a page": b"<script>1</script>" * 10_000}
    names = list(seconds)
    asked: dict[str, int] = {}
    def answer(request: Request):
        if request.words[0] != "original":
            return photographs(request)
        asked[request.path] = asked.get(request.path, 0) + 1
        kind = names[int(request.words[1].rpartition("-")[2].removesuffix(".png"))]
        if asked[request.path] > 1:
            return request.send(seconds[kind], kind="image/png", ETag='"b"')
        request.send_response_only(200)
        for name, value in {"Content-Type": "image/png", "Content-Length": str(len(first)), "ETag": '"a"'}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(first[:len(first) * 5 // 6])
        request.wfile.flush()
        request.connection.shutdown(socket.SHUT_RDWR)
        request.close_connection = True
    library = run.library(f"{run.site(answer).address}/feed/a/{len(names)}")
    server = run.serve(library)
    images = json.loads(server.ask("/api/v1/images").body)["images"]
    for image in images:
        kind = names[int(image["title"].rpartition(" ")[2])]
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            connection.settimeout(15)
            connection.connect(("127.0.0.1", server.port))
            ask = f"Host: 127.0.0.1\r\nAuthorization: Bearer {server.admin}\r\n\r\n"
            connection.sendall(f"GET /images/{image['id']}/original HTTP/1.1\r\n{ask}"
                               f"GET /healthz HTTP/1.1\r\n{ask}".encode())
            time.sleep(0.3)
            received = b""
            with contextlib.suppress(OSError):
                while piece := connection.recv(1 << 16):
                    received += piece
        head, _, body = received.partition(b"\r\n\r\n")
        run.check(head.startswith(b"HTTP/1.1 200"), f"{kind}: {head[:40]}")
        is_beginning = first.startswith(body) and len(body) < len(first)
        run.check(is_beginning, f"{kind}: {len(body)} bytes, not of the first picture")
        run.check(b"a stranger" not in received, f"{kind}: the stranger's answer is sent")
    run.gallery(library, "verify")
    run.bounded(server)


@part(long=True, seconds=120)
def lying_originals(run: Run):
    """Originals whose server lies about lengths, stalls or sends pages are not stored, and few wait at once."""
    whole = stranger(1, 200_000)
    kinds = ["short", "long", "page", "no length", "huge length", "negative length", "stalls"]
    def answer(request: Request):
        if request.words[0] != "original":
            return photographs(request)
        kind = kinds[int(request.words[1].rpartition("-")[2].removesuffix(".png"))]
        if kind == "page":
            return request.send("<html>" + "x" * 50_000, kind="image/png")
        length = {"short": len(whole) + 1_000, "long": len(whole) - 1_000, "huge length": 1 << 62,
                  "negative length": -5, "stalls": len(whole)}.get(kind)
        request.send_response_only(200)
        request.send_header("Content-Type", "image/png")
        if length is not None:
            request.send_header("Content-Length", str(length))
        request.end_headers()
        request.wfile.write(whole if kind != "stalls" else whole[:10_000])
        request.wfile.flush()
        if kind == "stalls":
            time.sleep(20)
        request.close_connection = True
    library = run.library(f"{run.site(answer).address}/feed/a/{len(kinds)}")
    server = run.serve(library)
    for image in json.loads(server.ask("/api/v1/images").body)["images"]:
        kind = kinds[int(image["title"].rpartition(" ")[2])]
        received = b""
        with server.connect(3) as connection, contextlib.suppress(OSError):
            connection.sendall(f"GET /images/{image['id']}/original HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                               f"Authorization: Bearer {server.admin}\r\nConnection: close\r\n\r\n".encode())
            while piece := connection.recv(1 << 16):
                received += piece
        head, _, body = received.partition(b"\r\n\r\n")
        declared = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        is_whole = head[9:12] == b"200" and declared == [len(body)]
        # The picture of "long" has the length that its server declared.
        run.check(not is_whole or kind == "long", f"{kind}: a whole answer of {len(body)} bytes")
        run.check(b"<html>" not in body, f"{kind}: a page as a picture")
    run.gallery(library, "verify")
    run.bounded(server)
