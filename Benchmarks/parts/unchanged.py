"""Syncs many feeds in which nothing has changed, and whose pictures are all there."""

import os
import urllib.request

from harness import data, runs, servers
from harness.rows import Row

FEEDS = 20


def rows(bench):
    count = bench.size(1_000, 100)
    with bench.folder() as work, bench.folder() as library:
        write_old_thumbnails(work / "thumbnails", count)
        names = [f"feed-{number}.xml" for number in range(1, FEEDS + 1)]
        for name in names:
            data.write_media_rss(work / name, count)
        with servers.site(work) as site:
            addresses = [site.plain + name for name in names]
            bench.sync(library, *addresses)
            stored = sum(image["thumbnail"]["stored"] for image in bench.listed(library))
            bench.check("thumbnails that are there", stored, FEEDS * count)
            list_ = work / "curl"
            list_.write_text("next\n".join(map(curl_request, addresses)))
            ours, theirs = runs.alternate(
                bench.runs,
                lambda: bench.sync(library),
                lambda: runs.Run(["curl", "-Z", "-f", "-s", "-K", list_]),
            )
    yield Row(
        f"sync of {FEEDS} feeds of {count} images, nothing new", "curl -Z with ETags",
        runs.ratio(ours, theirs), 1.5,
        f"{runs.seconds(ours) * 1000:.0f} ms", f"{runs.seconds(theirs) * 1000:.0f} ms",
    )


def write_old_thumbnails(folder, count):
    """Pictures of which nobody expects that they change before long (RFC 9111, section 4.2.2)."""
    data.write_thumbnails(folder, count)
    for file in folder.iterdir():
        os.utime(file, (1_600_000_000, 1_600_000_000))


def curl_request(address):
    """One request of a curl configuration file, with the tag that the server gave."""
    with urllib.request.urlopen(address) as response:
        tag = response.headers["ETag"].replace('"', '\\"')
    return f'url = "{address}"\nheader = "If-None-Match: {tag}"\noutput = "/dev/null"\n'
