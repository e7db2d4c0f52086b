"""New images for libraries that have some already."""

from harness import data

# The number of images that each feed adds, with their thumbnails.
NEW = 100


class Additions:
    """New feeds on a site, each of which is in no library yet."""

    def __init__(self, bench, site, work):
        self.bench, self.site, self.work = bench, site, work
        self.made = 0
        data.write_thumbnails(work / "thumbnails", NEW)

    def add(self, library):
        """Syncs a new feed into a library."""
        self.made += 1
        name = f"new-{self.made}.xml"
        data.write_media_rss(self.work / name, NEW)
        return self.bench.sync(library, self.site.plain + name)

    def add_to_empty(self):
        with self.bench.folder() as empty:
            return self.add(empty)
