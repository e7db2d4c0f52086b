"""Servers of originals that lie about lengths, to make stored originals give way."""

import json

from Kills.pictures import picture

from .common import Run, part
from .galleries import check_sound
from .sites import Request, photographs


@part(long=True, seconds=200)
def originals_give_way_to_no_lie(run: Run):
    """A server that declares more than it sends, or sends no picture, costs about as many stored bytes as it sends."""
    count, kinds = run.number(6, 30), ("declared", "huge", "page", "endless")

    def answer(request: Request):
        if request.words[0] == "lies":
            items = [{"id": kind, "title": kind, "image": f"{request.site.address}/lie/{kind}"} for kind in kinds]
            return request.send(
                json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "Lies", "items": items}),
                kind="application/json",
            )
        if request.words[0] != "lie":
            return photographs(request)
        kind = request.words[1]
        if kind == "page":
            return request.send("<html>" + "x" * 90_000, kind="image/png")
        length = {"declared": 300_000, "huge": 10**18, "endless": 0}[kind]
        request.send_response_only(200)
        request.send_header("Content-Type", "image/png")
        if length:
            request.send_header("Content-Length", str(length))
        request.end_headers()
        request.wfile.write(picture("lie", padding=3_000 if kind != "endless" else 2_000_000))
        request.close_connection = True

    site = run.site(answer)
    library = run.library(f"{site.address}/feed/a/{count}", originals=True)
    run.gallery(library, "sync", f"{site.address}/lies", status=2)
    stored = sum(path.stat().st_size for path in (library / "originals").glob("*/*"))
    images = [json.loads(line) for line in run.gallery(library, "list", "--json").out.splitlines()]
    numbers = {line["title"]: line["id"] for line in images if line.get("title") in kinds}
    for kind in kinds[:3]:
        for keep in (stored, stored + 50_000):
            run.gallery(library, "show", str(numbers[kind]), "--keep", f"{keep}B", status=4)
    left = len(list((library / "originals").glob("*/*")))
    # What arrives is less than two originals.
    run.check(left >= count - 2, f"{left} of {count} originals after lies")
    # Without a length, bytes make room as they arrive; but no more than the bound is stored.
    run.gallery(library, "show", str(numbers["endless"]), "--keep", f"{stored}B", status=4)
    check_sound(run, library)
