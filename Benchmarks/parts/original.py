"""Fetches one large original and brings it to the disk."""

import random

from harness import data, runs, servers
from harness.rows import Row


def rows(bench):
    size = bench.size(1 << 30, 64 << 20)
    with bench.folder() as work:
        data.write_jpeg(work / "large.jpg", size, random.Random(data.SEED))
        size = (work / "large.jpg").stat().st_size
        (work / "feed.json").write_text('[{"id": "1", "url": "large.jpg"}]')
        with servers.site(work) as site:
            ours, theirs = runs.alternate(
                bench.runs, lambda: show(bench, site), lambda: curl(bench, site, size)
            )
    peak = max(run.peak_bytes for run in ours) / 1e6
    yield Row(
        f"show of an original of {size / (1 << 20):.0f} MB", "curl -o f && sync f",
        runs.ratio(ours, theirs), 1.05,
        f"{runs.seconds(ours):.2f} s, {peak:.0f} MB of memory", f"{runs.seconds(theirs):.2f} s",
    )


def show(bench, site):
    with bench.folder() as library:
        bench.sync(library, site.plain + "feed.json", "--metadata-only")
        run = runs.Run([bench.gallery, "show", "1", "--quiet", "--cache", library])
        files = [path for path in (library / "originals").rglob("*") if path.is_file()]
        bench.check("originals that gallery stored", len(files), 1)
    return run


def curl(bench, site, size):
    with bench.folder() as folder:
        command = f"curl -s -o f {site.plain}large.jpg && sync f"
        run = runs.Run(["sh", "-c", command], cwd=folder)
        bench.check("bytes that curl stored", (folder / "f").stat().st_size, size)
    return run
