"""Galleries that send other pictures than they name, too much of them, or send the copy elsewhere for them."""

import hashlib
import zlib

from Kills.pictures import _chunk

from .common import Run, part
from .galleries import Gallery, check_sound, feed, image, rows, sha256


def originals(library) -> list[str]:
    """The hashes by which the files of originals are named, and those of their content."""
    files = sorted((library / "originals").glob("*/*")) if (library / "originals").exists() else []
    return [(file.name.partition(".")[0], hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]


@part(long=True, seconds=120)
def wrong_thumbnails(run: Run):
    """A thumbnail that does not match its hash is never stored, whatever pack, offset and length its line names."""
    source = Gallery(run)
    good = [source.picture(f"thumbnail {number}") for number in range(20)]
    packed = b"".join(source.pictures[one["sha256"]] for one in good)
    pack = sha256(packed)
    offsets, place = [], 0
    for one in good:
        offsets.append(place)
        place += one["bytes"]

    def line(number: int, **more) -> dict:
        return image(
            number + 1, thumbnail=good[number] | {"pack": {"sha256": pack, "offset": offsets[number]}} | more
        )

    whole = [feed(), *[line(number) for number in range(20)]]

    def served(body: bytes, status: int = 200, **fields):
        def answer(request, path, query):
            if path == f"/p/{pack}":
                request.send(body, status, **fields)
            return path == f"/p/{pack}"

        return answer

    cases = {
        "a right pack": (whole, served(packed)),
        "a pack with a turned bit": (whole, served(bytes([packed[0] ^ 1]) + packed[1:])),
        "a pack that is short": (whole, served(packed[:99])),
        "a part that was not asked for": (whole, served(packed, 206, Content_Range="bytes 5-9/10")),
        "a pack in another place": (whole, served(b"", 302, Location="file:///etc/passwd")),
        "overlapping places": (
            [feed(), *[line(number, pack={"sha256": pack, "offset": number}) for number in range(20)]],
            served(packed),
        ),
        "places behind the end": (
            [feed(), *[line(number, pack={"sha256": pack, "offset": (1 << 30) - 5}) for number in range(20)]],
            served(packed),
        ),
        "lengths beyond the limit": ([feed(), *[line(number, bytes=(8 << 20) + 1) for number in range(20)]], None),
        "lengths of 0": ([feed(), *[line(number, bytes=0) for number in range(20)]], None),
    }
    for name, (changes, answer) in cases.items():
        source.pages, source.answer = [changes], answer
        library = run.folder / name.replace(" ", "-")
        run.gallery(library, "sync", source.address, status=None)
        names = rows(library, "SELECT lower(hex(thumbnail_sha256)) FROM image WHERE thumbnail_sha256 IS NOT NULL")
        run.check({digest for digest, in names} <= set(source.pictures), f"{name}: {names[:2]}")
        check_sound(run, library)
    run.equal(len(rows(run.folder / "a-right-pack", "SELECT 1 FROM thumbnail")), 20, "thumbnails of a right pack")


def large_png(side: int, colour: int) -> bytes:
    row = b"\0" + bytes([colour, 9, 9]) * side
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = side.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


@part(long=True, seconds=120)
def large_thumbnails(run: Run):
    """Thumbnails of many pixels are made smaller once, and cost nothing afterwards."""
    source, changes = Gallery(run), [feed()]
    for number in range(1, run.number(2, 8)):
        data = large_png(12_000, number)
        source.pictures[sha256(data)] = data
        changes.append(
            image(
                number,
                thumbnail={
                    "sha256": sha256(data),
                    "type": "image/png",
                    "bytes": len(data),
                    "width": 99,
                    "height": 99,
                },
            )
        )
    source.pages = [changes]
    library = run.folder / "copy"
    run.gallery(library, "sync", source.address, seconds=100)
    sides = rows(library, "SELECT max(thumbnail_width, thumbnail_height) FROM image")
    run.check(bool(sides) and all(side <= 640 for side, in sides), f"stored thumbnails: {sides}")
    run.gallery(library, "verify", processor=5)
    run.gallery(library, "list", "--pictures", "always", processor=5)


@part(long=True, seconds=120)
def wrong_originals(run: Run):
    """An original that does not match its hash is never stored, also after ranges, tags and redirects that lie."""
    source = Gallery(run)
    right = source.picture("original", padding=200_000)
    data = source.pictures[right["sha256"]]
    other = Gallery(run)
    source.pages = [[feed(), image(1, original=right)]]

    def served(send):
        def answer(request, path, query):
            if path == f"/o/{right['sha256']}":
                send(request)
            return path == f"/o/{right['sha256']}"

        return answer

    def half(request, status: int, tag: str, first: int):
        request.send_response_only(status)
        for name, value in {
            "Content-Type": "image/png",
            "Content-Length": str(len(data) - first),
            "ETag": tag,
            **({"Content-Range": f"bytes {first}-{len(data) - 1}/{len(data)}"} if status == 206 else {}),
        }.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(data[first : first + 60_000])
        request.close_connection = True

    def lying_range(request):
        # The rest after a break belongs to another place than its field says.
        if "Range" not in request.headers:
            return half(request, 200, '"a"', 0)
        request.send(
            data[5:], 206, kind="image/png", ETag='"a"', Content_Range=f"bytes 60000-{len(data) + 59_994}/{len(data)}"
        )

    tags = iter(f'"{number}"' for number in range(1 << 30))
    cases = {
        "a turned bit": lambda request: request.send(
            data[:-30] + bytes([data[-30] ^ 1]) + data[-29:], kind="image/png"
        ),
        "a part without being asked": lambda request: request.send(
            data, 206, kind="image/png", Content_Range=f"bytes 0-{len(data) - 1}/{len(data)}"
        ),
        "a tag that changes": lambda request: half(
            request,
            206 if "Range" in request.headers else 200,
            next(tags),
            60_000 if "Range" in request.headers else 0,
        ),
        "a range that lies": lying_range,
        "a longer picture": lambda request: request.send(data + bytes(1 << 20), kind="image/png"),
        "a page": lambda request: request.send("<html>log in</html>", kind="text/html"),
        "unchanged": lambda request: request.send(status=304),
        "a redirect to itself": lambda request: request.send(status=302, Location=request.path),
        "a redirect to another gallery": lambda request: request.send(
            status=302, Location=other.base + request.path[1:]
        ),
    }
    for name, send in cases.items():
        source.answer = served(send)
        library = run.folder / name.replace(" ", "-")
        run.gallery(library, "sync", "--originals", source.address, status=None, seconds=110)
        run.check(
            all(named == found == right["sha256"] for named, found in originals(library)),
            f"{name}: {originals(library)}",
        )
        run.gallery(library, "show", "1", status=None, seconds=110)
        run.check(
            all(named == found == right["sha256"] for named, found in originals(library)),
            f"{name}, shown: {originals(library)}",
        )
        check_sound(run, library)


@part(long=True)
def replaced_images(run: Run):
    """A gallery that replaces every image loses no original that the user has pinned."""
    source = Gallery(run)
    source.pages = [
        [feed(), *[image(number, original=source.picture(f"o{number}", padding=9_000)) for number in range(1, 9)]]
    ]
    library = run.folder / "copy"
    run.gallery(library, "sync", "--originals", source.address)
    run.gallery(library, "pin", "1", "2")
    before = dict(originals(library))
    source.pages.append(
        [
            image(
                number,
                5,
                title="other",
                originalURL=f"http://192.0.2.9/{number}.png",
                original=source.picture(f"x{number}", padding=9_000),
            )
            for number in range(1, 9)
        ]
    )
    run.gallery(library, "sync", "--originals")
    run.gallery(library, "clean")
    kept = dict(originals(library))
    run.note(f"{len(before.keys() & kept.keys())} of 8 former originals kept")
    run.gallery(library, "list", "--pinned")
    check_sound(run, library)
