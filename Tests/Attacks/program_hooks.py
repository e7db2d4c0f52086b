"""`sync --exec` and `--notify`: programs that the user names, with the texts of a hostile feed as their input."""
import json
import os
import pathlib
import signal
import subprocess
import time

import programs

from .common import Run, part
from .processes import LockWatch, environment
from .sites import Request, photographs

SHELL = "'; touch {0}/pwned; echo '$(touch {0}/pwned)`touch {0}/pwned` \\n\x1b[31m{{}}\\\";touch {0}/pwned;\\\""
TITLES = [
    "--help", "-rf /", "-", "--", "--\n--icon=/etc/passwd", "a\nb\r\nc\u2028d\u2029e", "a\0b", "$(touch pwned)", "`touch pwned`",
    "'; touch pwned; '", "\x1b]0;owned\x07", "\u202eoff", "%s%n%d", "${IFS}touch${IFS}pwned", "", " ", "x" * 300_000,
    '"}\n{"id":1,"title":"second line"}', "\ud83d", "é" * 2_000, "~", "*", "!!", "a\tb", "<script>x</script><b>", "&#10;&#0;",
]


def titled(run: Run, titles: list[str]) -> str:
    """The address of a feed with an image for each title."""
    items = [{"id": number, "title": title, "url": f"/original/{number}.png"} for number, title in enumerate(titles)]
    def answer(request: Request):
        if request.words[0] != "feed":
            return photographs(request)
        request.send(json.dumps(items), kind="application/json")
    return run.site(answer).address + "/feed/titles"


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


@part(long=True, seconds=120)
def lines_of_images(run: Run):
    """Whatever a title is, an image is one line of JSON for a command, which has no control character."""
    address = titled(run, TITLES)
    got = run.folder / "got"
    run.gallery(run.folder / "library", "sync", address, "--metadata-only", "--exec", f"cat > {got}")
    data = got.read_bytes()
    lines = [json.loads(line) for line in data.splitlines()]
    run.equal(len(lines), len(TITLES), "lines")
    run.equal(sorted({type(line["id"]).__name__ for line in lines}), ["int"], "kinds of ids")
    run.check(len({line["id"] for line in lines}) == len(TITLES), "two lines have one id")
    run.check(not any(byte < 32 and byte != 10 or byte == 127 for byte in data), "a control character")
    run.check(max(map(len, data.splitlines())) < 100_000, "a line is long")
    run.check(not (run.folder / "pwned").exists() and not pathlib.Path("pwned").exists(), "a title ran as a command")


@part(long=True, seconds=240)
def notifications(run: Run):
    """Whatever titles are, a notification has two words that are no options, each of harmless text."""
    tools = run.folder / "tools"
    tools.mkdir()
    told = run.folder / "told"
    program = tools / "notify-send"
    program.write_text(f'#!/bin/sh\nfor word; do printf "%s\\0" "$word"; done > {told}\n')
    program.chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    for number, titles in enumerate([[title] for title in TITLES] + [TITLES, TITLES * 40]):
        told.unlink(missing_ok=True)
        run.gallery(run.folder / f"library{number}", "sync", titled(run, titles), "--metadata-only", "--notify",
                    PATH=path)
        words = told.read_bytes().split(b"\0")[:-1]
        run.equal((len(words), words[:2]), (4, [b"--app-name=gallery", b"--"]), f"words for {titles[0][:20]!r}")
        lines = words[3].decode().split("\n")
        run.check(len(lines) <= 4 and not any(ord(letter) < 32 or letter in "\u202e\u2028\u2029" for letter in "".join(lines)),
                  f"the body for {titles[0][:20]!r}: {lines!r}"[:300])
        run.check(len(words[3]) < 20_000, f"a body of {len(words[3])} bytes")
    # Programs of this name that fail, flood, hang for a while or are none; an environment that is too large for any.
    for number, (text, mode) in enumerate([
        ("#!/bin/sh\nexit 9\n", 0o755), ("#!/bin/sh\nyes | head -c 20000000 >&2\n", 0o755), ("no program", 0o755),
        ("#!/nosuch\n", 0o755), ("", 0o644), ("#!/bin/sh\nkill -9 $$\n", 0o755),
    ]):
        program.write_text(text)
        program.chmod(mode)
        run.gallery(run.folder / f"odd{number}", "sync", titled(run, ["a"]), "--metadata-only", "--notify", status=None,
                    PATH=path)
    huge = {f"V{number}": "x" * 100_000 for number in range(15)}
    for option in (["--notify"], ["--exec", "cat > /dev/null"], ["--exec", "exit 0; " + "x" * 130_000]):
        run.gallery(run.folder / "huge", "sync", titled(run, ["a"]), "--metadata-only", *option, status=None, **huge)


