"""Terminals, and how a picture of `gallery show` looks in them."""

import json
import os
import re
import subprocess
import time

from pictures import COLOURS, drawing

# The seconds in which the picture must be on the screen.
PATIENCE = 30


def library(tools):
    """A library with the picture of four areas; returns the words of a shell that show it."""
    drawing().save(tools.site / "a.png")
    tools.write("site/list.json", json.dumps({"images": [{"id": 1, "title": "Harbour", "original": "a.png"}]}))
    tools.gallery("sync", "--cache", tools.folder / "library", "--originals", f"{tools.address}/list.json")
    return f"{tools.programs}/gallery show --cache {tools.folder}/library 1; sleep {PATIENCE + 10}"


def window(tools, *command):
    """What is in the window of a terminal, on a display without a screen."""
    shell = library(tools)
    reading, writing = os.pipe()
    environment = tools.environment | {"COLORTERM": "", "XDG_RUNTIME_DIR": str(tools.folder)}
    display = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1000x800x24", "-nolisten", "tcp"], pass_fds=[writing],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
    )
    tools.callback(display.kill)
    environment["DISPLAY"] = ":" + os.read(reading, 20).decode().strip()
    environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
    terminal = subprocess.Popen(
        [*command, "sh", "-c", shell], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
        cwd=tools.folder,
    )
    tools.callback(terminal.kill)
    yield from said(until_whole(lambda: screen(tools, environment)))
    terminal.terminate()
    terminal.wait(timeout=60)


def screen(tools, environment):
    """The pixels of the display, or None."""
    from PIL import Image

    path = tools.folder / "screen.png"
    found = subprocess.run(["import", "-window", "root", path], env=environment, capture_output=True)
    if found.returncode:
        return None
    with Image.open(path) as image:
        return places(image.convert("RGB"))


def until_whole(look):
    """What is there when two looks after each other have the same four colours, or at the end of patience."""
    end, before = time.monotonic() + PATIENCE, None
    while time.monotonic() < end:
        seen = look()
        if seen and len(seen) == len(COLOURS) and before == seen:
            return seen
        before = seen
        time.sleep(0.5)
    return before


def places(image):
    """The middles of the areas with the four colours."""
    sums = {}
    for index, pixel in enumerate(image.getdata()):
        if max(pixel) - min(pixel) < 40:
            continue
        name = min(COLOURS, key=lambda name: sum((a - b) ** 2 for a, b in zip(pixel, COLOURS[name])))
        x, y, count = sums.get(name, (0, 0, 0))
        sums[name] = (x + index % image.width, y + index // image.width, count + 1)
    return {name: (x / n, y / n) for name, (x, y, n) in sums.items() if n > 20}


def said(seen):
    middles = seen or {}
    yield f"colours: {', '.join(name for name in COLOURS if name in middles) or 'none'}"
    if len(middles) == len(COLOURS):
        red, green, blue, yellow = (middles[name] for name in COLOURS)
        is_right = red[0] < green[0] and blue[0] < yellow[0] and red[1] < blue[1] and green[1] < yellow[1]
        yield f"their places: {'right' if is_right else 'wrong'}"
        width, height = green[0] - red[0], blue[1] - red[1]
        yield f"proportions: {'right' if abs(width / height - 1.5) < 0.15 else f'{width / height:.2f}'}"


def kitty(tools):
    return window(tools, "kitty", "--config", "NONE", "-o", "update_check_interval=0")


def xterm(tools):
    """As it is, and as a terminal that knows Sixel."""
    for words, options in (("as it is", []), ("with -ti vt340", ["-ti", "vt340"])):
        yield f"[{words}]"
        yield from window(tools, "xterm", *options, "-geometry", "100x40", "-e")


def mlterm(tools):
    return window(tools, "mlterm", "-g", "100x40", "-e")


def urxvt(tools):
    return window(tools, "urxvt", "-geometry", "100x40", "-e")


def st(tools):
    return window(tools, "st", "-g", "100x40", "-e")


def tmux(tools):
    """A window of tmux that no terminal shows."""
    shell, name = library(tools), ["tmux", "-L", f"gallery-{os.getpid()}", "-f", "/dev/null"]
    tools.callback(lambda: subprocess.run([*name, "kill-server"], capture_output=True))
    tools.run(*name, "new-session", "-d", "-x", "100", "-y", "40", shell)
    return said(until_whole(lambda: cells(tools.run(*name, "capture-pane", "-p", "-e", "-N"))))


def cells(text):
    """The colours of the characters of a terminal, two for each: of its upper and of its lower half."""
    from PIL import Image

    rows, black = [], (0, 0, 0)
    # tmux writes a colour only where it changes, also from line to line.
    front = back = black
    for line in text.splitlines():
        upper, lower = [], []
        for codes, character in re.findall(r"\x1b\[([\d;]*)m|([^\x1b])", line):
            if character:
                is_upper, is_lower = character == "▀", character == "▄"
                upper.append(front if is_upper or character == "█" else back)
                lower.append(front if is_lower or character == "█" else back)
                continue
            numbers = [int(code or 0) for code in codes.split(";")]
            for place, number in enumerate(numbers):
                colour = tuple(numbers[place + 2 : place + 5])
                if number in (0, 39) and numbers[:1] not in ([38], [48]):
                    front = black
                if number in (0, 49) and numbers[:1] not in ([38], [48]):
                    back = black
                if number in (38, 48) and numbers[place + 1 : place + 2] == [2]:
                    front, back = (colour, back) if number == 38 else (front, colour)
                elif number in (38, 48) and numbers[place + 1 : place + 2] == [5]:
                    colour = indexed(numbers[place + 2])
                    front, back = (colour, back) if number == 38 else (front, colour)
        rows += [upper, lower]
    width = max((len(row) for row in rows), default=1)
    image = Image.new("RGB", (max(width, 1), max(len(rows), 1)))
    for y, row in enumerate(rows):
        for x, colour in enumerate(row):
            image.putpixel((x, y), colour)
    return places(image)


def indexed(number):
    """One of the 256 colours of xterm."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    if number < 16:
        return (0, 0, 0)
    steps = (0, 95, 135, 175, 215, 255)
    number -= 16
    return steps[number // 36], steps[number // 6 % 6], steps[number % 6]
