"""Changes to a library before a phase, so that there is something to repair or to clean."""
import os
import time

from .library import Library
from .packs import spoil


def damage(library: Library):
    """Damages every fifth thumbnail and every third original. In turn, an original is changed by one byte, cut in
    half, or deleted."""
    library.spoil_thumbnails()
    for number, path in enumerate(library.original_files()[::3]):
        match number % 3:
            case 0:
                spoil(path, path.stat().st_size // 2)
            case 1:
                os.truncate(path, path.stat().st_size // 2)
            case _:
                path.unlink()


def litter(library: Library):
    """Puts stray files and old partial files into a library."""
    strange = library.folder / "originals" / "00"
    strange.mkdir(exist_ok=True)
    for number in range(40):
        (strange / f"{number:064x}.png").write_bytes(bytes(10_000))
    partial = library.folder / "partial"
    partial.mkdir(exist_ok=True)
    month = time.time() - 30 * 86_400
    for name in ("7", "7.note", "8"):
        (partial / name).write_bytes(bytes(1_000))
        os.utime(partial / name, (month, month))
