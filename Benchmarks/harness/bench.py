"""The arguments of a part: the programs to measure, and a folder to work in."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile

from harness import runs

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


class Bench:
    """The program to measure, the number and size of the runs, and their folders."""

    def __init__(self, gallery, python, count, is_quick, work):
        self.gallery, self.python = gallery, python
        self.runs, self.is_quick, self.work = count, is_quick, work
        self.benchmarks = CHECKOUT / "Benchmarks"

    def size(self, whole, quick):
        """The size of some data: the one that the bounds are for, or the one for a quick run."""
        return quick if self.is_quick else whole

    @contextlib.contextmanager
    def folder(self, is_kept=False):
        """A new, empty folder, deleted at the end; if it is kept, deleted after the benchmark.

        ext4 makes files slowly just after as many were deleted, because it does not reuse their inodes for
        a while. So the small files of a run have to stay, or they would slow the next run down.
        """
        path = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        try:
            yield path
        finally:
            if not is_kept:
                shutil.rmtree(path)

    def sync(self, cache, *arguments, statuses=(0,)):
        """One run of `gallery sync`."""
        command = [self.gallery, "sync", *arguments, "--cache", cache, "--quiet"]
        return runs.Run(command, statuses=statuses)

    def output(self, *arguments):
        """The output of a run of `gallery`, without white space around it."""
        command = [str(part) for part in [self.gallery, *arguments]]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def listed(self, cache, *arguments):
        """The objects that `gallery list --json` prints."""
        command = [self.gallery, "list", "--json", "--cache", cache, *arguments]
        return map(json.loads, runs.lines(command))

    def check(self, what, found, expected):
        """Ends the benchmark unless a measured run has the expected result."""
        if found != expected:
            raise SystemExit(f"{what}: {found} instead of {expected}")
