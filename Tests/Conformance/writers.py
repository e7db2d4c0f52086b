"""Programs that write feeds and lists of pictures, and what `gallery` makes of them."""

import datetime
import json


def feedgen(tools):
    from feedgen.feed import FeedGenerator

    sizes = {"a.jpg": (1600, 1067), "b.jpg": (1067, 1600)}
    for name, (width, height) in sizes.items():
        tools.picture(f"site/{name}", width, height)
        tools.picture(f"site/small-{name}", width // 5, height // 5)

    def feed():
        feed = FeedGenerator()
        feed.load_extension("media")
        feed.id(tools.address)
        feed.title("Photographs")
        feed.link(href=tools.address, rel="alternate")
        feed.description("Two a day")
        feed.updated("2026-07-01T12:00:00+02:00")
        entry = feed.add_entry()
        entry.id(f"{tools.address}/1")
        entry.title("Harbour & sea")
        entry.author(name="Ada")
        entry.published("2026-07-01T12:00:00+02:00")
        entry.updated("2026-07-01T12:00:00+02:00")
        entry.link(href=f"{tools.address}/1", rel="alternate")
        return feed, entry

    grouped, entry = feed()
    for name, (width, height) in sizes.items():
        entry.media.content(url=f"{tools.address}/{name}", width=str(width), height=str(height), medium="image")
        entry.media.thumbnail(
            url=f"{tools.address}/small-{name}", width=str(width // 5), height=str(height // 5)
        )
    enclosed, entry = feed()
    for name in ("a.jpg", "b.jpg"):
        entry.enclosure(f"{tools.address}/{name}", "1000", "image/jpeg")
    for name, document in [("media", grouped), ("enclosures", enclosed)]:
        document.rss_file(str(tools.site / f"{name}.rss"))
        document.atom_file(str(tools.site / f"{name}.atom"))
        for suffix in ("rss", "atom"):
            yield f"[{name}.{suffix}]"
            yield from tools.followed(f"{tools.address}/{name}.{suffix}")


def rfeed(tools):
    import rfeed

    tools.picture("site/a.jpg")
    zone = datetime.timezone(datetime.timedelta(hours=2))
    item = rfeed.Item(
        title="Harbour", link=f"{tools.address}/1", description='A <b>boat</b>', author="ada@example.org (Ada)",
        guid=rfeed.Guid("1", isPermaLink=False), pubDate=datetime.datetime(2026, 7, 1, 12, tzinfo=zone),
        enclosure=rfeed.Enclosure(url=f"{tools.address}/a.jpg", length=1000, type="image/jpeg"),
    )
    feed = rfeed.Feed(title="Photographs", link=tools.address, description="One a day", items=[item])
    tools.write("site/feed.rss", feed.rss())
    return tools.followed(f"{tools.address}/feed.rss")


def mf2py(tools):
    import mf2py

    page = tools.write("site/page.html", f"""<!doctype html><title>Photographs</title>
      <div class="h-feed"><h1 class="p-name">Photographs</h1>
      <article class="h-entry"><a class="u-url" href="/1"><span class="p-name">Harbour</span></a>
        <time class="dt-published" datetime="2026-07-01T12:00:00+02:00">1 July</time>
        <p class="p-author h-card">Ada</p>
        <img class="u-photo" src="/a.jpg" alt="A boat"></article>
      <article class="h-entry"><a class="u-url p-name" href="/2">Two of the sea</a>
        <time class="dt-published" datetime="2026-07-02">2 July</time>
        <img class="u-photo" src="/b.jpg" alt="Waves"><img class="u-photo" src="/c.jpg" alt="Foam"></article></div>""")
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        tools.picture(f"site/{name}")
    document = mf2py.Parser(doc=page.read_text(), url=f"{tools.address}/page.html").to_json()
    return tools.followed(input=document, options=["--allow-private"])


def gallery_dl(tools):
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        tools.picture(f"site/{name}")
    tools.write("site/page.html", f"""<title>Harbour</title>
      <img src="{tools.address}/a.jpg"><a href="{tools.address}/b.jpg">Sea</a>""")
    # It drops the port of a page's address: findings/gallery-dl-generic-port.sh. So it asks the site as a proxy.
    page = ["-o", f"proxy={tools.address}", "generic:http://photos.example/page.html"]
    files = [f"{tools.address}/{name}" for name in ("b.jpg", "c.jpg")]
    for heading, addresses in [("a page", page), ("two files", files)]:
        yield f"[{heading}]"
        document = tools.run("gallery-dl", "--config-ignore", "-j", *addresses)
        yield from tools.followed(input=document, options=["--allow-private"])


def exiftool(tools):
    for name in ("a.jpg", "b.jpg"):
        path = tools.picture(f"pictures/{name}")
        tools.run(
            "exiftool", "-q", "-overwrite_original", f"-XMP-dc:Title=Harbour {name[0]}", "-XMP-dc:Description=A boat",
            "-Artist=Ada", "-DateTimeOriginal=2026:10:01 10:00:00", path,
        )
    tools.run("exiftool", "-q", "-overwrite_original", "-OffsetTimeOriginal=+02:00", tools.folder / "pictures/b.jpg")
    # A document of a pipe has no folder, so its paths lead nowhere.
    listed = tools.run("exiftool", "-q", "-j", "-fileOrder", "FileName", ".", folder=tools.folder / "pictures")
    return tools.followed(tools.write("pictures/list.json", listed))


def vips_dzsave(tools):
    photo = tools.picture("site/photo.jpg", 1000, 700)
    tools.run("vips", "dzsave", photo, "service", "--layout", "iiif3", "--id", tools.address, folder=tools.site)
    return tools.followed(static_manifest(tools, "service", "ImageService3"))


def iiif_static(tools):
    photo = tools.picture("site/photo.jpg", 1000, 700)
    tools.run("iiif_static.py", "-d", tools.site, "-p", tools.address, "-i", "service", "-t", "256", photo)
    return tools.followed(static_manifest(tools, "service", "ImageService2"))


def static_manifest(tools, name, kind):
    """Writes a manifest of a picture that has static tiles, too; returns its address."""
    service = {"id": f"{tools.address}/{name}", "type": kind, "profile": "level0"}
    body = {"id": f"{tools.address}/photo.jpg", "type": "Image", "format": "image/jpeg", "width": 1000, "height": 700}
    canvas = {"id": f"{tools.address}/canvas", "type": "Canvas", "width": 1000, "height": 700}
    annotation = {"id": f"{tools.address}/annotation", "type": "Annotation", "motivation": "painting"}
    annotation |= {"target": canvas["id"], "body": body | {"service": [service]}}
    page = {"id": f"{tools.address}/page", "type": "AnnotationPage", "items": [annotation]}
    manifest = {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest"}
    manifest |= {"id": f"{tools.address}/manifest.json", "label": {"en": ["Harbour"]}}
    manifest["items"] = [canvas | {"items": [page]}]
    tools.write("site/manifest.json", json.dumps(manifest))
    return manifest["id"]


def jq(tools):
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        tools.picture(f"site/{name}")
    photos = [
        {"id": number, "title": f"Photo {number}", "taken": f"2026-07-0{number}", "url": f"{tools.address}/{name}"}
        for number, name in enumerate(("a.jpg", "b.jpg", "c.jpg"), 1)
    ]
    # With --seq, jq wants such a sequence, too.
    document = "\x1e" + json.dumps({"photos": photos}) + "\n"
    for options, words in [(["-c"], "lines"), ([], "longer values"), (["--seq"], "RFC 7464")]:
        printed = tools.run("jq", *options, ".photos[]", input=document if options == ["--seq"] else document[1:])
        yield f"[{words}]"
        yield from tools.followed(input=printed, options=["--allow-private"])


def feedgenerator(tools):
    """What Django's writer, in a package of its own, makes of entries with pictures."""
    import feedgenerator

    zone = datetime.timezone(datetime.timedelta(hours=2))
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        tools.picture(f"site/{name}")
    for suffix, kind in (("rss", feedgenerator.Rss201rev2Feed), ("atom", feedgenerator.Atom1Feed)):
        feed = kind("Photographs", f"{tools.address}/", "Two a day", language="en", author_name="Ada")
        addresses = [f"{tools.address}/{name}" for name in ("a.jpg", "b.jpg")]
        files = [feedgenerator.Enclosure(address, "1000", "image/jpeg") for address in addresses]
        # RSS gets one enclosure at most: the writer refuses more.
        feed.add_item(
            "Harbour & sea", f"{tools.address}/1", "A <b>boat</b>", author_name="Bob", unique_id="tag:photos.example:1",
            pubdate=datetime.datetime(2026, 7, 1, 12, tzinfo=zone), categories=["sea"], item_copyright="CC BY 4.0",
            enclosures=files[: 1 if suffix == "rss" else 2],
        )
        feed.add_item(
            "Waves", f"{tools.address}/2", '<p>Foam <img src="/c.jpg" alt="Foam"></p>', unique_id="2",
            pubdate=datetime.datetime(2026, 7, 2, 12, tzinfo=datetime.timezone.utc),
        )
        tools.write(f"site/feed.{suffix}", feed.writeString("utf-8"))
        yield f"[{suffix}]"
        yield from tools.followed(f"{tools.address}/feed.{suffix}")


def pyrss2gen(tools):
    import PyRSS2Gen

    for name in ("a.jpg", "b.jpg"):
        tools.picture(f"site/{name}")
    items = [
        PyRSS2Gen.RSSItem(
            title="Harbour & sea", link=f"{tools.address}/1", description="A <b>boat</b>", guid=f"{tools.address}/1",
            author="ada@example.org (Ada)", pubDate=datetime.datetime(2026, 7, 1, 12),
            enclosure=PyRSS2Gen.Enclosure(f"{tools.address}/a.jpg", 1000, "image/jpeg"),
        ),
        # No description and no date.
        PyRSS2Gen.RSSItem(
            title="Waves", link=f"{tools.address}/2", guid=PyRSS2Gen.Guid("2", isPermaLink=0),
            enclosure=PyRSS2Gen.Enclosure(f"{tools.address}/b.jpg", 0, "image/jpeg"),
        ),
    ]
    feed = PyRSS2Gen.RSS2(
        title="Photographs", link=tools.address, description="Two a day", items=items,
        image=PyRSS2Gen.Image(f"{tools.address}/logo.png", "Photographs", tools.address),
    )
    with (tools.site / "feed.rss").open("w") as file:
        feed.write_xml(file, "utf-8")
    return tools.followed(f"{tools.address}/feed.rss")


def podgen(tools):
    """A podcast whose episodes have a cover each, and sound."""
    import podgen

    for name in ("cover.jpg", "a.jpg"):
        tools.picture(f"site/{name}", 1400, 1400)
    podcast = podgen.Podcast(
        name="Harbour sounds", website=tools.address, description="One a day", explicit=False,
        image=f"{tools.address}/cover.jpg", authors=[podgen.Person("Ada", "ada@example.org")],
    )
    for number, image in enumerate((f"{tools.address}/a.jpg", None), 1):
        podcast.add_episode(podgen.Episode(
            title=f"Episode {number}", summary="A boat", id=f"tag:photos.example:{number}", image=image,
            media=podgen.Media(f"{tools.address}/{number}.mp3", 1000, "audio/mpeg"),
            publication_date=datetime.datetime(2026, 7, number, 12, tzinfo=datetime.timezone.utc),
        ))
    podcast.rss_file(str(tools.site / "feed.rss"))
    return tools.followed(f"{tools.address}/feed.rss")


def feedendum(tools):
    """A feed that the program has read and written again."""
    import feedendum

    for name in ("a.jpg", "b.jpg"):
        tools.picture(f"site/{name}")
    source = tools.write("source.rss", f"""<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
      <title>Photographs</title><link>{tools.address}</link><description>Two a day</description>
      <item><guid isPermaLink="false">1</guid><title>Harbour &amp; sea</title><link>{tools.address}/1</link>
        <description>A boat</description><pubDate>Wed, 01 Jul 2026 12:00:00 +0200</pubDate>
        <enclosure url="{tools.address}/a.jpg" length="1000" type="image/jpeg"/></item>
      <item><guid isPermaLink="false">2</guid><title>Waves</title><link>{tools.address}/2</link>
        <description>&lt;img src="{tools.address}/b.jpg"&gt;</description>
        <pubDate>Thu, 02 Jul 2026 12:00:00 GMT</pubDate></item></channel></rss>""")
    feed = feedendum.from_rss_file(str(source))
    for suffix, written in (("rss", feedendum.to_rss_string(feed)), ("atom", feedendum.to_atom_string(feed))):
        tools.write(f"site/feed.{suffix}", written)
        yield f"[{suffix}]"
        yield from tools.followed(f"{tools.address}/feed.{suffix}")


def extruct(tools):
    """What a page says of its picture in JSON-LD, microdata, Open Graph, microformats, RDFa and Dublin Core."""
    import extruct

    for name in ("a.jpg", "b.jpg", "c.jpg", "d.jpg"):
        tools.picture(f"site/{name}")
    page = f"""<!doctype html><html prefix="og: http://ogp.me/ns#"><head><title>Harbour</title>
      <meta property="og:title" content="Harbour"><meta property="og:image" content="{tools.address}/a.jpg">
      <meta property="og:image:width" content="640"><meta property="og:url" content="{tools.address}/page.html">
      <script type="application/ld+json">{{"@context": "https://schema.org", "@type": "ImageObject", "name": "Harbour",
        "contentUrl": "{tools.address}/b.jpg", "caption": "A boat", "datePublished": "2026-07-01T12:00:00+02:00",
        "creator": {{"@type": "Person", "name": "Ada"}}, "license": "https://creativecommons.org/licenses/by/4.0/"}}
      </script></head><body>
      <div itemscope itemtype="https://schema.org/ImageObject"><span itemprop="name">Waves</span>
        <img itemprop="contentUrl" src="/c.jpg" alt="Foam"><time itemprop="datePublished" datetime="2026-07-02"></time>
      </div>
      <div class="h-entry"><a class="u-url p-name" href="/4">Dunes</a>
        <img class="u-photo" src="/d.jpg" alt="Sand"></div>
      </body></html>"""
    found = extruct.extract(page, base_url=f"{tools.address}/page.html", uniform=True)
    for syntax in ("json-ld", "microdata", "opengraph", "microformat"):
        yield f"[{syntax}]"
        yield from tools.followed(input=json.dumps(found[syntax]), options=["--allow-private"])
    yield "[all of them]"
    yield from tools.followed(input=json.dumps(found), options=["--allow-private"])


def fgallery(tools):
    """The list of an album that the generator writes for its own page."""
    for name in ("a.jpg", "b.jpg"):
        path = tools.picture(f"album/{name}", 2000, 1333)
        tools.run(
            "exiftool", "-q", "-overwrite_original", f"-XMP-dc:Title=Harbour {name[0]}", "-Make=Acme", "-Model=X100",
            "-DateTimeOriginal=2026:07:01 12:00:00", path,
        )
    tools.run("fgallery", "-j", "1", tools.folder / "album", tools.site / "album", "Photographs")
    return tools.followed(f"{tools.address}/album/data.json")
