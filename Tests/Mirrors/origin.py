"""The gallery that is mirrored."""
import json
import pathlib
import random
import struct
import zlib
from collections.abc import Callable

from .gallery import Library

IMAGES = 380
THUMBNAIL_BYTES = 185 << 10
# Makes a library. A library in PostgreSQL ignores the folder.
Make = Callable[[pathlib.Path], Library]


def picture(number: int) -> bytes:
    """A PNG image of one colour, with a chunk of noise that decoders ignore."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    noise = random.Random(number).randbytes(THUMBNAIL_BYTES)
    pixels = b"".join(b"\0" + bytes([number % 256, number // 256, 99]) * 8 for _ in range(6))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 6, 8, 2, 0, 0, 0))
            + chunk(b"noIz", noise) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


class Origin:
    """The gallery, before a change and after it."""

    def __init__(self, folder: pathlib.Path, make: Make):
        self._folder = folder
        self._pictures = folder / "pictures"
        self._pictures.mkdir()
        for number in range(IMAGES + 60):
            (self._pictures / f"{number}.png").write_bytes(picture(number))
        self.library = make(folder / "origin")
        self.library.run("sync", self._list("a.json", range(IMAGES), "First"), self._list("b.json", range(5), "Other"))
        # The first start of the server makes the token, and the first request for changes the key, so that the restored
        # gallery has the same ones.
        port, token = self.library.serve()
        self.library.request("GET", "/api/v1/changes?limit=1", port, token)
        self.library.kill_server()
        self._backup = self.library.copy(folder / "backup")

    def _list(self, name: str, numbers, title: str) -> str:
        path = self._folder / name
        path.write_text(json.dumps([{
            "id": f"entry {number}", "title": f"{title} {number % 7}",
            "date": f"20{10 + number % 15}-0{1 + number % 9}-01T00:00:00Z",
            "url": f"https://127.0.0.1:9/{number}.jpg",
            "thumbnail": (self._pictures / f"{number}.png").as_uri(),
        } for number in numbers]))
        return str(path)

    def restored(self) -> Library:
        """The gallery with the database from before the change, and with another change."""
        restored = self.library.restored(self._backup, self._folder / "restored")
        restored.run("pin", "2")
        return restored

    def change(self):
        library = self.library
        port, token = library.serve()
        kept = [number for number in range(IMAGES) if number % 11]
        added = range(IMAGES, IMAGES + 60)
        library.run("sync", self._list("a.json", [*added, *kept], "Second"))
        for image in range(1, 40, 3):
            library.request("PUT", f"/api/v1/images/{image}/pin", port, token)
        feeds = library.ask("SELECT id FROM feed WHERE identity LIKE '%b.json'")
        library.request("DELETE", f"/api/v1/feeds/{feeds[0][0]}", port, token)
        library.kill_server()
