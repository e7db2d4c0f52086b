"""Trees of galleries that are bombs, lie about their hashes, or lead in circles."""

import json

from .common import Run, part
from .galleries import DATE, LARGEST, LIBRARY, TREE, Gallery, check_sound, feed, image, pin, rows, sha256, shown


def copied(run: Run, source: Gallery, count: int = 30):
    """A copy with images whose source then has a tree only."""
    source.pages = [[feed(), *[image(number) for number in range(1, count + 1)]]]
    library = run.folder / "copy"
    run.gallery(library, "sync", source.address, "--metadata-only")
    return library


@part(long=True, seconds=120)
def wrong_nodes(run: Run):
    """Nodes that are large, overlap, repeat, lie or lead back to themselves end the sync; no image is lost."""
    source = Gallery(run)
    library = copied(run, source)
    month, leaf = "e" * 64, "d" * 64
    text = f"library {LIBRARY}\nfeed 1 {'f' * 64}\n"
    root = {
        "hash": sha256(text),
        "library": LIBRARY,
        "cursor": "9.1",
        "pins": [],
        "feeds": [{"id": 1, "seq": 9, "hash": "f" * 64}],
    }
    node = {
        "hash": "f" * 64,
        "id": 1,
        "feed": feed(1, 9),
        "months": [{"month": "2026-11", "hash": month, "images": 9}],
    }

    def of(**more) -> dict:
        return {TREE + "root": root, TREE + "f" * 64: node} | {TREE + path: value for path, value in more.items()}

    def leaves(values) -> dict:
        return of(**{month: {"hash": month, "month": "2026-11", "leaves": values}})

    def leaf_of(first: int, last: int) -> dict:
        return {"hash": leaf, "first": first, "last": last}

    many = run.number(20_000, 200_000)
    trees = {
        "many leaves": leaves([leaf_of(1, 30)] * many),
        "leaves without images": leaves([leaf_of(number, number) for number in range(100, 100 + many)]),
        "leaves of the largest ids": leaves([leaf_of(-LARGEST - 1, LARGEST)]),
        "leaves that end before they begin": leaves([leaf_of(30, 1)]),
        "a month that leads to itself": leaves([{"hash": month, "first": 1, "last": 30}]),
        "a feed that leads to itself": of(**{"f" * 64: node | {"months": [{"month": "2026-11", "hash": "f" * 64}]}}),
        "many months": of(
            **{
                "f" * 64: node
                | {
                    "months": [
                        {"month": f"{year:04}-{number:02}", "hash": sha256(f"{year} {number}"), "images": 1}
                        for year in range(1, 2_000)
                        for number in range(1, 13)
                    ]
                }
            }
        ),
        "the same month twice": of(**{"f" * 64: node | {"months": node["months"] * 2}}),
        "months without a date": of(**{"f" * 64: node | {"months": [{"month": "9" * 900, "hash": month}]}}),
        "another feed": of(**{"f" * 64: node | {"id": 2}}),
        "a hash that is a path": of(**{"f" * 64: node | {"months": [{"month": "2026-11", "hash": "../" * 30}]}}),
        "a root with another hash": {TREE + "root": root | {"hash": "0" * 64}},
        "a root of many feeds": {TREE + "root": root | {"feeds": root["feeds"] * many}},
        "a root of many pins": {TREE + "root": root | {"pins": [{"id": 1, "seq": 1, "pinned": DATE}] * (many // 2)}},
        "a root of another library": {TREE + "root": root | {"library": "x" * 300}},
        "a root with a bad cursor": {TREE + "root": root | {"cursor": "a\r\nX: y"}},
        "no root": {TREE + "other": {}},
    }
    for name, nodes in trees.items():
        source.nodes = {path: json.dumps(value).encode() for path, value in nodes.items()}
        source.forget()
        command = run.gallery(library, "sync", status=1)
        run.check(len(source.requests) < 1_200, f"{name}: {len(source.requests)} requests")
        run.equal(shown(library), 30, f"images after {name}")
        run.check("Fatal" not in command.output, f"{name}: {command.output[-300:]}")
    check_sound(run, library)


@part(long=True, seconds=300, long_seconds=600)
def many_feeds(run: Run):
    """A tree of thousands of feeds that all differ takes time in proportion to them, whatever the gallery has pinned."""
    count = run.number(1_000, 4_000)
    pins = list(range(1, count + 1))
    source = Gallery(
        run,
        [feed(number) for number in range(1, count + 1)],
        [image(number, of=number) for number in range(1, count + 1)],
        [pin(number) for number in pins],
    )
    library = run.folder / "copy"
    run.gallery(library, "sync", source.address, "--metadata-only")
    source.grow(
        [feed(number, 2) for number in range(1, count + 1)],
        {number: [image(number, of=number)] for number in range(1, count + 1)},
        pins,
    )
    run.gallery(library, "sync", "--metadata-only", seconds=400, processor=6 * count / 1_000)
    run.equal(
        rows(library, "SELECT count(*) FROM mirror_feed WHERE origin_seq = 2")[0][0], count, "feeds that changed"
    )


@part(long=True)
def tree_that_changes(run: Run):
    """A tree whose nodes are gone before they are requested is read a few times only."""
    source = Gallery(run)
    library = copied(run, source)

    def answer(request, path, query):
        if path == TREE + "root":
            number = len(source.requests)
            digest = sha256(f"feed {number}")
            root = {
                "hash": sha256(f"library {LIBRARY}\nfeed 1 {digest}\n"),
                "library": LIBRARY,
                "cursor": f"9.{number}",
                "pins": [],
                "feeds": [{"id": 1, "seq": number, "hash": digest}],
            }
            request.send(json.dumps(root), kind="application/json")
        else:
            request.send("{}", 410 if path.endswith("changes") else 404)
        return True

    source.answer = answer
    source.forget()
    run.gallery(library, "sync", status=1)
    run.check(len(source.requests) < 20, f"{len(source.requests)} requests")
    run.equal(shown(library), 30, "images")
