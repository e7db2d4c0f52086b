"""`sync --exec`: commands that the user names, with the texts of a hostile feed as their input."""
import json

from .common import Run, part
from .sites import Request, photographs

SHELL = "'; touch {0}/pwned; echo '$(touch {0}/pwned)`touch {0}/pwned` \\n\x1b[31m{{}}\\\";touch {0}/pwned;\\\""


@part(long=True, seconds=120)
def hooks(run: Run):
    """Nothing of a feed reaches the shell, and a command that fails, floods or reads nothing does no harm."""
    text = SHELL.format(run.folder).replace("&", "&amp;").replace("<", "&lt;").replace("\x1b", "")
    def answer(request: Request):
        if request.words[0] != "feed":
            return photographs(request)
        items = "".join(f'<item><guid>{text}{n}</guid><title>{text}{n}</title><enclosure type="image/png" length="1" '
                        f'url="{request.site.address}/original/{n}.png"/></item>' for n in range(int(request.words[2])))
        request.send(f'<rss version="2.0"><channel><title>{text}</title>{items}</channel></rss>',
                     kind="application/rss+xml")
    address = run.site(answer).address
    got = run.folder / "got"
    for number, (command, count, status) in enumerate([
        (f"cat > {got}", 5, {0}), (f"env > {run.folder}/variables", 5, {0}), ("exit 0", 1_000, {0, 1, 2}),
        ("exit 7", 5, {0, 1, 2}), ("kill -9 $$", 5, {0, 1, 2}), ("/nosuch/program", 5, {0, 1, 2}),
        (f"yes | head -c {run.number(20, 300)}000000; cat > /dev/null", 5, {0}),
        ("exec >&-; exec 2>&-; cat", 5, {0, 1, 2}),
        ("sleep 30 & cat > /dev/null", 5, {0}), ("", 5, {0, 1, 2, 64}), ("printf 'a\\000b'", 5, {0, 1, 2}),
    ]):
        found = run.gallery(run.folder / f"library{number}", "sync", f"{address}/feed/{count}/{count}",
                            "--metadata-only", "--exec", command, status=None, seconds=20)
        run.among(found.status, status, f"--exec {command[:40]}: {found.errors[-200:]}")
    titles = [json.loads(line)["title"] for line in got.read_text().splitlines()]
    run.equal(len(titles), 5, "images for the command")
    run.check(not (run.folder / "pwned").exists(), "a text of the feed ran as a command")
    variables = (run.folder / "variables").read_text()
    run.check("touch" not in variables, "a text of the feed is in a variable")
    run.gallery(run.folder / "dry", "sync", f"{address}/feed/3/3", "--dry-run", "--exec",
                f"touch {run.folder}/dry-ran")
    run.check(not (run.folder / "dry-ran").exists(), "--dry-run runs the command")
