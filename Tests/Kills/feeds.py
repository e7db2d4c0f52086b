"""The feeds of the site. Each has two versions: before a change, and after it."""
import dataclasses
import functools
import json

PAGE = 40


@dataclasses.dataclass(frozen=True)
class Entry:
    """An entry of a feed with one image. `thumbnail` is empty if the feed does not name one."""
    name: str
    title: str
    thumbnail: str
    original: str


def _entry(name: str, thumbnail: str = "small", original: str = "small") -> Entry:
    return Entry(
        name, f"The picture {name}",
        f"/thumbnails/{thumbnail}/{name}.png" if thumbnail else "",
        f"/originals/{original}/{name}.png",
    )


def _entries(letter: str, count: int, **kinds: str) -> list[Entry]:
    return [_entry(f"{letter}{number}", **kinds) for number in range(count)]


def _rewritten(entries: list[Entry]) -> list[Entry]:
    """The entries of a window feed after some time: some are new, some are gone, and others have another title
    or address."""
    kept = []
    for number, entry in enumerate(entries[:-200]):
        if number % 3 == 0:
            entry = dataclasses.replace(entry, title=f"{entry.title}, once more")
        if number % 7 == 0:
            original = entry.original.replace("/small/", "/other/")
            entry = dataclasses.replace(entry, original=original)
        kept.append(entry)
    return _entries("new", 200) + kept


@functools.lru_cache(maxsize=None)
def entries(feed: str, version: int) -> list[Entry]:
    """The entries of a feed, by its name."""
    match feed:
        case "long.xml":
            before = _entries("long", 1_600)
            return before if version == 1 else _rewritten(before)
        case "list.json":
            return _entries("list", 60)
        case "tiny.json":
            # The last 50 have the pictures of list.json.
            return _entries("tiny", 350, thumbnail="", original="tiny") + [
                dataclasses.replace(entry, name=f"tiny-{entry.name}")
                for entry in _entries("list", 50)
            ]
        case "few.json":
            return _entries("few", 10)
        case "pages.json":
            return _entries("page", 5 * PAGE)
        case "named.xml":
            return _entries("named", 140) + _entries("wide", 10, thumbnail="wide")
        case "bare.xml":
            return _entries("bare", 24, thumbnail="", original="noise")
        case "large.json":
            return [_entry("large20", original="20"), _entry("large9", original="9"),
                    _entry("large3", original="3")]
        case "live.json":
            return _entries("live", 40) + _entries("livebare", 10, thumbnail="", original="noise")
        case "gone.json":
            return _entries("gone", 40) + _entries("gonebare", 6, thumbnail="", original="noise")
        case "moved.json" | "new.json":
            return _entries("moved", 60)
        case "shared.json":
            # The pictures of list.json, in entries of another feed.
            return [dataclasses.replace(entry, name=f"shared-{entry.name}")
                    for entry in _entries("list", 30)] + _entries("own", 30)
    raise KeyError(feed)


def document(feed: str, version: int, page: int = 0) -> bytes:
    """A feed's document, in the format of its name's suffix."""
    found = entries(feed, version)
    if feed.endswith(".xml"):
        return _rss(found)
    if feed != "pages.json":
        return json.dumps([_record(entry) for entry in found]).encode()
    answer: dict = {"photos": [_record(entry) for entry in found[page * PAGE:(page + 1) * PAGE]]}
    if (page + 1) * PAGE < len(found):
        answer["next_page"] = f"/feeds/pages.json?page={page + 1}"
    return json.dumps(answer).encode()


def _record(entry: Entry) -> dict:
    record = {"id": entry.name, "title": entry.title, "image": entry.original}
    if entry.thumbnail:
        record["thumbnail"] = entry.thumbnail
    return record


def _rss(found: list[Entry]) -> bytes:
    items = "".join(
        f"<item><guid>{entry.name}</guid><title>{entry.title}</title>"
        f'<media:content url="{entry.original}" type="image/png"/>'
        + (f'<media:thumbnail url="{entry.thumbnail}"/>' if entry.thumbnail else "")
        + "</item>\n"
        for entry in found
    )
    return ('<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>'
            f"<title>Pictures</title>\n{items}</channel></rss>").encode()
