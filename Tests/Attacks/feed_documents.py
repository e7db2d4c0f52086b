"""Hostile feeds and lists: long texts, entries of thousands of images, lists that shrink, and documents made by chance."""

import gzip
import json

from .common import Run, part
from .galleries import check_sound, shown
from .sites import Request, photographs

VERSION = "https://jsonfeed.org/version/1.1"


def words(name: object, count: int) -> str:
    """Words that are all different, which cost an index the most."""
    return " ".join(f"w{name}x{number}" for number in range(count))


def json_feed(items: list[dict]) -> str:
    return json.dumps({"version": VERSION, "title": "Hostile", "items": items})


def served(run: Run, documents: dict[str, str | bytes]) -> str:
    """The address of a site with these documents by name; they may be replaced."""

    def answer(request: Request):
        name = request.words[0]
        if name not in documents:
            return photographs(request)
        body = documents[name]
        kind = {"j": "application/json", "o": "text/x-opml"}.get(name[0], "application/rss+xml")
        fields = {"Content_Encoding": "gzip"} if isinstance(body, bytes) else {}
        request.send(body, kind=kind, **fields)

    return run.site(answer).address


@part(long=True, seconds=150)
def long_texts(run: Run):
    """Texts whose words all differ, and thousands of images of an entry with a long text, keep no other process from writing."""
    count = run.number(1_500, 4_990)
    attachments = [{"url": f"https://own.example/{n}.png", "mime_type": "image/png"} for n in range(count)]
    media = "".join(f'<media:content url="https://own.example/{n}.png" medium="image"/>' for n in range(count))

    def documents(name: str) -> dict[str, str]:
        texts = [
            {"id": str(n), "content_text": words(f"{name}{n}", 1_500), "image": f"https://own.example/{n}.png"}
            for n in range(run.number(300, 1_000))
        ]
        described = f"<guid>1</guid><media:description>{words(name, 2_000)}</media:description>{media}"
        return {
            "jtexts": json_feed(texts),
            "jentry": json_feed([{"id": "1", "content_text": words(name, 2_000), "attachments": attachments}]),
            "rss": '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>x</title>'
            f"<item>{described}</item></channel></rss>",
        }

    found = documents("a")
    address = served(run, found)
    library = run.folder / "library"
    for changed in ("a", "b"):
        found |= documents(changed)
        for name in found:
            run.gallery(library, "sync", f"{address}/{name}", "--metadata-only", "--force", seconds=140, status=None)
    check_sound(run, library)


@part(long=True, seconds=120)
def lists_that_shrink(run: Run):
    """A list that loses, changes or reverses all of its images does so in short transactions, and none is lost."""
    count = run.number(20_000, 200_000)

    def document(numbers, folder: str = "") -> str:
        return json.dumps([{"url": f"https://own.example/{folder}{n}.png", "title": f"T {n}"} for n in numbers])

    found = {"j.json": document(range(count))}
    library = run.folder / "library"
    address = served(run, found) + "/j.json"
    for name, text in {
        "all": document(range(count)),
        "three": document(range(3)),
        "all again": document(range(count)),
        "backwards": document(reversed(range(count))),
        "other titles": document(range(count)).replace("T ", "U "),
        "elsewhere": document(range(count), "moved/"),
        "none": "[]",
    }.items():
        found["j.json"] = text
        command = run.gallery(library, "sync", address, "--metadata-only", "--force", seconds=110, status=None)
        run.among(command.status, {0, 1, 2}, f"{name}: {command.output[-200:]}")
        run.check(shown(library) >= count, f"{name}: {shown(library)} of {count} images")
    check_sound(run, library)


