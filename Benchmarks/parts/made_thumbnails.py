"""Makes thumbnails of large photographs, against vipsthumbnail."""

import os
import random
import subprocess

from harness import data, runs
from harness.bench import CHECKOUT
from harness.rows import Row

# The size of the thumbnails that gallery makes.
LONGEST_SIDE = 640
# The number of different files; the others are links to them, which no decoder can distinguish.
DISTINCT = 48


def rows(bench):
    count = bench.size(1_000, 50)
    cores = len(os.sched_getaffinity(0))
    with bench.folder() as site:
        write_photographs(site, count)
        write_feed(site / "feed.xml", count)
        sides = Sides(bench, site, count)
        ours, one, each = runs.alternate(
            min(bench.runs, 3), sides.gallery, sides.one_process, sides.process_each
        )
    case = f"thumbnails of {count} photographs of 12 megapixels"
    for name, theirs, number in [
        ("vipsthumbnail", one, 1), (f"xargs -P {cores} vipsthumbnail", each, cores)
    ]:
        yield Row(
            case, name, runs.ratio(ours, theirs), 1.1,
            f"{runs.seconds(ours):.2f} s, {cores} decoders",
            f"{runs.seconds(theirs):.2f} s, {number} {'process' if number == 1 else 'processes'}",
        )


def write_photographs(folder, count):
    """JPEG files of 12 megapixels, from the demo's photographs at several qualities."""
    generator = random.Random(data.SEED)
    sources = sorted((CHECKOUT / "Scripts/demo-feed/originals").iterdir())
    for number in range(1, count + 1):
        file = folder / f"{number}.jpg"
        if number > DISTINCT:
            os.link(folder / f"{(number - 1) % DISTINCT + 1}.jpg", file)
            continue
        source = sources[(number - 1) % len(sources)]
        options = f"{file}[Q={generator.randint(80, 92)},strip]"
        command = ["vipsthumbnail", source, "--size", "4000x3000!", "-o", options]
        subprocess.run(command, check=True)


def write_feed(path, count):
    """RSS whose entries name an original and no thumbnail."""
    with open(path, "w", encoding="utf-8") as feed:
        feed.write('<?xml version="1.0"?>\n<rss version="2.0"><channel><title>Benchmark</title>\n')
        for number in range(1, count + 1):
            feed.write(
                f"<item><title>Picture {number}</title><guid>entry-{number}</guid>"
                f"<pubDate>{data.rss_date(number)}</pubDate>"
                f'<enclosure url="{number}.jpg" type="image/jpeg" length="0"/></item>\n'
            )
        feed.write("</channel></rss>\n")


class Sides:
    """Runs of each side, each into a new place."""

    def __init__(self, bench, site, count):
        self.bench, self.site, self.count = bench, site, count
        self.files = [site / f"{image}.jpg" for image in range(1, count + 1)]

    def gallery(self):
        with self.bench.folder() as folder:
            run = self.bench.sync(folder, self.site / "feed.xml", "--budget", "64G")
            stored = sum(image["thumbnail"]["stored"] for image in self.bench.listed(folder))
            self.bench.check("thumbnails that gallery made", stored, self.count)
        return run

    def one_process(self):
        return self.vips(["vipsthumbnail", *self.files])

    def process_each(self):
        cores = len(os.sched_getaffinity(0))
        with self.bench.folder() as work:
            list_ = work / "list"
            list_.write_text("\0".join(map(str, self.files)), encoding="utf-8")
            share = -(-self.count // cores)
            xargs = ["xargs", "-0", "-a", list_, "-P", cores, "-n", share]
            return self.vips([*xargs, "vipsthumbnail"])

    def vips(self, command):
        with self.bench.folder() as folder:
            run = runs.Run([*command, "--size", LONGEST_SIDE, "-o", f"{folder}/%s.jpg"])
            self.bench.check("files of vipsthumbnail", len(list(folder.iterdir())), self.count)
        return run
