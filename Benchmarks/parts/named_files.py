"""Exports stored originals as named files: the first time beside cp -al, and with nothing new beside rsync."""

import os

from harness import data, runs
from harness.rows import Row


def rows(bench):
    count = bench.size(100_000, 400)
    with bench.folder() as work, bench.folder(is_kept=True) as library:
        data.write_thumbnails(work / "originals", count)
        (work / "thumbnails").mkdir()
        for number in range(1, count + 1):
            os.link(work / f"originals/{number}.jpg", work / f"thumbnails/{number}.jpg")
        data.write_media_rss(work / "feed.xml", count)
        bench.sync(library, work / "feed.xml", "--originals", "--no-limits")
        runs.peaks.clear()
        yield first(bench, library, count)
        if runs.on_path("rsync"):
            yield nothing_new(bench, library, count)


def files(folder):
    """The number of files below a folder, without those in the export's own folder."""
    paths = (path for path in folder.rglob("*.jpg") if ".gallery-export" not in path.parts)
    return sum(1 for _ in paths)


def export(bench, library, target):
    return runs.Run([bench.gallery, "export", target, "--cache", library, "--quiet"])


def link(library, target):
    return runs.Run(["cp", "-al", library / "originals", target])


def first(bench, library, count):
    def ours():
        with bench.folder(is_kept=True) as target:
            run = export(bench, library, target)
            bench.check("exported files", files(target), count)
            return run

    def theirs():
        with bench.folder(is_kept=True) as target:
            run = link(library, target)
            bench.check("linked files", files(target), count)
            return run

    return row(f"export of {count} originals", "cp -al", 2.0, *runs.alternate(bench.runs, ours, theirs))


def nothing_new(bench, library, count):
    with bench.folder(is_kept=True) as exported, bench.folder(is_kept=True) as linked:
        export(bench, library, exported)
        link(library, linked)
        rsync = ["rsync", "-a", "--dry-run", f"{library}/originals", linked]
        ours, theirs = runs.alternate(
            bench.runs, lambda: export(bench, library, exported), lambda: runs.Run(rsync)
        )
        return row(
            f"export of {count} originals with nothing new", "rsync -a --dry-run", 1.0, ours, theirs
        )


def row(case, against, bound, ours, theirs):
    peak = max(run.peak_bytes for run in ours) / 1e6
    return Row(
        case, against, runs.ratio(ours, theirs), bound,
        f"{runs.seconds(ours):.2f} s, {peak:.0f} MB of memory", f"{runs.seconds(theirs):.2f} s",
    )
