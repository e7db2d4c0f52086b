"""Syncs many feeds in which nothing has changed, and whose pictures are all there."""

import os
import urllib.request

from harness import data, runs, servers, setup
from harness.rows import Row

FEEDS = 20
ROUND_TRIP = 0.05


def rows(bench):
    count = bench.size(1_000, 100)
    with bench.folder() as work:
        write_old_thumbnails(work / "thumbnails", count)
        names = [f"feed-{number}.xml" for number in range(1, FEEDS + 1)]
        for name in names:
            data.write_media_rss(work / name, count)
        case = f"sync of {FEEDS} feeds of {count} images, nothing new"
        with servers.site(work) as site:
            near = [site.plain + name for name in names]
            yield from compare(bench, case, near, 1.5, whole=FEEDS * count)
            with servers.delayed(site.plain_port, ROUND_TRIP, hosts=FEEDS) as port:
                far = [
                    f"http://127.0.0.{number}:{port}/{name}"
                    for number, name in enumerate(names, start=1)
                ]
                yield from compare(bench, f"{case}, on {FEEDS} hosts 50 ms away", far)


def compare(bench, case, addresses, bound=None, whole=None):
    """With `whole`, all pictures are fetched first, and checked in each sync; else only documents are."""
    options = [] if whole else ["--metadata-only"]
    with bench.folder() as library, bench.folder() as work:
        bench.sync(library, *options, *addresses)
        if whole:
            stored = sum(image["thumbnail"]["stored"] for image in bench.listed(library))
            bench.check("thumbnails that are there", stored, whole)
        list_ = work / "curl"
        list_.write_text("next\n".join(map(curl_request, addresses)))

        def curl():
            return runs.Run(["curl", "-Z", "-f", "-s", "-K", list_])

        ours, theirs = runs.alternate(bench.runs, lambda: bench.sync(library, *options), curl)
        yield row(case, ours, theirs, bound)
        program = setup.compiled(bench.benchmarks / "peers/ask_and_note.c", work / "bare")
        if whole and program:
            # As many connections to the host as gallery opens.
            bare = [program, library, 6]
            ours, theirs = runs.alternate(bench.runs, lambda: runs.Run(bare), curl)
            yield row(f"libcurl and SQLite alone: {case.removeprefix('sync of ')}", ours, theirs)


def row(case, ours, theirs, bound=None):
    return Row(
        case, "curl -Z with ETags", runs.ratio(ours, theirs), bound,
        f"{runs.seconds(ours) * 1000:.0f} ms", f"{runs.seconds(theirs) * 1000:.0f} ms",
    )


def write_old_thumbnails(folder, count):
    """Pictures that caches do not expect to change soon, because they are old (RFC 9111, section 4.2.2)."""
    data.write_thumbnails(folder, count)
    for file in folder.iterdir():
        os.utime(file, (1_600_000_000, 1_600_000_000))


def curl_request(address):
    """One request of a curl configuration file, with the tag that the server gave."""
    with urllib.request.urlopen(address) as response:
        tag = response.headers["ETag"].replace('"', '\\"')
    return f'url = "{address}"\nheader = "If-None-Match: {tag}"\noutput = "/dev/null"\n'
