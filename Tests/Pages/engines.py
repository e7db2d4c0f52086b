"""Walks through the tasks of a reader in Firefox and in WebKit, without a package of Python.

Firefox is driven by Marionette, WebKit's MiniBrowser by WebKitWebDriver; both speak WebDriver (W3C).
"""

import contextlib
import glob
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# The codes of keys that write no character (WebDriver, section 17.4.2).
KEYS = {
    "Escape": "\ue00c", "Enter": "\ue007", "End": "\ue010", "Home": "\ue011", "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
FOCUSED = "Number(document.activeElement.dataset.index ?? -1)"
LOADED = """(() => {
  const images = [...document.querySelectorAll('.cell img')].filter((image) => {
    const box = image.getBoundingClientRect();
    return box.bottom > 60 && box.top < innerHeight;
  });
  return images.length > 2 && images.every((image) => image.complete && image.naturalWidth > 0);
})()"""
ORIGINAL_SHOWN = "document.querySelector('.viewer .canvas.ready .original')?.naturalWidth > 0"
COUNT = "parseInt(document.querySelector('.count').textContent)"
VALUE = "document.querySelector('[role=slider]').getAttribute('aria-valuetext')"


class Missing(Exception):
    """A browser is not installed."""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def connected(port, process):
    """Connects to a port once its program listens."""
    end = time.monotonic() + 60
    while True:
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), 60)
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{process.args[0]} does not start")
        time.sleep(0.1)


class Firefox:
    """A session of Firefox, by Marionette: commands are JSON behind their length."""

    def __init__(self, stack):
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            raise Missing("Firefox")
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        port = free_port()
        Path(profile, "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        process = subprocess.Popen(
            [program, "--marionette", "--headless", "--no-remote", "--profile", profile],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": profile},
        )
        stack.callback(ended, process)
        self.socket = stack.enter_context(connected(port, process))
        self.socket.settimeout(120)
        self.data, self.numbers = b"", itertools.count()
        self.receive()
        self.send("NewSession")

    def receive(self):
        while b":" not in self.data:
            self.data += self.more()
        length, _, self.data = self.data.partition(b":")
        while len(self.data) < int(length):
            self.data += self.more()
        text, self.data = self.data[:int(length)], self.data[int(length):]
        return json.loads(text)

    def more(self):
        data = self.socket.recv(65_536)
        if not data:
            raise RuntimeError("Firefox has left")
        return data

    def send(self, command, **parameters):
        text = json.dumps([0, next(self.numbers), f"WebDriver:{command}", parameters])
        self.socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result.get("value") if isinstance(result, dict) and "value" in result else result


