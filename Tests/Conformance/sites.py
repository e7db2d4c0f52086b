"""Generators of whole sites, and what `gallery` makes of the feeds in them."""


def hugo(tools):
    tools.picture("site/posts/two/cat.jpg")
    tools.write("hugo/config.toml", f"""baseURL = "{tools.address}/"
title = "Photographs"
languageCode = "en"
disableKinds = ["taxonomy", "term"]
""")
    for layout in ("list", "single"):
        tools.write(f"hugo/layouts/_default/{layout}.html", "<html>{{ .Content }}</html>")
    tools.write("hugo/content/posts/one.md", """---
title: One
date: 2026-07-01T12:00:00+02:00
---
A boat ![A boat](/posts/two/cat.jpg)
""")
    tools.write("hugo/content/posts/two.md", """---
title: Two
date: 2026-07-02T12:00:00+02:00
---
Waves ![Waves](cat.jpg)

<!--more-->

More
""")
    tools.run("hugo", "--quiet", "-d", tools.site, folder=tools.folder / "hugo")
    return tools.followed(f"{tools.address}/posts/index.xml")


def ikiwiki(tools):
    for name in ("a.jpg", "b.jpg"):
        tools.picture(f"wiki/trip/{name}")
    tools.write("wiki/index.mdwn", '[[!inline pages="trip/*" rss=yes atom=yes sort=title]]\n')
    options = ["--url", tools.address, "--wikiname", "Photographs", "--rss", "--atom"]
    tools.run("ikiwiki", *options, tools.folder / "wiki", tools.site)
    for name in ("index.rss", "index.atom"):
        yield f"[{name}]"
        yield from tools.followed(f"{tools.address}/{name}")


def jekyll(tools):
    for name in ("cover.jpg", "cat.jpg", "dog.jpg"):
        tools.picture(f"jekyll/assets/{name}")
    tools.write("jekyll/_config.yml", f"""title: Photographs
url: {tools.address}
plugins: [jekyll-feed]
timezone: UTC
""")
    tools.write("jekyll/_posts/2026-07-01-harbour.md", """---
title: Harbour
date: 2026-07-01 12:00:00 +0200
image: /assets/cover.jpg
author: Ada
---
A dog ![A dog](/assets/dog.jpg) and ![A cat](/assets/cat.jpg)
""")
    tools.run("jekyll", "build", "--quiet", "--disable-disk-cache", "-d", tools.site, folder=tools.folder / "jekyll")
    return tools.followed(f"{tools.address}/feed.xml")


def mkdocs_rss_plugin(tools):
    tools.picture("mkdocs/docs/assets/pic.jpg")
    tools.write("mkdocs/mkdocs.yml", f"""site_name: Photographs
site_url: {tools.address}/
theme: null
plugins:
  - rss:
      use_git: false
      date_from_meta:
        as_creation: date
        as_update: date
""")
    tools.write("mkdocs/docs/index.md", """---
title: Harbour
date: 2026-07-01 12:00
image: assets/pic.jpg
authors: [Ada]
---
A boat
""")
    tools.write("mkdocs/docs/sub/page.md", """---
title: Sea
date: 2026-07-02 12:00
image: ../assets/pic.jpg
---
Waves
""")
    tools.run("mkdocs", "build", "--quiet", "--dirty", "-d", tools.site, folder=tools.folder / "mkdocs")
    for name in ("feed_rss_created.xml", "feed_json_created.json"):
        yield f"[{name}]"
        yield from tools.followed(f"{tools.address}/{name}")


def nikola(tools):
    tools.run("nikola", "init", "-q", "nikola")
    for name in ("a.jpg", "b.jpg"):
        tools.picture(f"nikola/galleries/trip/{name}", 1600, 1067)
    settings = (tools.folder / "nikola/conf.py").read_text()
    tools.write("nikola/conf.py", f'{settings}\nSITE_URL = "{tools.address}/"\nOUTPUT_FOLDER = "{tools.site}"\n')
    tools.run("nikola", "build", "-q", folder=tools.folder / "nikola")
    return tools.followed(f"{tools.address}/galleries/trip/rss.xml")


def pelican(tools):
    for name in ("a.jpg", "b.jpg"):
        tools.picture(f"pelican/content/images/{name}")
    tools.write("pelican/pelicanconf.py", f"""SITENAME = "Photographs"
SITEURL = "{tools.address}"
AUTHOR = "Ada"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
PATH = "content"
STATIC_PATHS = ["images"]
FEED_ALL_ATOM = "all.atom.xml"
FEED_ALL_RSS = "all.rss.xml"
""")
    for number, summary in [(1, ":summary: A boat\n"), (2, "")]:
        tools.write(f"pelican/content/post{number}.rst", f"""Harbour {number}
#########

:date: 2026-07-0{number} 12:00
:category: Trip
{summary}
Two pictures.

.. image:: {{static}}/images/a.jpg
   :alt: A boat

.. image:: {{static}}/images/b.jpg
   :alt: Waves
""")
    tools.run("pelican", "-q", "-s", "pelicanconf.py", "-o", tools.site, folder=tools.folder / "pelican")
    for name in ("all.rss.xml", "all.atom.xml"):
        yield f"[{name}]"
        yield from tools.followed(f"{tools.address}/{name}")


