"""The feeds of the simulated year, and what their hosts do to them."""
import dataclasses
import hashlib
import json
import random
from xml.sax.saxutils import escape, quoteattr

from Kills.pictures import picture

# The entries that a document shows, and those that a feed begins with.
WINDOW, BEGINNING = 15, 5
# How many days an address with a signature holds.
SIGNED_DAYS = 2
# The picture in place of any deleted one of a host. It is smaller: one of the same size looks like a new version,
# until a second image has it as well.
SIGN = picture("sign", side=16, padding=900)

HABITS = [
    "steady", "signed", "signed-without-ids", "sharded", "busted", "respelled", "moved", "rehosted",
    "rehosted-without-ids", "deleted-by-redirect", "deleted-by-sign", "deleted", "webcam", "replaced", "down", "login",
    "cut", "empty", "without-thumbnails", "pausing",
]


@dataclasses.dataclass
class Entry:
    feed: str
    number: int
    published: int
    # The days on which its host deletes the picture, and on which its author replaces it; None for never.
    deleted: int | None = None
    replaced: int | None = None

    @property
    def title(self) -> str:
        return f"{self.feed} {self.number}"

    def version(self, day: int) -> int:
        return 1 if self.replaced is not None and day >= self.replaced else 0


class Feed:
    """One feed with its entries of the whole year, of which a document shows the latest."""

    def __init__(self, number: int, days: int, seed: int):
        self.habit = HABITS[number % len(HABITS)]
        self.name = f"{self.habit}-{number}"
        chance = random.Random(f"{seed} {self.name}")
        # The day on which the host changes its habits.
        self.turn = chance.randrange(days // 4, days // 2)
        self.entries = [Entry(self.name, number, 0) for number in range(BEGINNING)]
        for day in range(1, days):
            if chance.random() < 0.3:
                self.entries.append(Entry(self.name, len(self.entries), day))
        for entry in self.entries:
            if self.habit.startswith("deleted") and chance.random() < 0.5:
                entry.deleted = entry.published + chance.randrange(3, 25)
            if self.habit == "replaced" and chance.random() < 0.5:
                entry.replaced = entry.published + chance.randrange(3, 25)

    def shown(self, day: int) -> list[Entry]:
        """The entries of the document on a day, the latest first."""
        if self.habit == "webcam":
            return self.entries[:1]
        return [entry for entry in self.entries if entry.published <= day][::-1][:WINDOW]

    def has_turned(self, day: int) -> bool:
        return day >= self.turn

    # Documents

    def status(self, day: int) -> tuple[int, dict[str, str]]:
        """The status of the document's response, and fields."""
        since = day - self.turn
        if self.habit == "down" and 0 <= since < 15:
            return 500, {}
        if self.habit == "pausing" and since >= 0 and since % 20 < 3:
            return 503, {"Retry-After": "90000"}
        if self.habit == "moved" and since >= 0:
            return 301, {"Location": f"/moved/{self.name}.xml"}
        return 200, {}

    def document(self, day: int, site: "Places") -> tuple[str, bytes]:
        """The media type and the body of the document on a day."""
        since = day - self.turn
        if self.habit == "login" and 0 <= since < 7:
            page = "<!doctype html><title>Log in</title><form><input name=user></form>"
            return "text/html", (page + "<a href='/feeds/steady-0.xml'>news</a>").encode()
        shown = [] if self.habit == "empty" and since >= 0 and since % 9 == 0 else self.shown(day)
        if self.habit == "signed-without-ids":
            entries = [{"url": self.address(entry, day, site), "title": entry.title} for entry in shown]
            return "application/json", json.dumps(entries).encode()
        items = "".join(self.item(entry, day, site) for entry in shown)
        text = f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>{escape(self.name)}</title>
<link>{site.page(self.name)}</link>{items}</channel></rss>"""
        body = text.encode()
        if self.habit == "cut" and since >= 0 and since % 11 == 0:
            body = body[:len(body) * 2 // 3]
        return "application/rss+xml", body

    def item(self, entry: Entry, day: int, site: "Places") -> str:
        identity = f"http://www.example.org/{entry.feed}/{entry.number}"
        if self.habit == "respelled" and self.has_turned(day):
            identity = f"https://example.org/{entry.feed}/{entry.number}/"
        link = f"{site.page(self.name)}{entry.number}"
        guid = "" if self.habit == "rehosted-without-ids" else f"<guid isPermaLink='false'>{identity}</guid>"
        small = site.thumbnail(entry)
        if self.habit == "without-thumbnails":
            thumbnail = f"<media:thumbnail url={quoteattr(small.replace('/small/', '/missing/'))}/>"
        else:
            thumbnail = f"<media:thumbnail url={quoteattr(small)}/>"
        return (f"<item><title>{escape(entry.title)}</title><link>{link}</link>{guid}{thumbnail}"
                f"<media:content url={quoteattr(self.address(entry, day, site))} medium='image'/></item>")

    # Pictures

    def address(self, entry: Entry, day: int, site: "Places") -> str:
        """The address of an original as the document of a day names it."""
        path = f"/full/{entry.feed}/{entry.number}.png"
        host = "photos"
        query = ""
        match self.habit:
            case "signed" | "signed-without-ids":
                digest = hashlib.sha256(f"{path} {day}".encode()).hexdigest()
                query = f"?token={digest}&expires={day + SIGNED_DAYS}"
            case "sharded":
                host = f"img{(day + entry.number) % 4 + 1}.photos"
            case "busted":
                query = f"?v={1_700_000_000 + day}"
            case "rehosted" | "rehosted-without-ids" if self.has_turned(day):
                host = "pictures"
            case "replaced" if entry.version(day):
                path = f"/full/{entry.feed}/{entry.number}-1.png"
        return site.address(host, path + query)

    def body(self, entry: Entry, day: int, version: int) -> bytes:
        """The bytes of an original that this host still has."""
        if self.habit == "webcam":
            version = day
        return picture(f"{entry.title} {version}", side=40, padding=2_000)


class Places:
    """The addresses of a server on loopback, under several names of hosts."""

    def __init__(self, port: int):
        self.port = port

    def address(self, host: str, path: str) -> str:
        return f"http://{host}.localhost:{self.port}{path}"

    def feed(self, feed: Feed) -> str:
        ending = "json" if feed.habit == "signed-without-ids" else "xml"
        return self.address(feed.name, f"/feeds/{feed.name}.{ending}")

    def page(self, name: str) -> str:
        return self.address(name, f"/pages/{name}/")

    def thumbnail(self, entry: Entry) -> str:
        return self.address("photos", f"/small/{entry.feed}/{entry.number}.png")
