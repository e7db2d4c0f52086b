"""What a library of a million images costs those who use it."""

import statistics

from harness import data, runs, servers
from harness.additions import NEW, Additions
from harness.rows import Row

COLUMNS = """
    image.id, image.title, image.caption, image.author, image.published_at, feed.id AS feed,
    feed.title AS feed_title, image.thumbnail_address, image.thumbnail_state,
    image.thumbnail_bytes, image.thumbnail_format, image.thumbnail_width, image.thumbnail_height,
    image.original_state, image.is_gone
    """
LIST = f"SELECT {COLUMNS} FROM image JOIN feed ON feed.id = feed_id WHERE is_hidden = 0"
NEWEST = f"{LIST} ORDER BY date DESC, position LIMIT 30"
FOUND = f"""
    {LIST} AND image.id IN (
      SELECT rowid FROM image_search WHERE image_search MATCH '"harb"* "win"*'
    ) ORDER BY date DESC, position LIMIT 30
    """


def rows(bench):
    count = bench.size(1_000_000, 20_000)
    with bench.folder() as work, bench.folder() as large:
        data.write_list(work / "large.json", count, "Large")
        with servers.site(work) as site:
            bench.sync(large, site.plain + "large.json", "--metadata-only", "--no-limits")
            # Only the result of this sync counts, not its memory.
            runs.peaks.clear()
            (work / "large.json").unlink()
            yield growth(bench, site, work, large, count)
            if runs.on_path("hyperfine"):
                yield from pages(bench, large, count)
            yield whole_list(bench, large, count)


def growth(bench, site, work, large, count):
    """Measures whether new images cost the same in a large library as in an empty one."""
    additions = Additions(bench, site, work)
    ours, theirs = runs.alternate(
        bench.runs, lambda: additions.add(large), additions.add_to_empty
    )
    return Row(
        f"{NEW} new images into a library of {count}", "the same into an empty one",
        runs.ratio(ours, theirs), 1.2,
        f"{runs.seconds(ours) * 1000:.0f} ms", f"{runs.seconds(theirs) * 1000:.0f} ms",
    )


def pages(bench, library, count):
    """Measures pages: each may take the start of the program, and three times as long as SQLite."""
    known = next(iter(bench.listed(library, "--limit", "1")))["id"]
    first = ["list", "--limit", "30"]
    for what, arguments, query in [
        ("first page of list", first, NEWEST),
        ("first page of list --search", [*first, "--search", "harb win"], FOUND),
        ("show --info", ["show", known, "--info"], f"{LIST} AND image.id = {known}"),
    ]:
        yield page(bench, library, f"{what}, library of {count}", arguments, query)


def page(bench, library, case, arguments, query):
    ours, start, select, bare = runs.alternate_briefly(
        bench.runs,
        [bench.gallery, *arguments, "--quiet", "--cache", library],
        [bench.gallery, "--version"],
        ["sqlite3", "-readonly", library / "gallery.sqlite", query],
        ["sqlite3", "-version"],
    )
    allowed = [
        1.2 * a.seconds + 3 * max(b.seconds - c.seconds, 0) for a, b, c in zip(start, select, bare)
    ]
    ratio = statistics.median(a.seconds / b for a, b in zip(ours, allowed))
    return Row(
        case, "1.2 x start + 3 x sqlite3", ratio, 1.0,
        f"{runs.seconds(ours) * 1000:.1f} ms", f"{statistics.median(allowed) * 1000:.1f} ms",
    )


def whole_list(bench, library, count):
    listed = sum(1 for _ in runs.lines([bench.gallery, "list", "--cache", library]))
    bench.check("images listed", listed >= count, True)
    json_query = f"{LIST} ORDER BY date DESC, position"
    sqlite = f"sqlite3 -readonly -json {library}/gallery.sqlite '{json_query}' | cat"
    gallery = f"{bench.gallery} list --json --cache {library} | cat"
    ours, theirs = runs.alternate(
        min(bench.runs, 5),
        lambda: runs.Run(["sh", "-c", gallery]),
        lambda: runs.Run(["sh", "-c", sqlite]),
    )
    return Row(
        f"list --json of all {count} through a pipe", "sqlite3 -json",
        runs.ratio(ours, theirs), 1.0,
        f"{runs.seconds(ours):.2f} s", f"{runs.seconds(theirs):.2f} s",
    )
