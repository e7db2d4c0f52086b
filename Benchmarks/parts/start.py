"""The bare start of the program."""

from harness import runs
from harness.rows import Row


def rows(bench):
    if not runs.on_path("hyperfine"):
        return
    ours, theirs = runs.alternate_briefly(
        bench.runs, [bench.gallery, "--version"], ["curl", "--version"]
    )
    yield Row(
        "start", "curl --version", runs.ratio(ours, theirs), 1.2,
        f"{runs.seconds(ours) * 1000:.1f} ms", f"{runs.seconds(theirs) * 1000:.1f} ms",
    )
