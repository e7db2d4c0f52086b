"""Programs that read feeds, and what they make of those that `gallery serve` publishes."""

import datetime
import email
import email.policy
import email.utils
import html.parser
import json
import re
import shutil
import sqlite3
import urllib.error
import urllib.request

SUFFIXES = ("rss", "atom", "json")


class Published:
    """A served library with two pictures: one with all facts and a stored original, one with nothing but an address."""

    def __init__(self, tools):
        self.tools = tools
        tools.picture("site/a.jpg", 1600, 1067)
        tools.picture("site/b.jpg")
        tools.write("site/feed.rss", """<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"
            xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Photographs</title>
          <item><guid isPermaLink="false">1</guid><title>Tom &amp; Jerry &lt;3 cheese</title><link>/1</link>
            <description>A boat &amp;amp; the sea</description><dc:creator>Ada &amp; Bob (Studio)</dc:creator>
            <pubDate>Wed, 01 Jul 2026 12:00:00 +0200</pubDate><media:content url="/a.jpg" medium="image"/>
            <media:license href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</media:license></item>
          <item><guid isPermaLink="false">2</guid><media:content url="/b.jpg" medium="image"/></item>
        </channel></rss>""")
        library = tools.folder / "library"
        tools.gallery("sync", "--cache", library, f"{tools.address}/feed.rss")
        tools.gallery("show", "--cache", library, "1", "--output", tools.folder / "a.jpg")
        self.origin, self.token = tools.serve_library(library)

    def address(self, suffix):
        """The address of the feed of all images, as a reader gets it."""
        return f"{self.origin}/images.{suffix}?token={self.token}"

    def bytes(self, suffix):
        with urllib.request.urlopen(self.address(suffix)) as answer:
            return answer.read()

    def plain(self, text):
        """Text without what is different in each run: the port, tokens and hashes."""
        text = text.replace(self.origin, "GALLERY").replace(self.token, "TOKEN")
        text = re.sub(r"feed_token=[\w.~-]+", "feed_token=TOKEN", text)
        return re.sub(r"/t/[0-9a-f]{64}", "/t/HASH", text)

    def facts(self, heading, entries):
        """A line for each fact of each entry, as the reader has it, and what a picture's address gives."""
        yield f"[{heading}]"
        for entry in entries:
            yield f"entry {entry.pop('title')!r}"
            for name, value in entry.items():
                if name == "date":
                    value = moment(value)
                if value not in (None, "", []):
                    yield f"  {name} {self.plain(str(value))}"
                if name == "picture in the text" and value:
                    yield f"  which gives {self.answer(value)}"
            # Asking for the other picture would store it, and change its length.
            picture = entry.get("picture") or ""
            if "/images/1/" in picture:
                yield f"  its address gives {self.answer(picture.split()[0])}"

    def answer(self, address):
        """What a reader without login gets."""
        try:
            with urllib.request.urlopen(address) as answer:
                return f"{answer.status}, {answer.headers.get_content_type()}"
        except urllib.error.HTTPError as error:
            return str(error.code)


def moment(value):
    """A date in UTC, whether it is a number, of RFC 5322 or of ISO 8601."""
    if value in (None, "", 0, "0"):
        return None
    try:
        date = datetime.datetime.fromtimestamp(int(str(value)), datetime.timezone.utc)
    except ValueError:
        value = str(value)
        try:
            date = datetime.datetime.fromisoformat(value)
        except ValueError:
            date = email.utils.parsedate_to_datetime(value)
    if abs((datetime.datetime.now(datetime.timezone.utc) - date).total_seconds()) < 3600:
        return "of this run"
    return date.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Shown(html.parser.HTMLParser):
    """The picture in the text of an entry, where a click on it leads, and the words."""

    def __init__(self, text):
        super().__init__()
        self.link = self.words = ""
        self.facts = {"caption": "", "picture in the text": "", "which leads to": ""}
        self.feed(text or "")
        self.close()
        self.facts["caption"] = " ".join(self.words.split())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "a":
            self.link = attributes.get("href")
        if tag == "img":
            self.facts["picture in the text"], self.facts["which leads to"] = attributes["src"], self.link

    def handle_endtag(self, tag):
        if tag == "a":
            self.link = ""

    def handle_data(self, data):
        self.words += data


def said(text):
    """The words of a text that may be HTML."""
    return Shown(text).facts["caption"]


