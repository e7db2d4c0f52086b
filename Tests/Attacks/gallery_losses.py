"""Galleries that lose their images, claim those of others, or take feeds of the user."""

from .common import Run, part
from .galleries import CHANGES, TREE, Gallery, check_sound, copied, delete, feed, image, shown

OTHER = "99999999-2222-4333-8444-555555555555"


@part
def claimed_library(run: Run):
    """A gallery that states the UUID of another one gets nothing of its copy, whatever the user repeats."""
    first = Gallery(run, [feed(), *[image(number) for number in range(1, 31)]])
    library = copied(run, first)
    before = run.gallery(library, "list", "--json").out
    second = Gallery(run, [feed(2), image(1, 9, of=2, title="of the other")])
    for options in ([], ["--force"], ["--accept-removals"], ["--take-over", "https://elsewhere.example/"]):
        command = run.gallery(library, "sync", second.address, *options, status=None)
        run.check(command.status != 0, f"{options}: accepted")
    # A proxy that passes on all answers of the first gallery has its UUID and its cursor, too.
    second.answer = lambda request, path, query: bool(first._answer(request) or True)
    run.gallery(library, "sync", second.address, status=1)
    run.equal(run.gallery(library, "list", "--json").out, before, "images after another gallery claimed them")
    # A stranger at the new address that the user accepts still may not empty the copy.
    gone = Gallery(run, [feed(), *[image(number) for number in range(1, 31)]])
    gone.pages.append([delete("image", number, 5) for number in range(1, 30)])
    run.gallery(library, "sync", gone.address, "--take-over", first.base, status=1)
    run.equal(shown(library), 30, "images after a refused take-over")
    check_sound(run, library)


@part
def lost_source(run: Run):
    """A copy keeps its images when its gallery loses them, is replaced, or shrinks and grows at once."""
    images = [image(number) for number in range(1, 41)]
    source = Gallery(run, [feed(), *images])
    library = copied(run, source)
    run.gallery(library, "pin", "1", "2")
    for name, changes in {
        "all images": [delete("image", number, 5) for number in range(1, 41)],
        "the feed": [delete("feed", 1, 5)],
        "most, with as many new ones": [
            change for number in range(1, 31) for change in (delete("image", number, 5), image(number + 100, 5))
        ],
        "most, in pages": None,
    }.items():
        source.pages[1:] = [changes] if changes else [[delete("image", number, 5)] for number in range(1, 31)]
        run.gallery(library, "sync", status=1)
        run.equal(shown(library), 40, f"images after a gallery lost {name}")
    source.pages[1:] = []
    source.pages[0], source.library = [feed(), image(1, title="another")], OTHER
    for _ in range(2):
        run.gallery(library, "sync", "--force", status=1)
    run.equal(shown(library), 40, "images after another library came to the address")
    run.gallery(library, "sync", source.address, "--accept-removals")
    run.equal(len(run.gallery(library, "list", "--pinned").out.splitlines()), 2, "own pins after an accepted loss")
    check_sound(run, library)


@part(long=True)
def slow_loss(run: Run):
    """A gallery that shrinks slowly takes no image that the user has pinned, and each step is a tenth at most."""
    source = Gallery(run, [feed(), *[image(number) for number in range(1, 101)]])
    library = copied(run, source)
    run.gallery(library, "pin", "7", "77")
    left = 100
    for step in range(run.number(6, 40)):
        count = left // 10
        source.pages.append([delete("image", number, step + 5) for number in range(101 - left, 101 - left + count)])
        run.gallery(library, "sync")
        left -= count
        if count == 0:
            break
    names = run.gallery(library, "list", "--pinned").out
    run.check("image 7\t" in names and "image 77" in names, f"pinned images are gone: {names}")
    check_sound(run, library)


@part(long=True)
def new_epoch_each_time(run: Run):
    """A gallery that begins a new history each time costs few requests, and loses no image."""
    images = [image(number) for number in range(1, 31)]
    source = Gallery(run, [feed(), *images])
    library = copied(run, source)
    for epoch in range(run.number(3, 30)):
        source.grow([feed()], {1: images}, cursor=f"{epoch + 2}.1")
        source.forget()
        run.gallery(library, "sync")
        run.check(len(source.requests) <= 3, f"epoch {epoch}: {source.requests}")
    run.equal(shown(library), 30, "images after new epochs")


@part(long=True, seconds=120)
def feed_that_comes_back(run: Run):
    """A removed feed of many images comes back in short transactions."""
    count = run.number(12_000, 60_000)
    numbers = list(range(1, count))
    pages = [[feed(), *[image(number) for number in numbers[at : at + 4_000]]] for at in range(0, count, 4_000)]
    source = Gallery(run, *pages)
    library = copied(run, source, "copy", "--metadata-only")
    run.gallery(library, "remove", "1")
    run.equal(shown(library), 0, "images of a removed gallery")
    run.gallery(library, "sync", source.address, "--metadata-only")
    run.equal(shown(library), count - 1, "images that came back")


@part(long=True)
def feeds_of_the_user(run: Run):
    """A gallery neither changes nor removes a feed that the user follows, and the user's feed stays at its address."""
    site = run.site()
    own = site.address + "/feed/own/10"
    library = run.library(own)
    source = Gallery(run, [feed(), image(1)])
    run.gallery(library, "sync", source.address)
    source.pages.append([feed(1, 5, url=own, title="stolen"), image(2, 5)])
    run.gallery(library, "sync")
    source.pages.append([delete("feed", 1, 6)])
    run.gallery(library, "sync", source.address, "--accept-removals")
    other = Gallery(run, [feed(7, url=own, title="stolen"), image(1, of=7)], library=OTHER)
    run.gallery(library, "sync", other.address)
    feeds = run.gallery(library, "feeds").out
    run.check(f"Feed own\t{own}" in feeds and "stolen" not in feeds, f"the user's feed: {feeds}")
    run.equal(
        len([line for line in run.gallery(library, "list").out.splitlines() if "own picture" in line]),
        10,
        "images of the user's feed",
    )


@part
def part_of_the_gallery(run: Run):
    """Signed pages that a limited token gets remove nothing from a whole copy, also if a stranger hands them on."""
    site = run.site().address
    # Few images are not in the part, so that their loss alone would need no word.
    server = run.serve(run.library(f"{site}/feed/open/28", f"{site}/feed/secret/2", name="source"))
    limited = server.token("limited", "--search", "open")
    between = {"token": server.token("whole"), "hostile": False}

    def hand_on(request):
        path, _, query = request.path.partition("?")
        # So the copy has to ask for all changes.
        if between["hostile"] and (path == CHANGES and query or path.startswith(TREE)):
            return request.send("{}", 410 if path == CHANGES else 403)
        answer = server.ask(request.path, token=between["token"])
        request.send(answer.body, answer.status, kind=answer.fields.get("content-type", ""))

    address = run.site(hand_on).address + "/"
    copy = run.folder / "copy"
    run.gallery(copy, "sync", address)
    before = run.gallery(copy, "list", "--json").out
    run.equal(shown(copy), 30, "images of the copy")
    between.update(token=limited, hostile=True)
    for options in ([], [address, "--force"], [address, "--accept-removals"]):
        command = run.gallery(copy, "sync", *options, status=1)
        run.check("another part" in command.output, f"{options}: {command.output[-200:]}")
        run.equal(shown(copy), 30, f"images after {options}")
    between.update(token=server.admin, hostile=False)
    run.gallery(copy, "sync", address)
    run.check(run.gallery(copy, "list", "--json").out == before, "the images have changed")
    check_sound(run, copy)
