"""Where the bytes of thumbnails are: in packs, or in the rows that earlier versions wrote."""
import pathlib


def pack_path(library: pathlib.Path, number: int) -> pathlib.Path:
    return library / "thumbnails" / f"{number}.pack"


def thumbnail_bytes(library: pathlib.Path, pack: int | None, position: int | None,
                    count: int | None, data: bytes) -> bytes:
    """What the columns `pack_id`, `position`, `bytes` and `data` of a row name."""
    if pack is None:
        return data
    with pack_path(library, pack).open("rb") as file:
        file.seek(position)
        return file.read(count)