class WebKit:
    """A session of WebKit's MiniBrowser, by HTTP."""

    # The method and the path of each command, and those of its parameters that are in the path.
    PATHS = {
        "Navigate": "url", "ExecuteScript": "execute/sync", "FindElement": "element", "Back": "back",
        "ElementClick": "element/{id}/click", "ElementSendKeys": "element/{id}/value",
        "ElementClear": "element/{id}/clear", "PerformActions": "actions", "SetWindowRect": "window/rect",
    }

    def __init__(self, stack):
        driver, browsers = shutil.which("WebKitWebDriver"), sorted(glob.glob(MINI_BROWSERS))
        if not driver or not browsers or not shutil.which("Xvfb"):
            raise Missing("WebKit")
        home = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        reading, writing = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1440x900x24", "-nolisten", "tcp"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        stack.callback(ended, screen)
        os.close(writing)
        with os.fdopen(reading) as display:
            number = display.readline().strip()
        port = free_port()
        process = subprocess.Popen(
            [driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home, "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home, "DISPLAY": f":{number}"},
        )
        stack.callback(ended, process)
        connected(port, process).close()
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": browsers[-1], "args": ["--automation"]}
        session = self.post("", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.address += "/" + session["sessionId"]
        stack.callback(self.quit)

    def post(self, path, body, method="POST"):
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {json.loads(error.read())['value']['message']}") from None

    def send(self, command, **parameters):
        path = self.PATHS[command].format(**parameters)
        return self.post("/" + path, {name: value for name, value in parameters.items() if name != "id"})

    def quit(self):
        with contextlib.suppress(Exception):
            self.post("", {}, "DELETE")


def ended(process):
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Page:
    """What a reader does and sees."""

    def __init__(self, driver, home):
        self.driver, self.home = driver, home

    def open(self, path=""):
        self.driver.send("Navigate", url=self.home + path)

    def value(self, expression, *arguments):
        return self.driver.send("ExecuteScript", script=f"return ({expression});", args=list(arguments))

    def until(self, expression, *arguments):
        """Waits until an expression is true; it may use `arguments`."""
        end, problem = time.monotonic() + 60, "it is false"
        while True:
            # A page that is being left runs no script.
            try:
                if self.value(expression, *arguments):
                    return
            except RuntimeError as error:
                problem = error
            if time.monotonic() > end:
                raise AssertionError(f"{expression} {arguments} at {self.value('location.href')}: {problem}")
            time.sleep(0.05)

    def reload(self):
        """Loads the page again as a reader does; Marionette's own command asks no service worker."""
        self.value("(window.isOld = true, setTimeout(() => location.reload()), null)")
        self.until("!window.isOld && document.readyState === 'complete'")

    def found(self, selector):
        self.until(f"document.querySelector({json.dumps(selector)}) !== null")
        return self.driver.send("FindElement", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        self.driver.send("ElementClick", id=self.found(selector))

    def type(self, selector, text):
        element = self.found(selector)
        self.driver.send("ElementClear", id=element)
        self.driver.send("ElementSendKeys", id=element, text=text)

    def press(self, *keys):
        for key in keys:
            code = KEYS.get(key, key)
            actions = [{"type": kind, "value": code} for kind in ("keyDown", "keyUp")]
            self.driver.send("PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def find(self, words):
        """Searches for words that some images have, and waits for fewer images than before."""
        before = self.value(COUNT)
        self.type("[type=search]", words)
        self.until(f"{COUNT} > 0 && {COUNT} < arguments[0]", before)


def enter(page, token):
    """A browser without a token gets a field for one."""
    page.open("feeds")
    page.type("[name=token]", token)
    page.press("Enter")
    page.until("document.querySelector('ul.feeds') !== null")
    assert "token" not in page.value("location.href")


def look_through(page):
    """The list, its sorts, its keys, a search and a date."""
    page.open()
    page.until(LOADED)
    total = page.value(COUNT)
    for sort in ("Title", "Oldest", "Newest"):
        page.value("[...document.querySelectorAll('a[data-sort]')]"
                   ".find((one) => one.textContent.trim() === arguments[0]).click()", sort)
        page.until("document.querySelector('a[data-sort][aria-current]')?.textContent.trim() === arguments[0]", sort)
        page.until(LOADED)
    page.press("j", "j", "ArrowRight")
    page.until(f"{FOCUSED} === 2")
    page.press("End")
    page.until(f"{FOCUSED} === arguments[0]", total - 1)
    page.press("Home")
    page.until(f"{FOCUSED} === 0")
    value = page.value(VALUE)
    page.value("document.querySelector('[role=slider]').focus()")
    page.press("ArrowDown")
    page.until(f"{VALUE} !== arguments[0]", value)
    page.open()
    page.until(LOADED)
    go_to_month(page)
    page.press("/")
    page.find("photo 12")
    assert "q=photo" in page.value("location.href")


def go_to_month(page):
    """The dialog for a date, which keeps what is no month if the engine has only a field of text for it."""
    field, dialog = "document.querySelector('[name=month]')", "document.querySelector('dialog.date')"
    page.press("g", "d")
    page.until(f"{dialog}.open")
    if page.value(f"{field}.type") != "text":
        return page.press("Escape")
    page.type("[name=month]", "June 2015")
    page.press("Enter")
    assert page.value(f"{dialog}.open && !{field}.validity.valid"), "the dialog has closed in silence"
    month = page.value(f"{field}.getAttribute('min')")
    page.type("[name=month]", month)
    page.press("Enter")
    page.until("location.hash === `#${arguments[0]}`", month)
    page.until(LOADED)


def look_at_one(page):
    """The viewer: the original, steps, zoom, a pin, and Back to the same place, also after a reload and steps there."""
    page.open("?sort=oldest")
    page.until(LOADED)
    page.click(".cell a[data-index='3']")
    page.until(ORIGINAL_SHOWN)
    address = page.value("location.href")
    page.press("j")
    page.until("location.href !== arguments[0]", address)
    page.press("k")
    page.until("location.href === arguments[0]", address)
    page.until(ORIGINAL_SHOWN)
    page.press("+")
    page.until("document.querySelector('.viewer.over .canvas').style.transform !== ''")
    page.press("0")
    page.until("document.querySelector('.viewer.over .canvas').style.transform === ''")
    for state in ("true", "false"):
        page.press("p")
        page.until(f"document.querySelector('.viewer.over [data-action=pin][aria-pressed={state}]') !== null")
    page.press("Escape")
    page.until(f"{FOCUSED} === 3")
    page.click(".cell a[data-index='3']")
    page.until(ORIGINAL_SHOWN)
    page.reload()
    page.until(ORIGINAL_SHOWN)
    page.value("window.stays = true")
    for key, sign in [("j", "!=="), ("k", "===")]:
        page.press(key)
        page.until(f"location.href {sign} arguments[0] && window.stays", address)
        page.until(ORIGINAL_SHOWN)
        page.until("document.querySelector('.thumbnail').naturalWidth > 0")
    page.driver.send("Back")
    page.until("location.search === '?sort=oldest' && document.querySelector('.cell a') !== null")
    page.until(LOADED)


def manage(page):
    """The page of feeds, and a sync that ends."""
    page.open("feeds")
    page.until("document.querySelectorAll('ul.feeds > li').length > 0")
    page.click(".sync button")
    page.until("document.querySelector('.job-text').textContent !== ''")
    page.until("document.querySelector('.job-progress').hidden")
    page.until("!document.querySelector('.sync button').disabled")


def watch(page):
    """The slide show, and the way out of it."""
    page.open("frame?seconds=5&q=photo+12")
    shown = "[...document.querySelectorAll('.slide.shown')].at(-1)"
    page.until(f"{shown}?.src.endsWith('/original') && {shown}.naturalWidth > 0")
    src = page.value(f"{shown}.src")
    page.press("ArrowRight")
    page.until(f"{shown}.src !== arguments[0]", src)
    page.press("Escape")
    page.until("location.pathname === '/search'")


def go_on_without_server(page, server):
    """The list and a search from the browser's copy, if the engine has service workers."""
    page.open()
    page.until(LOADED)
    if not page.value("'serviceWorker' in navigator"):
        return "has no service workers"
    page.until("navigator.serviceWorker.controller !== null")
    page.value("(caches.keys().then((names) => { window.names = names; }), null)")
    page.until("window.names?.includes('gallery pictures')")
    server.stop()
    try:
        page.until("document.body.textContent.includes('The server is away.')")
        page.reload()
        page.until("document.querySelectorAll('.cell a').length > 2")
        page.find("photo 12")
    finally:
        server.start()
    page.open()
    page.until(LOADED)
    return "opens without the server"


TASKS = [look_through, look_at_one, manage, watch]


def run(options, server):
    """Walks through both engines; returns the names of those that are missing."""
    home, _, query = options.address.partition("?")
    token = urllib.parse.parse_qs(query)["token"][0]
    missing = []
    for engine in (Firefox, WebKit):
        with contextlib.ExitStack() as stack:
            try:
                driver = engine(stack)
            except Missing as error:
                missing.append(str(error))
                continue
            driver.send("SetWindowRect", width=1280, height=860)
            page = Page(driver, home)
            enter(page, token)
            for task in TASKS:
                task(page)
                print("ok", engine.__name__, task.__name__, flush=True)
            print("ok", engine.__name__, go_on_without_server(page, server), flush=True)
    return missing
