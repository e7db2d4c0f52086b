"""Follows feeds for a simulated year, with one sync a day, and checks each day that nothing is lost or doubled.

Hosts sign addresses, serve from shards, move, delete and replace pictures, put signs in their places, fail, ask for
pauses, and come back (habits.py). After each sync the driver reads the library's tables:
- an image keeps its id, and no entry has two;
- an original that was stored stays stored, and is a picture of its entry, not a sign;
- each file of an original is still there, with its bytes;
- the bytes of all pictures that were sent are little more than those of the different ones.
The seed decides everything but the times within a day.
"""
import argparse
import hashlib
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(CHECKOUT / "Tests/Cluster")]

import programs
from clock import Clock

from .habits import HABITS, Feed
from .site import Site

# The most that may be sent, compared with the bytes of the different pictures.
MOST_SENT = 1.1


class Year:
    def __init__(self, days: int, feeds: int, seed: int, folder: pathlib.Path, variables: dict[str, str]):
        self.days = days
        self.feeds = [Feed(number, days, seed) for number in range(feeds)]
        self.site = Site(self.feeds)
        self.folder = folder
        self.variables = variables
        # The id of the image of each entry, by its title, and the hash of its original.
        self.ids: dict[str, int] = {}
        self.originals: dict[str, str] = {}
        self.files: dict[str, str] = {}

    def run(self, *arguments: str, statuses: tuple[int, ...] = (0,)) -> str:
        environment = os.environ | self.variables | {
            "FAKETIME": f"+{self.site.day}d", "NO_FAKE_STAT": "1", "GALLERY_CONFIG": "/dev/null",
            "GALLERY_CACHE": str(self.folder / "library"), "HOME": str(self.folder),
        }
        found = subprocess.run([programs.path("gallery"), *arguments], env=environment, text=True,
                               stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        check(found.returncode in statuses,
              f"'gallery {' '.join(arguments)[:80]}' ended with {found.returncode}: {found.stderr[-2_000:]}")
        return found.stdout

    def live(self) -> None:
        for day in range(self.days):
            self.site.day = day
            named = ["--allow-private", *map(self.site.places.feed, self.feeds)] if day == 0 else []
            # 2: a feed or a picture has failed, which is the habit of some.
            self.run("sync", "--originals", "--quiet", *named, statuses=(0, 2))
            self.check_images()
            if day % 30 == 29:
                self.check_files()
        self.end()

    def check_images(self) -> None:
        with sqlite3.connect(self.folder / "library/gallery.sqlite") as database:
            rows = database.execute("""
                SELECT image.id, title, sha256 FROM image
                LEFT JOIN image_original ON image_id = image.id
                LEFT JOIN original ON original.id = original_id
                WHERE is_hidden = 0
            """).fetchall()
        titles: set[str] = set()
        for number, title, sha256 in rows:
            check(title not in titles, f"'{title}' has two images")
            titles.add(title)
            known = self.ids.setdefault(title, number)
            check(known == number, f"the image of '{title}' had the id {known}, and now has {number}")
            if sha256 is not None:
                check(sha256 in self.site.true[title], f"the original of '{title}' is not its picture any more")
                self.originals[title] = sha256
                self.files[sha256] = title
            check(sha256 is not None or title not in self.originals, f"the original of '{title}' is lost")
        lost = self.ids.keys() - titles
        check(not lost, f"lost images: {sorted(lost)[:5]}")

    def check_files(self) -> None:
        for sha256, title in self.files.items():
            found = list((self.folder / "library/originals" / sha256[:2]).glob(f"{sha256}.*"))
            check(len(found) == 1, f"a file of '{title}' is missing")
            check(hashlib.sha256(found[0].read_bytes()).hexdigest() == sha256, f"a file of '{title}' has other bytes")

    def end(self) -> None:
        self.check_files()
        missing = self.site.published - self.ids.keys()
        check(not missing, f"entries without images: {sorted(missing)[:5]}")
        self.run("verify")
        absent = sorted(self.ids.keys() - self.originals.keys())
        for title in absent[:10]:
            reasons = self.run("why", str(self.ids[title]))
            check("original" in reasons, f"'gallery why' does not say why '{title}' has no original: {reasons}")
        different = sum(self.site.distinct.values())
        print(f"{self.days} days, {len(self.feeds)} feeds: {len(self.ids)} images, {len(self.originals)} originals, "
              f"{len(absent)} never to be had; {self.site.sent / different:.3f} times the bytes of the pictures sent")
        check(self.site.sent <= MOST_SENT * different, "pictures were fetched again")


def check(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--feeds", type=int, default=len(HABITS))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    subprocess.run([CHECKOUT / "Scripts/setup", "faketime"], check=True)
    clock, begin = Clock("+0"), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        year = Year(options.days, options.feeds, options.seed, pathlib.Path(folder), clock.variables)
        try:
            year.live()
        except AssertionError as error:
            print(f"day {year.site.day} of seed {options.seed}: {error}", file=sys.stderr)
            return 1
        finally:
            year.site.stop()
            clock.stop()
    print(f"seed {options.seed} took {time.monotonic() - begin:.0f} s")
    return 0