def sigal(tools):
    for name in ("a.jpg", "b.jpg"):
        tools.picture(f"sigal/source/trip/{name}", 1600, 1067)
    feeds = "\n".join(
        f'{kind}_feed = {{"feed_url": "{tools.address}/feed.{kind}", "nb_items": 10}}' for kind in ("rss", "atom")
    )
    tools.write("sigal/sigal.conf.py", f"""source = "source"
destination = "{tools.site}"
title = "Photographs"
medias_sort_attr = "filename"
plugins = ["sigal.plugins.feeds"]
{feeds}
""")
    tools.run("sigal", "build", "-q", "-n", "1", "-c", "sigal.conf.py", folder=tools.folder / "sigal")
    for name in ("feed.rss", "feed.atom"):
        yield f"[{name}]"
        yield from tools.followed(f"{tools.address}/{name}")


def lektor(tools):
    tools.write("lektor/photographs.lektorproject", f"""[project]
name = Photographs
url = {tools.address}/
url_style = relative
""")
    tools.write("lektor/models/blog.ini", """[model]
name = Blog
[children]
model = post
order_by = -pub_date
""")
    tools.write("lektor/models/post.ini", """[model]
name = Post
label = {{ this.title }}
[fields.title]
type = string
[fields.pub_date]
type = datetime
[fields.author]
type = string
[fields.body]
type = markdown
""")
    tools.write("lektor/configs/atom.ini", """[feed]
name = Photographs
source_path = /
url_path = /feed.xml
items = site.query('/').filter(F._model == 'post')
item_model = post
""")
    for name in ("blog", "post"):
        tools.write(f"lektor/templates/{name}.html", "{{ this.body }}")
    tools.write("lektor/content/contents.lr", "_model: blog\n")
    bodies = ("A boat\n\n![A boat](boat.jpg)", "Two\n\n![Waves](/harbour-1/boat.jpg) ![Foam](foam.jpg)")
    for number, body in enumerate(bodies, 1):
        tools.write(f"lektor/content/harbour-{number}/contents.lr", f"""title: Harbour {number} & sea
---
pub_date: 2026-07-0{number} 12:00:00 UTC
---
author: Ada
---
body: {body}
""")
    tools.picture("lektor/content/harbour-1/boat.jpg")
    tools.picture("lektor/content/harbour-2/foam.jpg")
    tools.run("lektor", "build", "-O", tools.site, folder=tools.folder / "lektor")
    return tools.followed(f"{tools.address}/feed.xml")


def ablog(tools):
    for name in ("cover.jpg", "boat.jpg", "foam.jpg"):
        tools.picture(f"ablog/{name}")
    tools.write("ablog/conf.py", f"""project = "Photographs"
extensions = ["ablog"]
blog_title = "Photographs"
blog_baseurl = "{tools.address}/"
blog_authors = {{"Ada": ("Ada", None)}}
blog_feed_archives = True
blog_feed_fulltext = True
html_theme = "basic"
""")
    tools.write("ablog/index.rst", "Photographs\n===========\n\n.. toctree::\n   :glob:\n\n   post-*\n")
    tools.write("ablog/post-1.rst", """.. post:: 2026-07-01 12:00
   :author: Ada
   :tags: sea
   :image: 1

Harbour & sea
=============

.. image:: boat.jpg
   :alt: A boat

Two pictures.

.. image:: foam.jpg
   :alt: Foam
""")
    tools.write("ablog/post-2.rst", """.. post:: 2026-07-02

Waves
=====

.. figure:: cover.jpg

   The caption of the figure
""")
    tools.run("sphinx-build", "-q", "-b", "html", tools.folder / "ablog", tools.site)
    return tools.followed(f"{tools.address}/blog/atom.xml")


def lazygal(tools):
    for name in ("a.jpg", "b.jpg"):
        path = tools.picture(f"album/trip/{name}", 1600, 1067)
        tools.run(
            "exiftool", "-q", "-P", "-overwrite_original", f"-Comment=Harbour {name[0]}",
            "-DateTimeOriginal=2026:07:01 12:00:00", path,
        )
    tools.run("lazygal", "--quiet", "--puburl", f"{tools.address}/", "-o", tools.site, tools.folder / "album")
    # The date is that of the run.
    return [line for line in tools.followed(f"{tools.address}/index.xml") if not line.startswith("  date")]
