"""A script that one would write in Python instead: it fetches a feed's document and fills gallery's own tables.

    store_document.py ADDRESS SCHEMA DATABASE

SCHEMA is the output of `sqlite3 .schema` for a library. The script writes everything in one transaction, through
`executemany`; at the end it is checkpointed and on the disk.
"""

import calendar
import datetime
import email.utils
import hashlib
import os
import sqlite3
import sys
import time
import urllib.parse
import urllib.request

INSERT_IMAGE = """
    INSERT INTO image (
      feed_id, position, date, published_at, first_seen_at, width, height, thumbnail_state,
      is_entry_ambiguous, entry_hash, original_hash, entry_id, original_address,
      thumbnail_address, title, title_key, author
    ) VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)
    """
INSERT_WORDS = "INSERT INTO image_search(rowid, title, caption, author, feed_token) VALUES (?, ?, ?, ?, ?)"
MEDIA = "{http://search.yahoo.com/mrss/}"


def main(address, schema, path):
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;")
    database.executescript("PRAGMA synchronous = NORMAL;" + open(schema, encoding="utf-8").read())
    with urllib.request.urlopen(address) as response:
        read = json_items if address.endswith(".json") else rss_items
        items = list(read(response))
    store(database, address, items)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)


def json_items(response):
    import orjson

    for item in orjson.loads(response.read())["items"]:
        moment = datetime.datetime.fromisoformat(item["date_published"].replace("Z", "+00:00"))
        author = item["authors"][0]["name"]
        attachment = item["attachments"][0]["url"]
        date = int(moment.timestamp())
        yield item["id"], item["title"], author, date, attachment, None, None, None


def rss_items(response):
    from lxml import etree

    for _, item in etree.iterparse(response, tag="item"):
        content = item.find(MEDIA + "content")
        yield (
            item.findtext("guid"),
            item.findtext("title"),
            item.findtext(MEDIA + "credit"),
            calendar.timegm(email.utils.parsedate(item.findtext("pubDate"))),
            content.get("url"),
            item.find(MEDIA + "thumbnail").get("url"),
            int(content.get("width")),
            int(content.get("height")),
        )
        item.clear()
        while item.getprevious() is not None:
            del item.getparent()[0]


def store(database, address, items):
    now = int(time.time())
    database.execute("BEGIN")
    # The identity only has to be unique, because there is one feed.
    insertion = "INSERT INTO feed(id, address, identity, added_at) VALUES (1, ?1, ?1, ?2)"
    database.execute(insertion, (address, now))
    database.executemany(INSERT_IMAGE, image_rows(address, items, now))
    words = ((row, item[1], None, item[2], "f1") for row, item in enumerate(items, 1))
    database.executemany(INSERT_WORDS, words)
    database.execute("UPDATE feed SET image_count = ?, is_whole = 1", (len(items),))
    database.execute("COMMIT")


def image_rows(address, items, now):
    join = urllib.parse.urljoin
    for place, (entry, title, author, date, original, thumbnail, width, height) in enumerate(items):
        original = join(address, original)
        small = thumbnail and join(address, thumbnail)
        yield (
            place << 20, min(date, now), date, now, width, height, 2 if small else 0, key(entry),
            key(original), entry, original, small, title, title.lower(), author,
        )


def key(text):
    """A hash of 64 bits for lookups."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


main(*sys.argv[1:])
