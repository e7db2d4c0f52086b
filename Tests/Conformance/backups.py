"""Programs that copy or keep a library, and what `gallery` says of the copy."""

import json

from tools import objects


def kept(tools, copy):
    """Copies of a library at rest and of a backup, and what each is worth.

    `copy` gets the folder of the library and the one to make of it.
    """
    for number in range(20):
        tools.picture(f"site/{number}.jpg", 900 + number, 600)
    images = [{"id": number, "original": f"{number}.jpg"} for number in range(20)]
    tools.write("site/list.json", json.dumps({"images": images}))
    library = tools.folder / "library"
    tools.gallery("sync", "--cache", library, "--originals", f"{tools.address}/list.json")
    tools.gallery("pin", "--cache", library, "1", "2")
    yield from worth(tools, "a library at rest", library, copy)
    backup = tools.folder / "backup"
    tools.gallery("backup", "--cache", library, backup)
    yield from worth(tools, "a backup that gallery has made", backup, copy)


def worth(tools, words, library, copy):
    copied = tools.folder / f"copy of {library.name}"
    copy(library, copied)
    if library.name == "backup":
        tools.gallery("restore", "--cache", tools.folder / "restored", copied)
        copied = tools.folder / "restored"
    verified = tools.gallery("verify", "--cache", copied, accept=(0, 1, 2)).splitlines()
    listed = tools.gallery("list", "--cache", copied, "--json").splitlines()
    yield f"[{words}]"
    yield f"images: {len(listed)}, pins: {sum(json.loads(line)['pinned'] for line in listed)}"
    yield from tools.plain(verified)
    synced = [feed for feed in objects(tools.gallery("sync", "--cache", copied, "--json")) if "feed" in feed]
    yield f"a sync: {', '.join(feed['status'] for feed in synced)}"
    modes = {oct(path.stat().st_mode & 0o777) for path in (copied / "originals").rglob("*.jpg")}
    links = {path.stat().st_nlink for path in (copied / "originals").rglob("*.jpg")}
    yield f"originals: modes {', '.join(sorted(modes))}, links {sorted(links)}"


def rsync(tools):
    return kept(tools, lambda here, there: tools.run("rsync", "-a", f"{here}/", f"{there}/", accept=(0, 24)))


def restic(tools):
    def copy(here, there):
        store = ["--repo", tools.folder / "restic", "--no-cache", "--quiet", "--password-command", "echo secret"]
        if not (tools.folder / "restic").exists():
            tools.run("restic", *store, "init")
        tools.run("restic", *store, "backup", ".", folder=here, accept=(0, 3))
        tools.run("restic", *store, "restore", "latest", "--target", there)

    return kept(tools, copy)


def borg(tools):
    def copy(here, there):
        store = tools.folder / "borg"
        if not store.exists():
            tools.run("borg", "init", "--encryption", "none", store)
        tools.run("borg", "create", f"{store}::{there.name.replace(' ', '-')}", ".", folder=here, accept=(0, 1))
        there.mkdir()
        tools.run("borg", "extract", f"{store}::{there.name.replace(' ', '-')}", folder=there)

    return kept(tools, copy)


def bup(tools):
    def copy(here, there):
        store = ["bup", "-d", tools.folder / "bup"]
        tools.run(*store, "init")
        tools.run(*store, "index", "--no-check-device", here)
        tools.run(*store, "save", "-q", "-n", "library", "--strip", here)
        tools.run(*store, "restore", "-q", "-C", there, "/library/latest/.")

    return kept(tools, copy)


def rdiff_backup(tools):
    def copy(here, there):
        store = tools.folder / f"rdiff-{here.name}-{there.name}"
        tools.run("rdiff-backup", "backup", here, store)
        tools.run("rdiff-backup", "restore", store, there)

    return kept(tools, copy)


def unison(tools):
    def copy(here, there):
        tools.run("unison", here, there, "-batch", "-silent", "-confirmbigdel=false", "-perms=-1", accept=(0, 1))

    return kept(tools, copy)


def rclone_copy(tools):
    return kept(tools, lambda here, there: tools.run("rclone", "copy", "--config", "/dev/null", here, there))
