"""Where the bytes of thumbnails are."""
import pathlib


def pack_path(library: pathlib.Path, number: int) -> pathlib.Path:
    return library / "thumbnails" / f"{number}.pack"


def thumbnail_bytes(library: pathlib.Path, pack: int, offset: int, count: int) -> bytes:
    """What the columns `pack_id`, `offset` and `bytes` of a row name."""
    with pack_path(library, pack).open("rb") as file:
        file.seek(offset)
        return file.read(count)
