#!/usr/bin/env python3
"""Reads the feeds of a served library with feedparser, and compares them with the API.

  feeds.py ADDRESS

The address has a token, like the address that `gallery serve` prints.
"""

import json
import sys
import urllib.parse
import urllib.request

import feedparser

# The path of each feed, without the suffix of its format, and the parameters of the same list in the API.
LISTS = [("/images", {}), ("/feeds/1", {"feed": 1}), ("/search", {"q": "photo 1"})]


def main():
    address = urllib.parse.urlsplit(sys.argv[1])
    origin = f"{address.scheme}://{address.netloc}"
    token = urllib.parse.parse_qs(address.query)["token"][0]

    def ask(path, **parameters):
        query = urllib.parse.urlencode(parameters)
        request = urllib.request.Request(f"{origin}{path}?{query}")
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    for path, parameters in LISTS:
        images = json.loads(ask("/api/v1/images", limit=200, **parameters))["images"]
        expected = [facts(image, origin) for image in images]
        assert expected, f"the list {path} has no images"
        words = {name: value for name, value in parameters.items() if name == "q"}
        for suffix in [".rss", ".atom"]:
            feed = feedparser.parse(ask(path + suffix, **words))
            assert not feed.bozo, f"{path}{suffix} is not well-formed: {feed.bozo_exception}"
            read = [entry_facts(entry) for entry in feed.entries]
            assert len(read) == len(expected), f"{path}{suffix} has {len(read)} of {len(expected)} entries"
            for got, wanted in zip(read, expected):
                assert got == wanted, f"{path}{suffix} has {got}, and the API has {wanted}"
            print(f"feedparser reads {len(read)} images of {path}{suffix}")


def facts(image, origin):
    page = f"{origin}/images/{image['id']}"
    thumbnail = image["thumbnail"]["sha256"]
    return {
        "title": image["title"] or "",
        "page": page,
        "original": [f"{page}/original"],
        "thumbnail": [f"{origin}/t/{thumbnail}"] if thumbnail else [],
        "author": image["author"] or "",
        "date": image["published"],
    }


def entry_facts(entry):
    date = entry.get("published_parsed")
    return {
        "title": entry.get("title", ""),
        "page": entry.link,
        "original": [content["url"] for content in entry.get("media_content", [])],
        "thumbnail": [thumbnail["url"] for thumbnail in entry.get("media_thumbnail", [])],
        "author": entry.get("author", ""),
        "date": date and "%04d-%02d-%02dT%02d:%02d:%02dZ" % date[:6],
    }


if __name__ == "__main__":
    main()
