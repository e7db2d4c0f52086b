"""Browses a static site of `gallery export --static` in Chromium, on an ordinary file server.

The site is in a folder below the server's root, because other servers may have it there, too.
"""

import re
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

from playwright.sync_api import expect, sync_playwright

from pages import ORIGINAL_SHOWN, SIZES, Pages, wait_until

VIEW = ".view:target"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class QuietServer(ThreadingHTTPServer):
    def handle_error(self, *arguments):
        """Ignores errors, because a browser that leaves a page closes its connections."""


class FileServer:
    """Serves the parent folder of a site. It can be stopped, and started again at the same port."""

    def __init__(self, site):
        self.site = site
        self.port = 0
        self.start()

    def start(self):
        handler = partial(Quiet, directory=str(self.site.parent))
        self.server = QuietServer(("127.0.0.1", self.port), handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def try_without_scripts(browser, options):
    for name, size in SIZES.items():
        pages = Pages(browser, options, viewport=size, java_script_enabled=False)
        page = pages.page
        expect(page.locator(".tile img").first).to_be_visible()
        expect(page.get_by_role("searchbox")).to_be_hidden()
        shoot(pages, f"export {name}")
        page.locator(".tile a").nth(3).click()
        view = page.locator(VIEW)
        expect(view.get_by_role("heading")).to_be_visible()
        shoot(pages, f"export view {name}")
        view.get_by_role("link", name="Next").click()
        view.get_by_role("link", name="Previous").click()
        view.get_by_role("navigation").get_by_role("link", name="Back to the list").click()
        expect(page.locator(VIEW)).to_have_count(0)
        pages.close()


def shoot(pages, name):
    if pages.options.shots:
        pages.page.screenshot(path=Path(pages.options.shots) / f"{name}.png")


def try_months(browser, options):
    """Checks that every image is on the page of a month, both in the list of all feeds and in its feed's list."""
    pages = Pages(browser, options, java_script_enabled=False)
    page = pages.page
    home = page.url
    total = int(re.sub(r"\D", "", page.locator(".count").inner_text()))
    page.get_by_role("link", name="Feeds").click()
    follow(page, page.locator(".feed-name a").first)
    for start in [home, page.url]:
        page.goto(start)
        follow(page, page.locator(".months a").first)
        seen = set()
        while True:
            seen |= {one.get_attribute("id") for one in page.locator(".tile").all()}
            older = page.get_by_role("link", name=re.compile("^Older"))
            if older.count() == 0:
                break
            follow(page, older)
        assert len(seen) == total, f"{len(seen)} of {total} images from {start}"
    pages.close()


def follow(page, link):
    """Clicks a link, and waits for its page, which a click alone does not do."""
    with page.expect_navigation():
        link.click()


def try_states(browser, options):
    """Checks that each state is accessible in both themes. axe needs scripts, so only the web app is blocked."""
    for theme in ["light", "dark"]:
        pages = Pages(browser, options, color_scheme=theme, service_workers="block")
        page = pages.page
        pages.check(f"export list {theme}")
        for address in ["feeds.html", "feeds/1/index.html", page.locator(".months a").first.get_attribute("href")]:
            page.goto(pages.home.replace("index.html", "") + address)
            pages.check(f"export {address.replace('/', ' ')} {theme}")
        page.locator(".tile a").first.click()
        expect(page.locator(VIEW)).to_be_visible()
        pages.check(f"export view {theme}")
        pages.messages = [one for one in pages.messages if "blocked by Playwright" not in one]
        pages.close()


def try_app(browser, options, server):
    """Checks that the web app reads the tree, and lists, searches and shows images, with and without the server."""
    pages = Pages(browser, options)
    page = pages.page
    pages.wait_for_grid()
    expect(page.get_by_role("grid", name="Images")).to_be_visible()
    check_app(pages)
    thumbnails = len(list((server.site / "t").iterdir()))
    kept = f"caches.open('gallery/{server.site.name} pictures').then((cache) => cache.keys())"
    wait_until(page, f"{kept}.then((keys) => keys.filter(({{ url }}) => url.includes('/t/')).length === {thumbnails})")
    server.stop()
    page.reload()
    pages.wait_for_grid()
    check_app(pages)
    expect(page.get_by_text("The server is away.")).to_contain_text("This is the library as of")
    pages.check("export offline")
    server.start()
    pages.messages = [one for one in pages.messages if "Failed to load resource" not in one]
    pages.close()


def check_app(pages):
    page = pages.page
    page.keyboard.press("j")
    # A newer list may replace the cell that has the focus.
    end = time.monotonic() + 30
    while page.evaluate("document.activeElement.dataset.index") != "0":
        assert time.monotonic() < end, "no key leads to the first image"
        page.wait_for_timeout(500)
        page.keyboard.press("Home")
    page.get_by_role("searchbox").fill("photo 12")
    expect(page.locator(".count")).to_have_text("1 image")
    page.wait_for_url(re.compile(r"index\.html\?q="))
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".count")).not_to_have_text("1 image")
    page.get_by_role("link", name="Oldest").click()
    page.wait_for_url(re.compile(r"index\.html\?sort=oldest"))
    page.go_back()
    pages.wait_for_grid()
    page.locator(".cell a").first.click()
    page.wait_for_url(re.compile(r"index\.html\?image=\d+"))
    expect(page.locator(".facts")).to_contain_text("Many")
    wait_until(page, "document.querySelector('.thumbnail')?.naturalWidth > 0")
    page.reload()
    expect(page.locator(".facts")).to_contain_text("Many")
    page.keyboard.press("Escape")
    pages.wait_for_grid()


def try_original(browser, options):
    """Checks that the original of the newest image is part of the site."""
    pages = Pages(browser, options)
    page = pages.page
    pages.wait_for_grid()
    page.locator(".cell a").first.click()
    wait_until(page, ORIGINAL_SHOWN)
    expect(page.get_by_role("link", name="Save the original")).to_have_attribute("download", re.compile("Photo"))
    pages.check("export viewer")
    page.keyboard.press("j")
    expect(page.locator(".facts")).to_contain_text("Many")
    page.keyboard.press("Escape")
    pages.close()


def try_change(browser, options, change):
    """Checks that a reload shows a new export of the site."""
    pages = Pages(browser, options)
    page = pages.page
    pages.wait_for_grid()
    before = page.locator(".count").inner_text()
    change()
    page.reload()
    expect(page.locator(".count")).not_to_have_text(before)
    pages.wait_for_grid()
    pages.close()


def run(folder, change, shots=None):
    """Runs all flows. `folder` is the site, and `change` exports another state of the library to it."""
    server = FileServer(Path(folder))
    address = f"http://127.0.0.1:{server.port}/{server.site.name}/index.html"
    options = SimpleNamespace(address=address, shots=shots)
    flows = [try_without_scripts, try_months, try_states, partial(try_app, server=server), try_original,
             partial(try_change, change=change)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for flow in flows:
            flow(browser, options)
            print("ok export", getattr(flow, "func", flow).__name__, flush=True)
        browser.close()
    server.stop()
