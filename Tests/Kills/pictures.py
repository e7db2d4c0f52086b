"""Pictures that depend only on their names and sizes, so that all of them differ."""
import functools
import random
import struct
import zlib


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


@functools.lru_cache(maxsize=512)
def picture(name: str, side: int = 40, padding: int = 0) -> bytes:
    """A PNG file of noise.

    `side` is its width and height in pixels, which determine the work of a decoder. `padding` is the length of
    a chunk that decoders ignore, and only makes the file longer.
    """
    chance = random.Random(f"{name} {side} {padding}")
    rows = b"".join(b"\0" + chance.randbytes(side * 3) for _ in range(side))
    return b"".join([
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)),
        _chunk(b"paDd", chance.randbytes(padding)) if padding else b"",
        _chunk(b"IDAT", zlib.compress(rows, 1)),
        _chunk(b"IEND", b""),
    ])
