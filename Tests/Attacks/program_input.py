"""Lists of feeds on standard input, hostile environments, and what a library hands on to another."""

import json
import os
import subprocess

import programs

from .common import Run, part
from .processes import environment
from .sites import Request, feed, photographs

EVIL = "\u202e\u009b31m\x07\x1b]0;x\x07 $(touch pwned) `touch pwned` '; touch pwned; ' &quot;"

LINES = {
    "options": b"--exec=touch pwned\n--exec\ntouch pwned\n-rf\n--\n-v\n--cache=/tmp/x\n",
    "shell": b"$(touch pwned)\n`touch pwned`\n;touch pwned\n|touch pwned\n&& touch pwned\n!touch pwned\n",
    "paths": b"/etc/shadow\nfile:///etc/passwd\n../../etc/passwd\n@/etc/passwd\n~root/.netrc\n/dev/zero\n/proc/self/environ\n",
    "devices": b"/dev/stdin\n/dev/fd/0\n-\nstdin:\n/dev/tty\n/dev/random\n",
    "escapes": "\x1b[31mred\n\u202eabc\n\x07\n\x1b]52;c;aaaa\x07\n\u009b31m\n".encode(),
    "no text": bytes(range(256)) * 50,
    "null characters": b"\0" * 100_000 + b"\nhttp://x\0y/\n",
    "UTF-16": "http://own.example/\n".encode("utf-16"),
    "a mark": "\ufeffhttp://169.254.169.254/\n".encode(),
    "a long line": b"http://own.example/" + b"a" * (5 << 20) + b"\n",
    "no end": b"x" * (5 << 20),
    "many lines": b"\n# x\n" * 500_000,
    "equal lines": b"http://169.254.169.254/x\n" * 100_000,
    "deep JSON": b'{"url":' * 100_000 + b"\n",
    "JSON": b'{"url":"file:///etc/passwd"}\n{"url":5}\n{"url":["x"]}\n{"url":"http://169.254.169.254/"}\n{"id":1}\n[]\n"x"\n',
    "Markdown": b"[x](javascript:alert(1))\n[" * 2_000 + b"\n![](file:///etc/passwd)\n[x](http://169.254.169.254/)\n",
    "link-local addresses": b"http://169.254.169.254/latest\nhttp://[fe80::1]/\nhttp://[::ffff:169.254.169.254]/\n",
}


def piped(run: Run, library, data: bytes, *arguments: str, seconds: float = 60, **variables: str):
    """Runs a command with this standard input in the folder of the part; checks what it prints and makes."""
    run.folder.joinpath("work").mkdir(exist_ok=True)
    try:
        found = subprocess.run(
            [programs.path("gallery"), *arguments], input=data, capture_output=True, timeout=seconds,
            env=environment(library, **variables), cwd=run.folder / "work",
        )
    except subprocess.TimeoutExpired:
        run.check(False, f"{arguments}: has not ended after {seconds} s")
        return None
    run.check(found.returncode >= 0, f"{arguments}: status {found.returncode}: {found.stderr[-300:]!r}")
    output = (found.stdout + found.stderr).decode(errors="replace")
    run.check(not (run.folder / "work" / "pwned").exists(), f"{arguments}: a text ran as a command")
    return output


@part(long=True, seconds=200)
def lists_on_input(run: Run):
    """Lines of `sync --input -` are addresses only: no option, command or control character, and the rest gives a message."""
    for name, data in LINES.items():
        library = run.folder / name.replace(" ", "-")
        output = piped(run, library, data, "sync", "--input", "-", "--metadata-only", seconds=100)
        if output is None:
            continue
        run.check("\x1b" not in output and "\u202e" not in output and "\u009b" not in output, f"{name}: {output[:200]!r}")
        run.check("root:" not in output, f"{name} prints a file")
        run.check(len(output) < 500_000, f"{name} writes {len(output)} bytes")
        if (library / "gallery.sqlite").exists():
            feeds = run.gallery(library, "feeds", status=None).out
            run.check("169.254" not in feeds or "failed" in feeds, f"{name}: {feeds[:200]}")


