"""Tests the copy that a browser keeps: with a server that stops, a full disk, a killed browser, and a new web app."""

import http.client
import re
import subprocess
import tempfile
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

from playwright.sync_api import expect, sync_playwright

import pages as look
from pages import KEPT, PICTURES, Pages, wait_for_kept, wait_until

FIRST = "document.querySelector('.cell a')?.getAttribute('aria-label')"
SYNC = """() => fetch(document.documentElement.dataset.base + '/api/v1/sync',
  { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })"""
CONTROLLED = "navigator.serviceWorker.controller !== null"
IMAGES_KEPT = """async () => {
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(0);
  });
  const database = await result(indexedDB.open('gallery'));
  const count = database.objectStoreNames.contains('images')
    ? await result(database.transaction('images').objectStore('images').count()) : 0;
  database.close();
  return count;
}"""


def passed_over(pages, text):
    """Removes the expected console messages that contain the text, such as those of failed requests."""
    pages.messages = [one for one in pages.messages if text not in one]


def try_return(browser, options, server, publish):
    """Checks that a page shows a thousand changes without a reload when the server comes back."""
    pages = Pages(browser, options)
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    total = page.evaluate(look.TOTAL)
    wait_until(page, f"async () => await ({IMAGES_KEPT})() === {total}")
    server.stop()
    note = page.get_by_text("The server is away.")
    expect(note).to_be_visible()
    newest = publish(1000)
    server.sync()
    server.start()
    expect(note).to_be_hidden()
    wait_until(page, f"{FIRST} === 'Photo {newest}'", timeout=60)
    expect(page.locator(".count")).to_have_text(f"{total + 1000:,} images")
    wait_until(page, f"async () => await ({IMAGES_KEPT})() === {total + 1000}", timeout=60)
    passed_over(pages, "Failed to load resource")
    pages.close()


def try_two_tabs(browser, options, publish):
    """Checks that both tabs show new images, and the second one also after the first is closed."""
    pages = Pages(browser, options)
    first = pages.page
    pages.wait_for_grid()
    wait_until(first, CONTROLLED)
    second = pages.context.new_page()
    second.on("pageerror", lambda error: pages.messages.append(str(error)))
    second.goto(pages.home)
    wait_until(second, look.ALL_LOADED)
    newest = publish(1)
    first.evaluate(SYNC)
    for page in [first, second]:
        wait_until(page, f"{FIRST} === 'Photo {newest}'")
    first.close()
    newest = publish(1)
    second.evaluate(SYNC)
    wait_until(second, f"{FIRST} === 'Photo {newest}'")
    pages.close()


def try_full(browser, options):
    """Checks that a full disk is reported and loses nothing, and that missing pictures are kept once there is room."""
    pages = Pages(browser, options)
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    pictures = page.evaluate(PICTURES)
    wait_for_kept(page, pictures)
    session = pages.context.new_cdp_session(page)
    origin = re.match(r"https?://[^/]+", pages.home)[0]
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    page.get_by_role("button", name="Keep for offline").click()
    dialog = page.get_by_role("dialog", name="Keep for offline")
    dialog.get_by_role("combobox").select_option("The list, without pictures")
    wait_for_kept(page, 0)
    dialog.get_by_role("combobox").select_option("500")
    expect(dialog.locator(".space")).to_contain_text(re.compile("[Qq]uota|room|space"))
    dialog.get_by_role("button", name="Close").click()
    pages.wait_for_grid()
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    page.reload()
    pages.wait_for_grid()
    page.get_by_role("button", name="Keep for offline").click()
    dialog.get_by_role("combobox").select_option("5,000")
    wait_for_kept(page, pictures)
    passed_over(pages, "Failed to load resource")
    pages.close()