def words(address, kind, length):
    """An enclosure in words."""
    # The length of a picture depends on its encoder; only whether it is known counts.
    length = -1 if length is None else int(length)
    return f"{address} ({kind}, {'no length' if length < 0 else 'length known' if length else 'length 0'})"


def feedparser(tools):
    import feedparser

    published = Published(tools)
    for suffix in ("rss", "atom"):
        feed = feedparser.parse(published.address(suffix))
        yield f"status {feed.status}, {'damaged' if feed.bozo else 'well-formed'}"
        yield from published.facts(suffix, (
            {
                "title": entry.get("title"), **Shown(entry.get("content", [{"value": ""}])[0]["value"]).facts,
                "summary": said(entry.get("summary")), "author": entry.get("author"),
                "authors": ", ".join(
                    f"{found.get('name')} {found.get('email', '')}".strip() for found in entry.get("authors", [])
                ),
                "date": entry.get("published"), "licence": entry.get("license"), "page": entry.get("link"),
                "picture": next(
                    (words(found.href, found.type, found.get("length")) for found in entry.enclosures), None
                ),
                "media content": ", ".join(found["url"] for found in entry.get("media_content", [])),
                "thumbnail": ", ".join(found["url"] for found in entry.get("media_thumbnail", [])),
            }
            for entry in feed.entries
        ))


def reader(tools):
    import reader

    published = Published(tools)
    for suffix in SUFFIXES:
        with reader.make_reader(":memory:") as library:
            library.add_feed(published.address(suffix))
            library.update_feeds()
            problem = library.get_feed(published.address(suffix)).last_exception
            if problem:
                yield f"{suffix}: {problem.value_str}"
            yield from published.facts(suffix, (
                {
                    "title": entry.title, **Shown(entry.content[0].value if entry.content else "").facts,
                    "summary": said(entry.summary), "author": entry.author,
                    "date": entry.published and entry.published.isoformat(), "page": entry.link,
                    "picture": next(
                        (words(found.href, found.type, found.length) for found in entry.enclosures), None
                    ),
                }
                for entry in sorted(library.get_entries(), key=lambda entry: entry.link)
            ))


def atoma(tools):
    import atoma

    published = Published(tools)
    yield from published.facts("rss", (
        {
            "title": item.title, **Shown(item.content_encoded).facts, "summary": said(item.description),
            "author": item.author,
            "date": item.pub_date and item.pub_date.isoformat(), "page": item.link,
            "picture": next((words(found.url, found.type, found.length) for found in item.enclosures), None),
        }
        for item in atoma.parse_rss_bytes(published.bytes("rss")).items
    ))
    yield from published.facts("atom", (
        {
            "title": entry.title and entry.title.value, **Shown(entry.content and entry.content.value).facts,
            "summary": said(entry.summary and entry.summary.value),
            "author": ", ".join(author.name for author in entry.authors),
            "date": entry.published and entry.published.isoformat(),
            "licence": ", ".join(link.href for link in entry.links if link.rel == "license") or entry.rights,
            "page": next(link.href for link in entry.links if link.rel == "alternate"),
            "picture": next(
                (words(link.href, link.type_, link.length) for link in entry.links if link.rel == "enclosure"), None
            ),
        }
        for entry in atoma.parse_atom_bytes(published.bytes("atom")).entries
    ))
    yield from published.facts("json", (
        {
            "title": item.title, **Shown(item.content_html).facts, "summary": item.content_text,
            "author": item.author and item.author.name,
            "date": item.date_published and item.date_published.isoformat(), "page": item.url, "image": item.image,
            "picture": next(
                (words(found.url, found.mime_type, found.size_in_bytes) for found in item.attachments), None
            ),
        }
        for item in atoma.parse_json_feed_bytes(published.bytes("json")).items
    ))


def fastfeedparser(tools):
    import fastfeedparser

    published = Published(tools)
    for suffix in SUFFIXES:
        yield from published.facts(suffix, (
            {
                "title": entry.get("title"), **Shown((entry.get("content") or [{"value": ""}])[0]["value"]).facts,
                "summary": said(entry.get("description")), "author": entry.get("author"),
                "date": entry.get("published"), "page": entry.get("link"),
                "picture": next(
                    (
                        words(found["url"], found.get("type"), found.get("length"))
                        for found in entry.get("enclosures") or []
                    ),
                    None,
                ),
                "media content": ", ".join(found["url"] for found in entry.get("media_content") or []),
            }
            for entry in fastfeedparser.parse(published.address(suffix)).entries
        ))


