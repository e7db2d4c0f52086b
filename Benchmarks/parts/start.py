"""The bare start of the program."""

from harness import runs
from harness.rows import Row


def rows(bench):
    ours, theirs = runs.alternate(
        max(bench.runs, 20),
        lambda: runs.Run([bench.gallery, "--version"]),
        lambda: runs.Run(["curl", "--version"]),
    )
    yield Row(
        "start", "curl --version", runs.ratio(ours, theirs), 1.2,
        f"{runs.seconds(ours) * 1000:.1f} ms", f"{runs.seconds(theirs) * 1000:.1f} ms",
    )
