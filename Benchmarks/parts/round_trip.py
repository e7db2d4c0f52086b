"""Fetches thumbnails from a server that is 50 ms away, with as many connections or streams as curl."""

from harness import data, runs, servers
from parts.thumbnails import Sides, row

ROUND_TRIP = 0.05


def rows(bench):
    count = bench.size(5_000, 200)
    with bench.folder() as work:
        data.write_thumbnails(work / "thumbnails", count)
        data.write_media_rss(work / "feed.xml", count)
        with servers.site(work) as site:
            yield from compare(bench, site, count)


def compare(bench, site, count):
    with servers.delayed(site.plain_port, ROUND_TRIP) as port:
        sides = Sides(bench, f"http://127.0.0.1:{port}/", count, transfers=6)
        ours, theirs = runs.alternate(bench.runs, sides.gallery, sides.curl)
        case = f"sync: {count} thumbnails, 50 ms away, HTTP/1.1"
        yield row(case, "curl -Z", ours, theirs, 1.05, "6 connections", "6 connections")
    with servers.delayed(site.secure_port, ROUND_TRIP) as port:
        sides = Sides(
            bench, f"https://127.0.0.1:{port}/", count,
            certificate=site.certificate, transfers=64,
        )
        ours, theirs = runs.alternate(bench.runs, sides.gallery, sides.curl)
        case = f"sync: {count} thumbnails, 50 ms away, HTTP/2 and TLS"
        yield row(case, "curl -Z", ours, theirs, 1.05, "64 streams", "64 streams")
