"""The programs that the drivers test: the optimised ones, as they ship."""
import os
import pathlib
import subprocess
import sys

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent


def folder() -> pathlib.Path:
    """The folder that $GALLERY_PROGRAMS names; without one, builds the programs of this checkout."""
    named = os.environ.get("GALLERY_PROGRAMS")
    if not named:
        named = subprocess.check_output([CHECKOUT / "Scripts/build"], text=True).strip()
        # A script that starts itself again, for example in a namespace, need not build again.
        os.environ["GALLERY_PROGRAMS"] = named
    return pathlib.Path(named).resolve()


def path(name: str) -> str:
    """The path of a program; a missing one ends the script."""
    program = folder() / name
    if not os.access(program, os.X_OK):
        sys.exit(f"there is no program '{program}' — Scripts/build builds it; "
                 "$GALLERY_PROGRAMS may name another folder")
    return str(program)
