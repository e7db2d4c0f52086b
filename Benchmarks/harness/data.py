"""Feeds and pictures, made from a seed."""

import json
import random
import struct
import time

SEED = 20_261_101
WORDS = "light river stone winter harbour field cloud garden bridge evening".split()


def write_thumbnails(folder, count):
    """JPEG files of 4 to 16 KB."""
    generator = random.Random(SEED)
    folder.mkdir()
    for number in range(1, count + 1):
        write_jpeg(folder / f"{number}.jpg", generator.randint(4 << 10, 16 << 10), generator)


def segment(marker, body):
    return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2, "big") + body


def write_jpeg(path, size, generator):
    """A grey picture of 320 by 216 pixels that any decoder accepts, padded with comments.

    Its tables have one code each, of one bit: "no difference" and "end of block". A long file is written
    in pieces, because the memory of this program would count as its children's (getrusage(2)).
    """
    one_code = b"\1" + b"\0" * 15 + b"\0"
    start = b"".join([
        b"\xff\xd8",
        segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"),
        segment(0xDB, b"\0" + b"\1" * 64),
        segment(0xC0, struct.pack(">BHHB", 8, 216, 320, 1) + b"\1\x11\0"),
        segment(0xC4, b"\0" + one_code + b"\x10" + one_code),
    ])
    scan = segment(0xDA, b"\1\1\0\0\x3f\0") + b"\0" * (40 * 27 * 2 // 8) + b"\xff\xd9"
    missing = size - len(scan) - len(start)
    with open(path, "wb") as file:
        file.write(start)
        while missing > 4:
            comment = segment(0xFE, generator.randbytes(min(missing - 4, 65_533)))
            file.write(comment)
            missing -= len(comment)
        file.write(scan)


def moment(number):
    """A minute earlier for each entry: the newest comes first, as in most feeds."""
    return time.gmtime(1_700_000_000 - 60 * number)


def rss_date(number):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", moment(number))


def entries(count):
    """The facts that a photo site gives for each picture."""
    generator = random.Random(SEED)
    for number in range(1, count + 1):
        title = " ".join(generator.choices(WORDS, k=3)).capitalize()
        yield number, title, f"Author {generator.randint(1, 500)}"


def write_media_rss(path, count, title="Benchmark"):
    """RSS 2.0 with Media RSS: an original and a thumbnail for each entry."""
    with open(path, "w", encoding="utf-8") as feed:
        feed.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'
            f' xmlns:media="http://search.yahoo.com/mrss/"><channel><title>{title}</title>\n'
        )
        for number, title, author in entries(count):
            feed.write(
                f"<item><title>{title}</title><guid>entry-{number}</guid>"
                f"<pubDate>{rss_date(number)}</pubDate><media:credit>{author}</media:credit>"
                f'<media:content url="originals/{number}.jpg" type="image/jpeg"'
                f' width="4000" height="3000"/>'
                f'<media:thumbnail url="thumbnails/{number}.jpg"/></item>\n'
            )
        feed.write("</channel></rss>\n")


def write_json_feed(path, count, title="Benchmark"):
    """JSON Feed 1.1: the original as an attachment."""
    with open(path, "w", encoding="utf-8") as feed:
        feed.write(
            '{"version": "https://jsonfeed.org/version/1.1", "title": "%s", "items": [\n' % title
        )
        for number, title, author in entries(count):
            entry = {
                "id": f"entry-{number}",
                "title": title,
                "authors": [{"name": author}],
                "date_published": time.strftime("%Y-%m-%dT%H:%M:%SZ", moment(number)),
                "attachments": [
                    {"url": f"originals/{number}.jpg", "mime_type": "image/jpeg"}
                ],
            }
            feed.write(json.dumps(entry) + (",\n" if number < count else "\n"))
        feed.write("]}\n")


def write_list(path, count, title="Benchmark"):
    """A plain JSON list with original and thumbnail."""
    with open(path, "w", encoding="utf-8") as feed:
        feed.write('{"title": "%s", "images": [\n' % title)
        for number, title, author in entries(count):
            entry = {
                "id": f"image-{number}",
                "title": title,
                "author": author,
                "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", moment(number)),
                "thumbnail": f"thumbnails/{number}.jpg",
                "original": f"originals/{number}.jpg",
                "width": 4000,
                "height": 3000,
            }
            feed.write(json.dumps(entry) + (",\n" if number < count else "\n"))
        feed.write("]}\n")