def rss_parser(tools):
    from rss_parser import AtomParser, RSSParser

    def content(tag):
        return tag.content if tag is not None else None

    def inner(tag):
        """The text of a tag that is wrapped in others."""
        while tag is not None and not isinstance(tag, str):
            tag = tag.content
        return tag

    def first(tags):
        return tags[0] if isinstance(tags, list) and tags else tags or None

    published = Published(tools)

    def rss_entry(item):
        found = first(item.enclosures if hasattr(item, "enclosures") else item.enclosure)
        return {
            "title": content(item.title), "summary": said(content(item.description)),
            "author": content(item.author),
            "date": content(item.pub_date), "page": content(first(item.links if hasattr(item, "links") else item.link)),
            "picture": found and words(
                found.attributes["url"], found.attributes.get("type"), found.attributes.get("length")
            ),
        }

    def atom_entry(entry):
        links = {link.attributes.get("rel"): link.attributes for link in entry.links}
        found = links.get("enclosure")
        return {
            "title": content(entry.title), **Shown(inner(entry.content)).facts,
            "summary": said(content(entry.summary)),
            "author": ", ".join(str(content(author.content.name)) for author in entry.authors),
            "date": content(entry.published), "page": links["alternate"]["href"],
            "licence": links.get("license", {}).get("href") or content(entry.rights),
            "picture": found and words(found["href"], found.get("type"), found.get("length")),
        }

    feed = RSSParser.parse(published.bytes("rss").decode())
    yield from published.facts("rss", (rss_entry(item) for item in feed.channel.content.items))
    feed = AtomParser.parse(published.bytes("atom").decode())
    yield from published.facts("atom", (atom_entry(entry) for entry in feed.feed.content.entries))


def podcastparser(tools):
    import io

    import podcastparser

    published = Published(tools)
    feed = podcastparser.parse(published.address("rss"), io.BytesIO(published.bytes("rss")))
    yield from published.facts("rss", (
        {
            "title": episode["title"], **Shown(episode.get("description_html")).facts,
            "summary": episode["description"], "author": episode.get("itunes_author"),
            "date": episode["published"], "page": episode["link"],
            "picture": next(
                (words(found["url"], found["mime_type"], found["file_size"]) for found in episode["enclosures"]), None
            ),
        }
        for episode in feed["episodes"]
    ))


def newsboat(tools):
    published = Published(tools)
    for suffix in ("rss", "atom"):
        urls = tools.write("urls", published.address(suffix) + "\n")
        cache = tools.folder / f"newsboat-{suffix}.db"
        tools.run("newsboat", "-u", urls, "-c", cache, "-C", tools.write("newsboat", ""), "-x", "reload")
        with sqlite3.connect(cache) as database:
            rows = database.execute(
                "SELECT title, author, url, pubDate, content, enclosure_url, enclosure_type FROM rss_item ORDER BY id"
            ).fetchall()
        yield from published.facts(suffix, (
            {"title": title, **Shown(content).facts, "author": author, "date": date, "page": page, "enclosure": found}
            for title, author, page, date, content, found, _ in rows
        ))


def sfeed(tools):
    published = Published(tools)
    for suffix in ("rss", "atom"):
        lines = tools.run("sfeed", published.origin, input=published.bytes(suffix).decode()).splitlines()
        yield from published.facts(suffix, (
            {"title": title, "page": page, "date": date, **Shown(text).facts, "author": author, "picture": picture}
            for date, title, page, text, _, _, author, picture, *_ in (line.split("\t") for line in lines)
        ))


def curl(tools):
    published = Published(tools)
    return downloads(published, lambda address, login: tools.run(
        "curl", "-s", "-L", "-o", tools.folder / "got", *(["-u", f"x:{login}"] if login else []), address
    ))


def wget(tools):
    published = Published(tools)
    return downloads(published, lambda address, login: tools.run(
        "wget", "-q", "-O", tools.folder / "got", *(["--user=x", f"--password={login}"] if login else []), address,
        accept=(0, 6, 8),
    ))


def python_urllib(tools):
    published = Published(tools)

    def download(address, login):
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        if login:
            passwords.add_password(None, published.origin, "x", login)
        opener = urllib.request.build_opener(urllib.request.HTTPBasicAuthHandler(passwords))
        try:
            with opener.open(address) as answer:
                (tools.folder / "got").write_bytes(answer.read())
        except urllib.error.HTTPError:
            pass

    return downloads(published, download)


