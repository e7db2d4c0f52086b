"""Libraries in PostgreSQL: what limited tokens learn of them, and folders for their originals that others have prepared."""
import contextlib
import os
import pathlib
import shutil
import signal
import sys

from .common import Run, part
from .gallery_exports import outside, tree
from .server_tokens import check_scopes

sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("Cluster", "Objects")]

from postgres import Server as Database  # noqa: E402
from postgres import address  # noqa: E402


def database(run: Run) -> Database:
    """A server of PostgreSQL, which ends with the part."""
    # It runs as another user.
    for folder in (run.folder, run.folder.parent):
        os.chmod(folder, 0o755)
    # The path of its socket may have 107 bytes (unix(7)).
    found = Database(run.folder / "db")
    try:
        found.make()
        found.start()
    except SystemExit as error:
        raise RuntimeError(str(error)) from error

    def stop():
        with contextlib.suppress(OSError):
            found.stop(signal.SIGINT)
    run.everything.callback(stop)
    return found


@part(long=True, seconds=180)
def scopes_in_a_database(run: Run):
    """A limited token learns nothing about the rest of a library in PostgreSQL, also while the server is away."""
    found, site = database(run), run.site().address
    data = {"XDG_DATA_HOME": str(run.folder / "data")}
    library = address(found)
    run.gallery(library, "sync", f"{site}/feed/open/3", f"{site}/feed/secret/3", "--originals", **data)
    server = run.serve(library, **data)
    check_scopes(run, server)
    token = server.token("other", "--search", "open")
    found.stop(signal.SIGINT)
    for path in ("/api/v1/images", "/", "/images/1", "/api/v1/feeds", "/api/v1/changes", "/search?q=secret", "/api/v1/tree/root"):
        answer = server.ask(path, token=token, seconds=60)
        words = (b"gallery@", b"127.0.0.1", str(found.port).encode(), b"p4ss", b"postgres")
        told = [word for word in words if word in answer.body]
        run.check((answer.status >= 500 or answer.status == 403) and not told, f"{path} without a database: {answer.status}, it tells {told}")
    found.start()
    end = 20
    while server.ask("/api/v1/images", token=token).status != 200 and end:
        end -= 1
    run.check(end > 0, "the server does not find its database again")
    run.check("p4ss" not in server.log(), "the log has the password")
    run.bounded(server)


@part(long=True, seconds=180)
def prepared_folders(run: Run):
    """A first copy to a database writes through no link in its folder of originals; later ones follow those of the user."""
    found, site = database(run), run.site().address
    library, other = run.library(f"{site}/feed/a/3", originals=True), outside(run)
    data = {"XDG_DATA_HOME": str(run.folder / "data")}
    run.gallery(library, "move", "--to", address(found), **data)
    place, = (run.folder / "data/gallery/databases").iterdir()
    kept = run.folder / "kept"
    place.rename(kept)
    before = tree(other)
    backup = run.folder / "backup"
    run.gallery(library, "backup", str(backup))
    for name in ("originals", "originals/ab", "partial", "trash"):
        for words, source in (
            (["move", "--to", address(found)], library), (["backup", address(found)], library),
            (["restore", str(backup), "--without-settings"], address(found)),
        ):
            found.sql("DROP SCHEMA public CASCADE")
            found.sql("CREATE SCHEMA public")
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).symlink_to(other)
            command = run.gallery(source, *words, status=1, **data)
            run.check("is a link" in command.output, f"{words[0]} {name}: {command.output[-200:]}")
            shutil.rmtree(place)
    run.equal(tree(other), before, "files of another user")
    run.gallery(library, "move", "--to", address(found), **data)
    (place / "originals").rename(run.folder / "disk")
    (place / "originals").symlink_to(run.folder / "disk")
    run.gallery(library, "move", "--to", address(found), **data)
    run.gallery(address(found), "verify", **data)