class Hooked:
    """A sync with a command, in a session of its own."""

    def __init__(self, run: Run, name: str, command: str, count: int = 5):
        self.library, self.folder = run.folder / f"library-{name}", run.folder / name
        self.folder.mkdir()
        words = [programs.path("gallery"), "sync", f"{run.site().address}/feed/{name}/{count}", "--metadata-only", "--exec", command]
        self.process = subprocess.Popen(words, env=environment(self.library), cwd=self.folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        run.everything.callback(self.close)

    def wait_for(self, name: str) -> str:
        """Waits for a file that the command writes, and returns its text."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            path = self.folder / name
            if path.exists() and path.read_text().endswith("\n"):
                return path.read_text()
            time.sleep(0.02)
        raise RuntimeError(f"the command has not written '{name}'")

    def end(self, number: int) -> float:
        """Sends a signal; returns the seconds until the sync has ended, 30 at most."""
        begin = time.monotonic()
        self.process.send_signal(number)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        return time.monotonic() - begin

    def close(self):
        """Ends what a command has left behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()
        for path in self.folder.glob("*.pid"):
            for text in path.read_text().split():
                try:
                    os.kill(int(text), signal.SIGKILL)
                except ProcessLookupError:
                    pass


def runs(pid: int) -> bool:
    """Whether a process runs, and is no zombie."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@part(long=True, seconds=240)
def endless_commands(run: Run):
    """Ctrl-C ends a sync within a second, and with it a command that does not end, whatever that does."""
    write = "echo $$ > shell.pid; "
    for number, command in enumerate([
        f"{write}sleep 1000", f"trap '' INT TERM HUP; {write}sleep 1000", f"{write}exec sleep 1000 < /dev/null",
        f"{write}exec <&- >&- 2>&-; sleep 1000", f"{write}while :; do :; done", f"{write}cat > /dev/null; sleep 1000; :",
        f"{write}yes >&2", f"{write}(sleep 1000 & sleep 1000 & wait); wait", f"{write}kill -STOP $$",
        f"{write}trap 'sleep 1000' TERM; sleep 1000 & wait; wait",
    ]):
        for name, sent in (("int", signal.SIGINT), ("term", signal.SIGTERM)):
            hooked = Hooked(run, f"{name}{number}", command, count=run.number(5, 900))
            shell = int(hooked.wait_for("shell.pid"))
            seconds = hooked.end(sent)
            load = os.getloadavg()[0] / (os.cpu_count() or 1)
            run.check(seconds < 1 + load, f"{command}: the sync ended {seconds:.1f} s after {name}")
            run.among(hooked.process.returncode, {2, 128 + sent}, f"{command}: the status after {name}")
            run.check(not runs(shell), f"{command}: the command runs on after {name}")
            listed = run.gallery(hooked.library, "list", "--no-limit").out.splitlines()
            run.equal(len(listed), run.number(5, 900), f"{command}: images")


@part(long=True, seconds=240)
def commands_that_leave_others(run: Run):
    """A process that a command leaves behind holds up no sync, keeps no lock and no file of the library."""
    for name, command in {
        "input": "exec 3<&0; sleep 1000 & echo $! > left.pid",
        "session": "exec 3<&0; setsid sh -c 'echo $$ > left.pid; exec sleep 1000' & while ! [ -s left.pid ]; do :; done",
        "output": "cat > /dev/null; sleep 1000 & echo $! > left.pid",
        "library": f"cat > /dev/null; cd {run.folder}/library-library; sleep 1000 & echo $! > {run.folder}/library/left.pid",
    }.items():
        hooked = Hooked(run, name, command, count=1_000)
        try:
            hooked.process.wait(120)
        except subprocess.TimeoutExpired:
            run.check(False, f"{name}: the sync waits for what the command has left behind")
        run.equal(hooked.process.poll(), 0, f"{name}: the status")
        left = int(hooked.wait_for("left.pid"))
        files = [os.readlink(path) for path in pathlib.Path(f"/proc/{left}/fd").iterdir()]
        run.check(not any(str(hooked.library) in file for file in files), f"{name}: the process has {files}")
        for words in (["sync", "--force"], ["verify"], ["clean"], ["pin", "1"]):
            run.gallery(hooked.library, *words, seconds=60)
        os.kill(left, signal.SIGKILL)


@part(long=True, seconds=240)
def commands_of_the_library(run: Run):
    """A command may use the library itself, and nobody waits for a lock while it runs."""
    gallery = programs.path("gallery")
    library = run.folder / "library-own"
    ran = "list --limit 1; $G pin 1; $G feeds; $G sync; $G verify; $G remove 1; $G clean"
    hooked = Hooked(run, "own", f"G={gallery}; $G {ran}; echo done > ended")
    hooked.wait_for("ended")
    hooked.process.wait(120)
    run.among(hooked.process.returncode, {0, 2}, "a sync whose command removes its feed")
    run.gallery(library, "verify")
    # The database can be written while a command waits.
    hooked = Hooked(run, "waits", "echo $$ > shell.pid; sleep 1000", count=1_000)
    hooked.wait_for("shell.pid")
    watch = LockWatch(hooked.library / "gallery.sqlite")
    time.sleep(2)
    watch.close()
    run.locked(watch.longest, "a sync whose command waits")
    run.gallery(hooked.library, "pin", "1", seconds=30)
    hooked.end(signal.SIGINT)
    # A server whose command waits answers, and ends.
    library = run.library(run.site().address + "/feed/a/3", name="served")
    server = run.serve(library, "--exec", f"echo $$ > {run.folder}/served.pid; sleep 1000", "--sync", "auto")
    site = run.site().address
    body = json.dumps({"url": f"{site}/feed/b/3", "allowPrivate": True}).encode()
    server.ask("/api/v1/feeds", "POST", body=body, Content_Type="application/json")
    end = time.monotonic() + 60
    while not (run.folder / "served.pid").exists() and time.monotonic() < end:
        time.sleep(0.1)
    run.check((run.folder / "served.pid").exists(), "the server has not run the command")
    run.equal(server.ask("/api/v1/images?limit=1").status, 200, "the list while the command waits")
    begin = time.monotonic()
    run.check(server.stop(60), "the server does not end")
    run.check(time.monotonic() - begin < 14, f"the server with a command ended after {time.monotonic() - begin:.0f} s")
    run.check(not runs(int((run.folder / "served.pid").read_text())), "the command of the server runs on")