@part(long=True, seconds=120)
def hand_over(run: Run):
    """`feeds --json`, `feeds` and `feeds --opml` of a library with hostile titles follow the same feeds elsewhere, no others."""

    def answer(request: Request):
        if request.words[0] == "feed":
            text = feed(request.words[1], 2, request.site.address)
            title = EVIL.replace("\x1b", "").replace("\x07", "").replace("&", "&amp;")
            return request.send(text.replace("Feed " + request.words[1], title), kind="application/rss+xml")
        photographs(request)

    address = run.site(answer).address
    wanted = sorted(f"{address}/feed/a{number}/2?x={number}" for number in range(5))
    first = run.folder / "first"
    run.gallery(first, "sync", *wanted, "--metadata-only")
    titles = ["x\nhttp://169.254.169.254/", "https://own.example/other", "--exec=id", '","url":"file:///etc/passwd', "</outline>"]
    for number, title in enumerate(titles, 1):
        run.gallery(first, "feeds", "set", str(number), "--title", title, status=None)
    for words in (["feeds", "--json"], ["feeds"], ["feeds", "--opml"]):
        listed = run.gallery(first, *words).out.encode()
        second = run.folder / ("second" + "".join(words))
        list_file = run.folder / "list.opml"
        if "--opml" in words:
            list_file.write_bytes(listed)
            run.gallery(second, "sync", str(list_file), "--metadata-only", status=None)
        else:
            piped(run, second, listed, "sync", "--input", "-", "--metadata-only")
        lines = [json.loads(line) for line in run.gallery(second, "feeds", "--json").out.splitlines()]
        found = sorted(line["url"] for line in lines if line["url"].startswith(address))
        run.equal(found, wanted, f"feeds after {words}")
        others = [line["url"] for line in lines if not line["url"].startswith((address, list_file.as_uri()))]
        run.equal(others, [], f"other feeds after {words}")


@part(long=True, seconds=120)
def hostile_environments(run: Run):
    """No variable of the environment names a decoder, is printed with its secret, crashes a command, or is waited for."""
    site = run.site()
    library = run.library(f"{site.address}/feed/a/2")
    tools, marker = run.folder / "tools", run.folder / "started"
    tools.mkdir()
    for name in ("gallery-decoder", "gallery-server", "sh", "curl", "less", "xdg-open"):
        (tools / name).write_text(f"#!/bin/sh\necho {name} >> {marker}\nexit 1\n")
        (tools / name).chmod(0o755)
    pipe = run.folder / "pipe"
    os.mkfifo(pipe)
    secret = "S3CR3TW0RD"
    for name, variables in {
        "a decoder in the path": {"PATH": f"{tools}:{os.environ['PATH']}"},
        "an empty path": {"PATH": ""},
        "no home": {"HOME": "/nonexistent"},
        "a home that is a file": {"HOME": "/etc/passwd", "XDG_CONFIG_HOME": "/etc/passwd", "XDG_DATA_HOME": "/dev/null"},
        "a home with control characters": {"HOME": "/tmp/\x1b[31m\n"},
        "a temporary folder that is a file": {"TMPDIR": "/etc/passwd"},
        "no locale": {"LANG": "\x1b[31m", "LC_ALL": "../../etc/passwd", "LANGUAGE": "x" * 10_000},
        "a zone": {"TZ": ":/etc/passwd"},
        "the width": {"COLUMNS": "9" * 30, "LINES": "-1"},
        "a proxy with a login": {"http_proxy": f"http://user:{secret}@127.0.0.1:1/", "no_proxy": ""},
        "an address without a proxy": {"http_proxy": "gopher://\x1b[31m:99999", "all_proxy": "x" * 9_000},
        "logins from a pipe": {"NETRC": str(pipe)},
        "logins from a device": {"NETRC": "/dev/zero"},
        "certificates from a pipe": {"SSL_CERT_FILE": str(pipe), "CURL_CA_BUNDLE": str(pipe)},
        "a store": {"AWS_SECRET_ACCESS_KEY": secret, "AWS_ACCESS_KEY_ID": "\r\nX: 1", "AWS_ENDPOINT_URL": "file:///etc/passwd",
                    "GALLERY_OBJECTS": "s3://b/p"},
        "settings without sense": {"GALLERY_KEEP": "-5", "GALLERY_JOBS": "9" * 30, "GALLERY_SORT": "x", "GALLERY_TIMEOUT": "1e999"},
        "an unknown setting": {"GALLERY_" + "X" * 5_000: "1", "GALLERY_EXEC": f"touch {marker}"},
        "a long variable": {"X": "x" * 120_000},
    }.items():
        for words in (["list"], ["sync"], ["config", "check"], ["config", "show"], ["status"]):
            found = run.gallery(library, *words, status=None, seconds=40, **variables)
            run.among(found.status, {0, 1, 2, 64, 65, 78}, f"{name}: {words}: {found.output[-200:]}")
            run.check(secret not in found.output, f"{name}: {words} prints a secret")
            run.check("\x1b" not in found.output and "root:" not in found.output, f"{name}: {words}: {found.output[:200]!r}")
    run.check(not marker.exists(), f"programs that a variable named: {marker.exists() and marker.read_text()}")
