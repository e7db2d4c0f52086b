"""Set-up of the measured program, of peers in C, and of a Python with packages."""

import os
import pathlib
import platform
import re
import subprocess
import sys

from harness import runs
from harness.bench import CHECKOUT


def install(prefix):
    """The program as people install it."""
    subprocess.run([CHECKOUT / "Scripts/install", "--prefix", prefix], check=True, stdout=sys.stderr)
    return pathlib.Path(prefix) / "bin/gallery"


def compiled(source, program):
    """A peer that is written in C, with gallery's libraries; None without a compiler, or when no peer runs."""
    if runs.without_peers or not runs.on_path("cc"):
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


# The packages whose versions change the counts of instructions, by the names that they have in Debian and Ubuntu.
LIBRARIES = [
    "libc6", "libcurl4", "libcurl4t64", "libexpat1", "libnghttp2-14", "libsqlite3-0", "libssl3", "libssl3t64", "nginx",
    "valgrind", "zlib1g",
]
# The names of versions that change the code of the programs themselves.
TOOLCHAIN = ["machine", "Swift"]


def built():
    """The folder of the release, which is built if necessary."""
    return pathlib.Path(subprocess.check_output([CHECKOUT / "Scripts/build"], text=True).splitlines()[-1])


def stripped(binaries, folder):
    """The programs without symbols, because valgrind cannot read those of an installed program.

    There is no decoder. A sync that takes more than two seconds uses it to compute colours for a twentieth of its time.
    Only under callgrind do these syncs take that long, and the number of colours would depend on the machine.
    """
    folder.mkdir()
    objcopy = runs.on_path("objcopy") or sys.exit("cannot strip the programs without objcopy")
    for name in ["gallery", "gallery-server"]:
        subprocess.run([objcopy, "--strip-all", binaries / name, folder / name], check=True)
        read_again(folder / name)
    return folder / "gallery"


def read_again(file):
    """Lets the system forget the pages of a new file, and read them again when they are needed.

    Around a fault, Linux maps all pages that it has in one piece. After writing, these pieces differ from copy to copy,
    and so the peak memory of a program by up to 10 %; after reading, they are alike.
    """
    descriptor = os.open(file, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def versions():
    """The versions of all that changes the counts of instructions."""
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    found = {"machine": platform.machine(), "Swift": (re.findall(r"Swift version (\S+)", swift) or ["unknown"])[0]}
    if runs.on_path("dpkg-query"):
        query = ["dpkg-query", "-W", "-f", "${db:Status-Status}\t${Package}\t${Version}\n", *LIBRARIES]
        # It prints the packages that it knows, and ends with 1 for the others.
        lines = subprocess.run(query, capture_output=True, text=True).stdout.splitlines()
        rows = [line.split("\t") for line in lines]
        found |= {package: version for status, package, version in rows if status == "installed"}
    return found
