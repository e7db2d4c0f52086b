"""What a part is given: the programs to measure, and room to work in."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile

from harness import runs

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


class Bench:
    """The program that is measured, how often and on how much, and folders for the runs."""

    def __init__(self, gallery, python, count, is_quick, work):
        self.gallery, self.python = gallery, python
        self.runs, self.is_quick, self.work = count, is_quick, work
        self.benchmarks = CHECKOUT / "Benchmarks"

    def size(self, whole, quick):
        """How many of something: all that the bounds are set for, or a look's worth."""
        return quick if self.is_quick else whole

    @contextlib.contextmanager
    def folder(self, is_kept=False):
        """A new, empty folder; gone at the end, or with all else when it is kept.

        ext4 is slow to make files just after as many were deleted, for it does not use their inodes again
        for a while: so the small files of a run have to stay, or the next one would pay for them.
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
        """What a run of `gallery` prints, without white space around it."""
        command = [str(part) for part in [self.gallery, *arguments]]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def listed(self, cache, *arguments):
        """The objects that `gallery list --json` prints."""
        command = [self.gallery, "list", "--json", "--cache", cache, *arguments]
        return map(json.loads, runs.lines(command))

    def check(self, what, found, expected):
        """Nothing is worth measuring that does not do what it should."""
        if found != expected:
            raise SystemExit(f"{what}: {found} instead of {expected}")
