"""Set-up of the measured program, of peers in C, and of a Python with packages."""

import pathlib
import subprocess
import sys

from harness import runs
from harness.bench import CHECKOUT


def install(prefix):
    """The program as people install it."""
    subprocess.run([CHECKOUT / "Scripts/install", "--prefix", prefix], check=True, stdout=sys.stderr)
    return pathlib.Path(prefix) / "bin/gallery"


def compiled(source, program):
    """A peer that is written in C, with gallery's libraries; None without a compiler."""
    if not runs.on_path("cc"):
        return None
    folders = ["-I", "/usr/include/libxml2"]
    libraries = ["-lcurl", "-lsqlite3", "-lxml2", "-lpthread"]
    subprocess.run(
        ["cc", "-O2", *folders, "-o", program, source, "-Wl,--as-needed", *libraries], check=True
    )
    return program


def python_with(packages, as_is=False):
    """A Python that has these packages, in a folder of the checkout; None when it is missing and `as_is` is set."""
    folder = CHECKOUT / ".build-bench/python"
    python = folder / "bin/python"
    if not python.exists():
        if as_is:
            return None
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    if not as_is:
        command = [python, "-m", "pip", "install", "-q", *packages]
        subprocess.run(command, check=True, stdout=sys.stderr)
    return python