def try_kill(playwright, options, server):
    """Checks that a browser that was killed while it filled its caches continues to fill them."""
    with tempfile.TemporaryDirectory() as folder:
        def start():
            return playwright.chromium.launch_persistent_context(
                folder, executable_path="/usr/bin/chromium", args=["--no-sandbox"], viewport=look.DESKTOP
            )

        for kept in [1, 5]:
            context = start()
            page = context.new_page()
            page.goto(options.address)
            wait_until(page, f"async () => await ({KEPT})() >= {kept}")
            subprocess.run(["pkill", "-KILL", "-f", folder], check=False)
            try:
                context.close()
            except Exception:
                pass
        context = start()
        page = context.new_page()
        page.goto(options.address)
        wait_for_kept(page, page.evaluate(PICTURES))
        wait_until(page, CONTROLLED)
        total = page.evaluate(look.TOTAL)
        wait_until(page, f"async () => await ({IMAGES_KEPT})() === {total}")
        server.stop()
        page.reload()
        wait_until(page, look.ALL_LOADED)
        context.close()
        server.start()


class OtherVersion(BaseHTTPRequestHandler):
    """A proxy that simulates a new version of the app, by another name for the folder of the assets."""

    port = None
    names = None
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if length else None
        old, new = OtherVersion.names or ("", "")
        path = self.path.replace(f"/assets/{new}/", f"/assets/{old}/") if old else self.path
        connection = http.client.HTTPConnection("127.0.0.1", OtherVersion.port, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("connection", "accept-encoding")}
        connection.request(self.command, path, body, headers)
        response = connection.getresponse()
        kind = response.headers.get("Content-Type", "")
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "etag"):
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.close_connection = True
        if kind.startswith("text/event-stream"):
            self.end_headers()
            while piece := response.read1(65536):
                self.wfile.write(piece)
                self.wfile.flush()
            return
        content = response.read()
        if old and re.match(r"text/|application/(javascript|manifest)", kind):
            content = content.replace(old.encode(), new.encode())
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, http.client.HTTPException):
            pass

    def log_message(self, *arguments):
        pass


def try_update(browser, options, server):
    """Checks that a new version of the app takes over while an old page is open, and loses no kept pictures."""
    OtherVersion.port = int(server.port)
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), OtherVersion)
    proxy.daemon_threads = True
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    address = options.address.replace(f":{server.port}/", f":{proxy.server_port}/")
    pages = Pages(browser, SimpleNamespace(**{**vars(options), "address": address}))
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    pictures = page.evaluate(PICTURES)
    wait_for_kept(page, pictures)
    apps = "caches.keys().then((keys) => keys.filter((one) => one.startsWith('gallery app ')))"
    old = page.evaluate(apps)[0].split(" ")[-1]
    old_page = page
    OtherVersion.names = (old, "0123456789abcdef")
    page = pages.context.new_page()
    page.on("pageerror", lambda error: pages.messages.append(str(error)))
    page.goto(pages.home)
    wait_until(page, look.ALL_LOADED)
    wait_until(page, f"{apps}.then((keys) => keys.length === 2)")
    installed = "navigator.serviceWorker.getRegistration().then(({ installing, waiting }) => !installing && !waiting)"
    wait_until(page, installed)
    page.reload()
    wait_until(page, "document.querySelector('link[href*=\"0123456789abcdef\"]') !== null")
    wait_until(page, look.ALL_LOADED)
    assert page.evaluate(f"({KEPT})()") == pictures, "the new version lost pictures"
    # The page of the old version still works, including a script that it loads only now.
    old_page.locator(".cell a").first.click()
    expect(old_page.locator(".facts")).to_contain_text("Many")
    server.stop()
    page.reload()
    wait_until(page, look.ALL_LOADED)
    server.start()
    proxy.shutdown()
    passed_over(pages, "Failed to load resource")
    pages.close()


def run(options, server, publish):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        flows = [
            partial(try_two_tabs, browser, options, publish),
            partial(try_full, browser, options),
            partial(try_kill, playwright, options, server),
            partial(try_update, browser, options, server),
            partial(try_return, browser, options, server, publish),
        ]
        for flow in flows:
            flow()
            print("ok", flow.func.__name__, flush=True)
        browser.close()
