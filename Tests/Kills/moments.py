"""The moments at which runs are disturbed. They depend on the progress of the run, not only on the clock."""
import dataclasses
import random
import time
from collections.abc import Callable

from .library import Library
from .site import Site


class Watch:
    """Counts the progress of a run: requests and bytes at the site, changes of the database's log and of the
    library's folders, and milliseconds."""

    def __init__(self, site: Site, library: Library):
        self._site = site
        self._places = {
            "log": library.log_state,
            "partial": lambda: (library.folder / "partial").stat().st_mtime_ns,
            "originals": lambda: (library.folder / "originals").stat().st_mtime_ns,
        }
        self._seen = {name: self._look(name) for name in self._places}
        self._changes = dict.fromkeys(self._places, 0)
        self._requests, self._sent = site.requests, site.sent
        self._begin = time.monotonic()

    def _look(self, name: str) -> int | None:
        try:
            return self._places[name]()
        except FileNotFoundError:
            return None

    def counts(self) -> dict[str, int]:
        for name in self._places:
            if (found := self._look(name)) != self._seen[name]:
                self._seen[name] = found
                self._changes[name] += 1
        return {
            "requests": self._site.requests - self._requests,
            "bytes": self._site.sent - self._sent,
            **self._changes,
            "time": int((time.monotonic() - self._begin) * 1_000),
        }


@dataclasses.dataclass(frozen=True)
class Moment:
    """The moment at which a count is reached, or a little later."""
    count: str
    threshold: int
    delay: float

    @staticmethod
    def choose(chance: random.Random, totals: dict[str, int], part: float) -> "Moment":
        """Chooses a random moment in the first `part` of a run, whose undisturbed counts are `totals`."""
        count = chance.choice([name for name, total in totals.items() if total > 0])
        threshold = chance.randint(1, max(1, round(totals[count] * part)))
        # Half of the moments come a little later than the count, to reach work that cannot be counted from outside.
        delay = chance.choice([0, chance.uniform(0, totals["time"] / 20_000)])
        return Moment(count, threshold, delay)

    def wait(
        self, watch: Watch, has_ended: Callable[[], bool], meanwhile: Callable[[], None]
    ) -> bool:
        """Waits for the moment; returns false if the run ended first."""
        while not has_ended():
            meanwhile()
            if watch.counts()[self.count] >= self.threshold:
                time.sleep(self.delay)
                return not has_ended()
            time.sleep(0.0005)
        return False
