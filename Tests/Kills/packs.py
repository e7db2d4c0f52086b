"""The files of packs, and the bytes of thumbnails in them."""
import pathlib


def pack_path(library: pathlib.Path, number: int) -> pathlib.Path:
    return library / "thumbnails" / f"{number}.pack"


def thumbnail_bytes(library: pathlib.Path, pack: int, offset: int, count: int) -> bytes:
    """The bytes of a thumbnail, from the columns `pack_id`, `offset` and `bytes` of its row."""
    with pack_path(library, pack).open("rb") as file:
        file.seek(offset)
        return file.read(count)


def spoil(path: pathlib.Path, position: int):
    """Changes one byte of a file."""
    with path.open("r+b") as file:
        file.seek(position)
        byte = file.read(1)[0]
        file.seek(position)
        file.write(bytes([byte ^ 1]))