@part(long=True, seconds=120)
def lists_of_feeds(run: Run):
    """A list that names itself, other lists, files, private addresses or commands, or is endless, ends within the bounds."""
    depth = 20_000
    outlines = "".join(f'<outline type="rss" xmlUrl="https://own.example/{n}"/>' for n in range(run.number(300, 15_000)))
    private = 'xmlUrl="http://169.254.169.254/latest" text="x"'
    found = {"oself": "", "oother": ""}
    address = served(run, found)

    def opml(body: str) -> str:
        return f'<opml version="2.0"><head><title>List</title></head><body>{body}</body></opml>'

    def outline(url: str, **more: str) -> str:
        rest = "".join(f' {name}="{value}"' for name, value in more.items())
        return f'<outline type="rss" text="x" xmlUrl="{url}"{rest}/>'

    found |= {
        "oself": opml(outline(f"{address}/oself") * 50),
        "oother": opml(outline(f"{address}/oself") + outline(f"{address}/oother")),
        "ofiles": opml(
            "".join(
                outline(place)
                for place in ("/etc/passwd", "file:///etc/passwd", "../../etc/passwd", "~/.netrc", "-", "stdin:", "|id",
                              "$(id)", "javascript:alert(1)", "/dev/zero", "file:///proc/self/mem", "", " ")
            )
        ),
        "odeep": opml("<outline>" * depth + "</outline>" * depth),
        "omany": opml(outlines),
        "osecret": opml("".join(f'<outline type="rss" xmlUrl="https://own.example/{n}?token=s{n}"/>'
                                for n in range(run.number(300, 3_000)))),
        "oprivate": opml(f"<outline {private}/>" * 100),
        "oescape": opml(outline(f"{address}/feed/a/2", title="&#x9b;31m&#x202e;", text2="&#x85;")),
        "oentities": '<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
        '<!ENTITY c SYSTEM "file:///etc/passwd">]>' + opml('<outline xmlUrl="&b;&b;&c;"/>'),
        "oinclude": opml(f'<outline type="include" url="{address}/oinclude"/>' * 20),
        "obomb": gzip.compress(opml(" " * (100 << 20)).encode(), 9),
    }
    for name in found:
        library = run.folder / name
        command = run.gallery(library, "sync", f"{address}/{name}", "--metadata-only", seconds=60, status=None)
        run.among(command.status, {0, 1, 2}, f"{name}: {command.output[-200:]}")
        output = command.output
        run.check("root:" not in output and "\u009b" not in output and "\u202e" not in output, f"{name}: {output[:200]}")
        run.check(len(output) < 300_000, f"{name} writes {len(output)} bytes")
        if (library / "gallery.sqlite").exists():
            listed = run.gallery(library, "feeds", "--json", status=None).out
            run.check('"url":"file:' not in listed, f"{name} follows a file")


def chance_document(run: Run) -> tuple[str, str]:
    """A document with odd parts, made by chance, and the beginning of its name."""
    chance = run.chance
    texts = ["", "x", "\u202e", "&lt;script&gt;", "&amp;" * 50, "a\u0301" * 500, words(chance.random(), 300), "]]&gt;", "é" * 9_000]
    links = ["https://own.example/{}.png", "https://own.example/1.png", "javascript:alert({})", "file:///etc/{}", "//x/{}",
             "http://169.254.169.254/{}", "https://own.example/" + "a" * 9_000, "data:image/png;base64,{}", "/{}", ""]
    dates = ["Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "2026-11-02T08:00:60Z", "-1", "9" * 300, "x"]
    items = []
    for number in range(chance.choice([1, 30, 2_000])):
        link = chance.choice(links).format(chance.choice([number, 7]))
        items.append(
            f"<item><guid>{chance.choice([number, 7, chance.choice(texts)])}</guid><title>{chance.choice(texts)}</title>"
            f'<pubDate>{chance.choice(dates)}</pubDate><description>{chance.choice(texts)}</description>'
            f'<enclosure type="image/png" length="{chance.choice([0, -1, 1 << 63, "x"])}" url="{link}"/>'
            + f'<media:content url="{link}" width="{chance.choice([1, -1, 1 << 63])}"/>' * chance.choice([0, 1, 40])
            + "</item>"
        )
    text = "".join(items)
    place = chance.randrange(len(text) + 1)
    if chance.random() < 0.3:
        text = text[:place] + chance.choice(["<", "&", "\0", "<item>" * 300, "</channel>", "<![CDATA["]) + text[place:]
    namespace = 'xmlns:media="http://search.yahoo.com/mrss/"'
    return "r", f'<rss version="2.0" {namespace}><channel><title>{chance.choice(texts)}</title>{text}</channel></rss>'


@part(long=True, seconds=150, long_seconds=1_800)
def documents_by_chance(run: Run):
    """Documents with odd parts end within the bounds, neither lose images nor show control characters."""
    found: dict[str, str] = {}
    address = served(run, found)
    library = run.folder / "library"
    run.gallery(library, "sync", f"{address}/feed/mine/5", "--metadata-only")
    for number in range(run.number(8, 80)):
        for attempt in range(2):
            name, found[f"r{number}"] = chance_document(run)
            command = run.gallery(library, "sync", f"{address}/{name}{number}", "--metadata-only", "--force", status=None)
            run.among(command.status, {0, 1, 2}, f"document {number} {attempt}: {command.output[-200:]}")
            run.check("\u202e" not in command.output and "\x1b" not in command.output, f"document {number}: an escape")
    mine = run.gallery(library, "list", "--feed", "1").out
    run.equal(len(mine.splitlines()), 5, "images of another feed")
    check_sound(run, library)