def downloads(published, download):
    """What a program gets that loads a feed, and then the picture in it."""
    got, site = published.tools.folder / "got", published.tools.site
    originals = [(site / name).read_bytes() for name in ("a.jpg", "b.jpg")]
    page = f"{published.origin}/images.rss"
    cases = [
        ("the feed with the token in its address", published.address("rss"), None),
        ("the feed with the token as the password", page, published.token),
        ("the feed without a token", page, None),
    ]
    for words, address, login in cases:
        got.write_bytes(b"")
        download(address, login)
        feed = got.read_text(errors="replace")
        pictures = re.findall(r'<enclosure url="([^"]*)"', feed)
        yield f"{words}: {len(pictures)} pictures"
        for picture in pictures:
            got.write_bytes(b"")
            download(picture.replace("&amp;", "&"), login)
            name = "the stored picture" if "/images/1/" in picture else "the other one"
            bytes = got.read_bytes()
            yield f"  {name}: {'its original' if bytes in originals else f'{len(bytes)} other bytes'}"


XML_FEED = """use XML::Feed; use JSON::PP;
for my $entry (XML::Feed->parse(\\do { local $/; <STDIN> })->entries) {
  my ($found) = $entry->enclosure;
  print JSON::PP->new->canonical->ascii->encode({
    title => $entry->title, body => $entry->content->body, summary => $entry->summary->body,
    author => $entry->author, page => $entry->link, date => $entry->issued && $entry->issued->epoch,
    picture => $found && $found->url, type => $found && $found->type, length => $found && $found->length,
  }), "\\n";
}"""


def xml_feed(tools):
    published = Published(tools)
    for suffix in ("rss", "atom"):
        printed = tools.run("perl", "-e", XML_FEED, input=published.bytes(suffix).decode())
        yield from published.facts(suffix, (
            {
                "title": entry["title"], **Shown(entry["body"]).facts, "summary": said(entry["summary"]),
                "author": entry["author"], "date": entry["date"], "page": entry["page"],
                "picture": entry["picture"] and words(entry["picture"], entry["type"], entry["length"]),
            }
            for entry in map(json.loads, printed.splitlines())
        ))


def rss2email(tools):
    """The messages that it puts into a mailbox."""
    published = Published(tools)
    tools.write(".config/rss2email.cfg", f"""[DEFAULT]
from = feeds@photos.example
to = ada@photos.example
email-protocol = maildir
maildir-path = {tools.folder}/mail
maildir-mailbox = new
html-mail = True
use-publisher-email = False
date-header = True
""")
    for suffix in SUFFIXES[:2]:
        tools.run("r2e", "add", suffix, published.address(suffix))
        shutil.rmtree(tools.folder / "mail", ignore_errors=True)
        (tools.folder / "mail").mkdir()
        tools.run("r2e", "run", suffix)
        tools.run("r2e", "delete", suffix)
        messages = [
            email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            for path in (tools.folder / "mail").rglob("*") if path.is_file()
        ]
        yield from published.facts(suffix, (
            {
                "title": message["Subject"], **Shown(message.get_body(("html",)).get_content()).facts,
                "author": message["From"].addresses[0].display_name,
                "date": message["Date"].datetime.replace(tzinfo=datetime.timezone.utc).isoformat(),
                "page": message["X-RSS-URL"],
            }
            for message in sorted(messages, key=lambda message: message["X-RSS-URL"])
        ))


def feed2exec(tools):
    """The commands that it runs for each entry."""
    published = Published(tools)
    for suffix in ("rss", "atom"):
        got = tools.folder / "got"
        got.write_text("")
        tools.write("feed2exec.ini", f"""[{suffix}]
url = {published.address(suffix)}
output = feed2exec.plugins.exec
args = sh -c 'printf "%s\\n" "$@" >>{got}' - {{item.title}} {{item.link}}
""")
        database = tools.folder / f"{suffix}.db"
        tools.run("feed2exec", "--config", tools.folder / "feed2exec.ini", "--database", database, "fetch")
        lines = iter(got.read_text().splitlines())
        yield from published.facts(suffix, (
            {"title": title, "page": page} for title, page in zip(lines, lines)
        ))
