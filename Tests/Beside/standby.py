"""A standby of PostgreSQL takes over while libraries are in use."""
import contextlib
import pathlib
import signal
import threading

from postgres import Server, address

from .gallery import Feed, Gallery, check, need, wait

IMAGES = 30


class Pair:
    """A primary with the library of a feed, and a standby that streams from it."""

    def __init__(self, folder: pathlib.Path):
        need("pg_isready", "psql")
        self.primary, self.standby = Server(folder / "primary"), Server(folder / "standby")
        self.primary.make()
        self.primary.start()
        self.feed = Feed(folder)
        self.feed.write({number: f"Title {number}" for number in range(IMAGES)})
        self.library = Gallery(address(self.primary, self.standby), folder / "library")
        self.library.run("sync", self.feed.path)
        self.standby.copy(self.primary)
        self.standby.start()

    def stream(self, is_synchronous: bool) -> None:
        """Waits until the standby streams, and lets commits wait for it if that is wanted."""
        if is_synchronous:
            self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.primary.sql("SELECT pg_reload_conf()")
        state = "sync" if is_synchronous else "async"
        wait("the standby", lambda: self.primary.sql("SELECT sync_state FROM pg_stat_replication") == [state])

    def catch_up(self) -> None:
        wait("what the primary wrote", lambda: self.primary.sql(
            "SELECT replay_lsn >= pg_current_wal_lsn() FROM pg_stat_replication") == ["t"])

    def take_over(self) -> None:
        self.primary.stop(signal.SIGKILL)
        if self.standby.process is None:
            self.standby.start()
        self.standby.promote()

    def stop(self) -> None:
        self.library.stop()
        for server in (self.standby, self.primary):
            server.stop(signal.SIGQUIT)


@contextlib.contextmanager
def pair(folder: pathlib.Path):
    servers = Pair(folder)
    try:
        yield servers
    finally:
        servers.stop()


def synchronous(folder: pathlib.Path) -> str:
    """What was acknowledged is there after the standby has taken over; the same processes go on."""
    with pair(folder) as servers:
        servers.stream(is_synchronous=True)
        library = servers.library
        library.serve()
        ids = sorted(library.images())
        pinned, failed, is_over = [], [], threading.Event()

        def pin():
            for image in ids[5:]:
                status, *_ = library.ask(f"/api/v1/images/{image}/pin", "PUT")
                (pinned if status in (200, 204) else failed).append(image)
                if is_over.is_set() and len(failed) > 0 and pinned and pinned[-1] == image:
                    return

        library.run("pin", *map(str, ids[:5]))
        thread = threading.Thread(target=pin)
        thread.start()
        wait("the first pins", lambda: len(pinned) > 5)
        servers.take_over()
        is_over.set()
        thread.join(120)
        check(not thread.is_alive(), "a request hangs")

        # The server is the same process, with new connections.
        wait("the server", lambda: library.ask("/api/v1/images")[0] == 200)
        lost = {*pinned, *ids[:5]} - library.pins()
        check(not lost, f"pins are lost: {lost}")
        check(library.ask(f"/api/v1/images/{ids[-1]}/pin", "PUT")[0] in (200, 204), "the server does not write")
        servers.feed.write({number: f"New {number}" for number in range(IMAGES + 3)})
        library.run("sync")
        check(len(library.images()) == IMAGES + 3, "the sync does not write")
        library.run("verify")
        return f"{len(pinned) + 5} pins were acknowledged, {len(failed)} failed"


def lost_seconds(folder: pathlib.Path) -> str:
    """A library on an asynchronous standby lacks the last changes; mirrors that have them become equal again.

    The library then writes as many other changes as were lost, to the same images, and new images in the place of
    those that were lost. One mirror asks before that, and one only after it.
    """
    with pair(folder) as servers:
        servers.stream(is_synchronous=False)
        library = servers.library
        early, late = (Gallery(str(folder / f"{name}-library"), folder / name) for name in ("early", "late"))
        library.serve()
        for mirror in (early, late):
            mirror.run("sync", library.mirror_address)
        servers.catch_up()
        servers.standby.stop(signal.SIGINT)
        change(servers, "Lost", images=2)
        lost, ahead = set(library.images()) - set(range(1, IMAGES + 1)), {}
        for mirror in (early, late):
            mirror.run("sync")
            check(has(mirror, "Lost"), "the mirror is not ahead")
            ahead[mirror] = mirror.images()
            # What is pinned in a mirror stays there.
            mirror.run("pin", str(max(ahead[mirror])))
        servers.take_over()
        wait("the server", lambda: library.ask("/api/v1/images")[0] == 200)
        check(not has(library, "Lost"), "nothing was lost")
        early.run("sync")
        compare(library, early, ahead[early])
        for word in ("Found", "Later"):
            change(servers, word, images=2)
            for mirror in (early, late):
                mirror.run("sync")
                compare(library, mirror, ahead[mirror])
        check(lost and not lost & set(library.images()), f"ids were used again: {lost}")
        for gallery in (library, early, late):
            gallery.run("verify")
        return f"{len(lost)} images and {IMAGES // 3} titles were lost"


def has(gallery: Gallery, word: str) -> bool:
    return any(image[0].startswith(word) for image in gallery.images().values())


def change(servers: Pair, word: str, images: int) -> None:
    """Changes each third title in a sync of its own, and adds images."""
    titles = {number: f"Title {number}" for number in range(IMAGES)}
    for number in range(0, IMAGES, 3):
        titles[number] = f"{word} {number}"
        servers.feed.write(titles)
        servers.library.run("sync", "--quiet", servers.feed.path)
    # Each word has images of its own.
    first = 100 * len(word) + ord(word[0])
    servers.feed.write(titles | {first + number: f"{word} new {number}" for number in range(images)})
    servers.library.run("sync", "--quiet", servers.feed.path)


def compare(library: Gallery, mirror: Gallery, ahead: dict[int, tuple]) -> None:
    def shown(gallery: Gallery) -> list:
        return sorted(image for image in gallery.images().values())
    one, other = shown(library), shown(mirror)
    only = [image for image in one + other if (image in one) != (image in other)]
    kept = [image for image in only if image[0].startswith("Lost new")]
    check(only == kept and len(kept) <= 1, f"the mirror differs: {only[:6]} of {len(only)}")
    for id, image in mirror.images().items():
        if id in ahead and ahead[id][0].startswith("Lost new"):
            check(image[2] == ahead[id][2], f"image {id} has become another one: {ahead[id]} is {image}")
