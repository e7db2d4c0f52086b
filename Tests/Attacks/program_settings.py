"""Files of settings that are too long, too deep, no files, or false."""
import os
import pathlib

from .common import Run, part


def lines(count: int, line: str) -> str:
    return "".join(line.replace("N", str(number)) + "\n" for number in range(count))


FILES = {
    "deep lists": "a = " + "[" * 50_000 + "]" * 50_000, "deep tables": "a = " + "{a = " * 20_000,
    "deep names": "[" + ".".join(["a"] * 50_000) + "]\n", "deep keys": ".".join(["a"] * 50_000) + " = 1\n",
    "many keys": lines(50_000, "keyN = 1"), "many tables": lines(20_000, "[tableN]\na = 1"),
    "many feeds": lines(20_000, '[[feeds]]\nurl = "https://example.com/N"'), "many lists": lines(20_000, "[[x]]"),
    "the same key": lines(10_000, "cache = 'x'"), "a long key": "a" * 900_000 + " = 1",
    "a long text": f'a = "{"a" * 900_000}"', "a long list": "a = [" + "1," * 400_000 + "]",
    "a long number": "a = " + "9" * 900_000, "a long date": "a = 2026-01-01T" + "0" * 900_000,
    "too many bytes": "#" * (2 << 20), "an open text": 'a = "' + "\\u0041" * 100_000, "an open list": "a = [" * 200_000,
    "a surrogate": 'a = "\\ud800"', "beyond Unicode": 'a = "\\UFFFFFFFF"', "a NUL": "a = 1\0",
    "a mark": "\ufeffcache = 'x'", "infinity": "a = inf\nb = -nan\nc = 1e999",
    "dates": "a = 9999-99-99\nb = 0000-00-00T25:61:61Z\nc = 2026-01-01T00:00:00+99:99",
    "extreme numbers": "a = 9223372036854775808\nb = -9223372036854775809\nc = 0xFFFFFFFFFFFFFFFFFF",
    "equals": "=" * 100_000, "quotes": '"' * 100_001, "brackets": "]" * 100_000, "returns": "\r" * 100_000,
    "controls": "".join(map(chr, range(1, 32))) * 1_000, "a key as a table": "a = 1\n[a]\nb = 1\n[a.b.c]\n",
    "a table as a list": "[a]\n[[a]]\n", "dots": "a......b = 1\n" * 1_000,
}


@part(long=True, seconds=120)
def hostile_settings(run: Run):
    """A hostile file of settings gives a sentence, or is ignored, in little time and memory."""
    file = run.folder / "config.toml"
    names = list(FILES) if run.is_long else run.chance.sample(list(FILES), 12)
    commands = [["config", "check"], ["list"], ["config", "show"]][:run.number(1, 3)]
    for name in names:
        file.write_bytes(FILES[name].encode("utf-8", "surrogatepass"))
        for command in commands:
            found = run.gallery(run.folder / "none", *command, status=None, seconds=30, processor=5,
                                GALLERY_CONFIG=str(file))
            run.among(found.status, {0, 1, 2, 64, 65, 78}, f"{name}: {' '.join(command)}: {found.output[-200:]}")
            run.check(len(found.output) < 100_000, f"{name}: {' '.join(command)} writes {len(found.output)} bytes")
    for _ in range(run.number(5, 200)):
        whole = run.chance.choice([b'[serve]\nlisten = ["127.0.0.1:1"]\n', b"cache = '/x'\n[sync]\noriginals = true\n"])
        place = run.chance.randrange(len(whole))
        file.write_bytes(whole[:place] + run.chance.randbytes(run.chance.randrange(9)) + whole[place:])
        run.gallery(run.folder / "none", "config", "check", status=None, GALLERY_CONFIG=str(file))


@part
def settings_that_are_no_files(run: Run):
    """A FIFO, a device, a folder, or a link without an end in the place of the settings is refused at once."""
    pipe, loop = run.folder / "pipe", run.folder / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    hidden = run.folder / "link"
    hidden.symlink_to(pipe)
    places: list[pathlib.Path | str] = [pipe, loop, hidden, run.folder, "/dev/zero", "/dev/random", "/dev/tty",
                                        "/proc/self/mem", "/proc/self/fd/0", "/dev/full", "x" * 5_000]
    for place in places:
        found = run.gallery(run.folder / "none", "list", status=None, seconds=10, processor=3,
                            GALLERY_CONFIG=str(place))
        run.check(not found.is_late and found.status < 128, f"{str(place)[:60]}: {found.status} {found.output[-200:]}")
