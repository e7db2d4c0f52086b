#!/usr/bin/env python3
"""Drives the pages of a running `gallery serve` in Chromium, and fails with the first thing that is wrong.

  pages.py ADDRESS [--feed ADDRESS] [--shots FOLDER]

ADDRESS is the one that `gallery serve` prints, with its token. The library needs 30 images or more of two
months or more. --feed names a feed that the library does not follow; the test adds it and removes it.
Needs the packages playwright and axe-playwright-python, and Chromium at /usr/bin/chromium.
"""

import argparse
import re
import sys
import time
from functools import partial
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

DESKTOP = {"width": 1440, "height": 900}
SIZES = {"phone": {"width": 320, "height": 640}, "desktop": DESKTOP, "4k": {"width": 3840, "height": 2160}}
MOST_NODES = 300

# By default, Playwright waits 5 s for what it expects, which a busy machine may exceed.
expect.set_options(timeout=60_000)

IN_WINDOW = """() => [...document.querySelectorAll('.cell img')].filter((image) => {
  const box = image.getBoundingClientRect();
  return box.bottom > 60 && box.top < innerHeight;
})"""
ALL_LOADED = f"""() => {{
  const images = ({IN_WINDOW})();
  return images.length > 2 && images.every((image) => image.complete && image.naturalWidth > 0);
}}"""
FIRST_INDEX = """() => Math.min(...[...document.querySelectorAll('.cell a')]
  .filter((link) => link.getBoundingClientRect().bottom > 60).map((link) => Number(link.dataset.index)))"""
TOTAL = """() => fetch(document.documentElement.dataset.base + '/api/v1/timeline')
  .then((response) => response.json()).then((timeline) => timeline.total)"""
ORIGINAL_SHOWN = """() => {
  const image = document.querySelector('.original');
  return image && !image.hidden && image.naturalWidth > 0 && document.querySelector('.canvas.ready');
}"""


def wait_until(page, condition, arg=None, timeout=60):
    """Evaluates the condition until it is true. The policy forbids eval, which Playwright's wait_for_function needs."""
    end = time.monotonic() + timeout
    while not page.evaluate(condition, arg):
        assert time.monotonic() < end, f"never became true: {condition}"
        page.wait_for_timeout(20)


class Pages:
    """One browser window, which must never write to the console or violate the policy."""

    def __init__(self, browser, options, **context):
        self.options = options
        self.context = browser.new_context(**{"viewport": DESKTOP, **context})
        self.context.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('CSP ' + e.violatedDirective))"
        )
        self.page = self.context.new_page()
        self.messages = []
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.goto(options.address)
        assert "token=" not in self.page.url, "the token is still in the address"
        self.home = self.page.url

    def open(self, path=""):
        self.page.goto(self.home.rstrip("/") + "/" + path)

    def wait_for_grid(self):
        wait_until(self.page, ALL_LOADED)

    def wait_for_some(self):
        """Waits until an image in the window is loaded, for lists that do not fill it."""
        wait_until(self.page, f"() => ({IN_WINDOW})().some((image) => image.naturalWidth > 0)")

    def check(self, name):
        """Checks that axe finds no violation, and that the page fits the window and has few nodes."""
        violations = Axe().run(self.page).response["violations"]
        found = [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in violations]
        if found:
            self.messages.append(f"{name}: axe found {found}")
        width = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, f"{name}: {width} pixels too wide"
        nodes = self.page.evaluate("document.querySelectorAll('.grid *').length")
        assert nodes <= MOST_NODES, f"{name}: {nodes} nodes in the grid"
        if self.options.shots:
            self.page.screenshot(path=Path(self.options.shots) / f"{name}.png")

    def forget_messages(self):
        """Forgets the message about a blocked service worker, which would answer instead of a route of the test."""
        self.messages.clear()

    def close(self):
        assert not self.messages, "\n".join(["axe or the console found faults:", *self.messages])
        self.context.close()


def try_list(pages):
    page = pages.page
    pages.wait_for_grid()
    expect(page.get_by_role("grid", name="Images")).to_be_visible()
    page.mouse.move(600, 500)
    page.mouse.wheel(0, 1500)
    wait_until(page, "scrollY > 800")
    pages.wait_for_grid()
    assert page.evaluate(FIRST_INDEX) > 0, "the wheel did not scroll"


def try_date(pages):
    page = pages.page
    pages.open()
    pages.wait_for_grid()
    page.keyboard.press("g")
    page.keyboard.press("d")
    field = page.get_by_label("Month")
    expect(field).to_be_focused()
    pages.check("date dialog")
    field.fill(field.get_attribute("min"))
    page.get_by_role("button", name="Go", exact=True).click()
    wait_until(page, f"({FIRST_INDEX})() > 0 && /^#\\d{{4}}-\\d\\d$/.test(location.hash)")
    pages.wait_for_grid()


def try_keys(pages):
    page = pages.page
    pages.open()
    pages.wait_for_grid()
    focused = "document.activeElement.dataset.index"
    for key, index in [("j", 0), ("j", 1), ("ArrowRight", 2), ("k", 1), ("Home", 0)]:
        page.keyboard.press(key)
        wait_until(page, f"{focused} === '{index}'")
    page.keyboard.press("ArrowDown")
    wait_until(page, f"Number({focused}) > 0")
    page.keyboard.press("ArrowUp")
    wait_until(page, f"{focused} === '0'")
    page.keyboard.press("PageDown")
    wait_until(page, f"Number({focused}) > 2")
    page.keyboard.press("End")
    wait_until(page, f"{focused} === '{page.evaluate(TOTAL) - 1}'")
    below_bar = "document.activeElement.getBoundingClientRect().top >= document.querySelector('.bar').offsetHeight"
    assert page.evaluate(below_bar), "the bar hides the focus"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    pages.check("keys")
    page.keyboard.press("Escape")


def try_viewer(pages):
    page = pages.page
    pages.open()
    pages.wait_for_grid()
    page.mouse.move(600, 500)
    page.mouse.wheel(0, 900)
    wait_until(page, "scrollY > 500")
    pages.wait_for_grid()
    opened = page.evaluate_handle(f"({IN_WINDOW})()[4].closest('a')").as_element()
    index = int(opened.get_attribute("data-index"))
    opened.click()
    page.wait_for_url(re.compile(r"/images/\d+"))
    # The thumbnail appears before the original.
    wait_until(page, "document.querySelector('.thumbnail')?.naturalWidth > 0")
    wait_until(page, ORIGINAL_SHOWN)
    pages.check("viewer")
    address = page.url
    page.keyboard.press("j")
    wait_until(page, "(before) => location.href !== before", address)
    page.keyboard.press("k")
    wait_until(page, "(before) => location.href === before", address)
    for key, scale in [("+", "!=="), ("0", "===")]:
        page.keyboard.press(key)
        wait_until(page, f"document.querySelector('.canvas').style.transform {scale} ''")
    page.keyboard.press("i")
    page.keyboard.press("i")
    try_pin(page)
    page.go_back()
    wait_until(page, f"document.activeElement.dataset.index === '{index}'")
    assert page.evaluate("scrollY") > 300, "Back lost the place"


def try_pin(page):
    button = page.get_by_role("button", name="Pin")
    before = button.get_attribute("aria-pressed")
    after = "false" if before == "true" else "true"
    for expected in [after, before]:
        page.keyboard.press("p")
        expect(button).to_have_attribute("aria-pressed", expected)


def try_place(pages):
    """Checks that Back from another page shows the same images."""
    page = pages.page
    pages.open()
    pages.wait_for_grid()
    page.mouse.move(600, 500)
    page.mouse.wheel(0, 1200)
    wait_until(page, "history.state && history.state.index > 0")
    index = page.evaluate(FIRST_INDEX)
    page.get_by_role("link", name="Feeds").click()
    page.wait_for_url(re.compile("/feeds$"))
    page.go_back()
    wait_until(page, f"({FIRST_INDEX})() === {index}")


def try_search(pages):
    page = pages.page
    pages.open()
    pages.wait_for_grid()
    name = page.evaluate("[...document.querySelectorAll('.cell a')].map((a) => a.getAttribute('aria-label'))"
                         ".find((name) => !name.startsWith('Untitled'))")
    word = max(re.findall(r"\w+", name), key=len)
    page.keyboard.press("/")
    page.keyboard.type(word)
    page.wait_for_url(re.compile("/search"))
    wait_until(page, "document.querySelectorAll('.cell').length > 0")
    pages.check("search")
    page.get_by_role("searchbox").fill("no image has these words")
    expect(page.get_by_text("No image matches.")).to_be_visible()
    pages.check("search without result")
    page.go_back()
    pages.wait_for_grid()
    page.get_by_role("link", name="Oldest").click()
    page.wait_for_url(re.compile("sort=oldest"))
    pages.wait_for_grid()


def try_scrubber(pages):
    page = pages.page
    pages.open()
    pages.wait_for_grid()
    slider = page.get_by_role("slider")
    if pages.page.evaluate(TOTAL) <= 60:
        expect(slider).to_be_hidden()
        return
    expect(slider).to_be_visible()
    slider.press("End")
    wait_until(page, "document.querySelector('[role=slider]').ariaValueNow > 0")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    wait_until(page, f"({FIRST_INDEX})() > 0")
    pages.wait_for_grid()
    pages.check("scrubbed")


def try_feeds(pages):
    page = pages.page
    pages.open("feeds")
    expect(page.get_by_role("heading", name="Feeds")).to_be_visible()
    page.get_by_role("button", name="Sync all now").click()
    expect(page.get_by_role("button", name="Sync all now")).to_be_enabled()
    expect(page.locator(".job-text")).not_to_be_empty()
    pages.check("feeds")
    if pages.options.feed:
        try_addition(pages)


def try_addition(pages):
    page = pages.page
    item = page.locator("ul.feeds > li").filter(has_text=pages.options.feed)
    page.get_by_label("Address of a feed or a page").fill(pages.options.feed)
    page.get_by_label("It may lead to addresses of the local network").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(item).to_be_visible()
    wait_until(page, "[...document.querySelectorAll('.arrivals img')].some((image) => image.naturalWidth)")
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_enabled()
    item.get_by_text("Remove", exact=True).click()
    pages.check("removal")
    item.get_by_role("button", name="Remove the feed").click()
    expect(item).to_have_count(0)


def try_frame(pages):
    page = pages.page
    pages.open("frame?seconds=2")
    first = page.locator(".slide").first.get_attribute("src")
    wait_until(page, "(first) => [...document.querySelectorAll('.slide')].some((s) => s.src && "
                           "!s.src.endsWith(first) && s.naturalWidth)", first)
    wait_until(page, "document.querySelectorAll('.slide').length === 1")


def try_sizes(browser, options):
    for theme in ["light", "dark"]:
        for name, size in SIZES.items():
            pages = Pages(browser, options, viewport=size, color_scheme=theme)
            pages.wait_for_grid()
            pages.check(f"list {name} {theme}")
            pages.page.locator(".cell a").first.click()
            wait_until(pages.page, ORIGINAL_SHOWN)
            pages.check(f"viewer {name} {theme}")
            pages.page.reload()
            wait_until(pages.page, ORIGINAL_SHOWN)
            pages.check(f"image {name} {theme}")
            pages.open("feeds")
            pages.check(f"feeds {name} {theme}")
            pages.close()


def try_without_scripts(browser, options):
    pages = Pages(browser, options, java_script_enabled=False)
    page = pages.page
    first = page.locator(".tile a").first
    expect(first).to_be_visible()
    if page.get_by_role("link", name="Next page").count():
        page.get_by_role("link", name="Next page").click()
        page.get_by_role("link", name="First page").click()
    page.get_by_role("link", name="Title", exact=True).click()
    page.wait_for_url(re.compile("sort=title"))
    page.locator(".tile a").nth(1).click()
    page.wait_for_url(re.compile(r"/images/\d+"))
    expect(page.locator(".thumbnail")).to_be_visible()
    page.get_by_role("link", name="Next image").click()
    page.get_by_role("link", name="Back to the list").click()
    page.get_by_role("searchbox").fill("a")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url(re.compile(r"/search\?q=a"))
    page.get_by_role("link", name="Feeds").click()
    page.get_by_text("Remove", exact=True).first.click()
    expect(page.get_by_role("button", name="Remove the feed").first).to_be_visible()
    pages.close()


def try_first_view(browser, options):
    """Checks that only the page and its style precede the first five thumbnails, and that no script does."""
    pages = Pages(browser, options)
    fresh = browser.new_context(viewport=DESKTOP, storage_state=pages.context.storage_state())
    page = fresh.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(pages.home)
    wait_until(page, ALL_LOADED)
    assert "/assets/" in asked[1] and all("/t/" in address for address in asked[2:7]), f"the first requests: {asked[:7]}"
    fresh.close()
    pages.close()


def try_early_words(browser, options):
    """Checks that the list searches for words that a reader types before its script runs."""
    pages = Pages(browser, options, service_workers="block")
    page, held = pages.page, []
    page.route(re.compile(r"/list\b[^/]*\.js"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"/list\b[^/]*\.js")):
        page.goto(pages.home, wait_until="commit")
    page.get_by_role("searchbox").fill("photo 12")
    for route in held:
        route.continue_()
    expect(page.locator(".count")).to_have_text("1 image")
    expect(page.get_by_role("searchbox")).to_have_value("photo 12")
    pages.forget_messages()
    pages.close()


def try_other_schemes(browser, options):
    """Checks that the viewer links only to http and https, whatever addresses a gallery names."""
    pages = Pages(browser, options, service_workers="block")
    answer = {
        "id": 1, "title": "Moon", "pageURL": "javascript:alert(1)", "licence": "data:text/html,x",
        "originalURL": "javascript:alert(2)", "failures": [], "pinned": False,
    }
    pages.page.route(re.compile(r"/api/v1/images/\d+$"), lambda route: route.fulfill(json=answer))
    pages.wait_for_grid()
    pages.page.locator(".cell a").first.click()
    expect(pages.page.locator(".viewer .facts")).to_contain_text("javascript:alert(1)")
    links = pages.page.evaluate("[...document.links].map((link) => link.protocol)")
    assert set(links) <= {"http:", "https:"}, links
    pages.forget_messages()
    pages.close()


def check_themes(pages, name):
    for theme in ["dark", "light"]:
        pages.page.emulate_media(color_scheme=theme)
        pages.check(f"{name} {theme}")


PICTURES = """() => fetch(document.documentElement.dataset.base + '/api/v1/images?limit=1000')
  .then((response) => response.json())
  .then(({ images }) => new Set(images.map(({ thumbnail }) => thumbnail.sha256).filter(Boolean)).size)"""
KEPT = """() => caches.open('gallery pictures').then((cache) => cache.keys()).then((keys) => keys.length)"""


def wait_for_kept(page, count):
    wait_until(page, f"async () => await ({KEPT})() === {count}", timeout=60)


def try_keeping(pages):
    """Checks the dialog in which a reader chooses the pictures to keep, and sees the space that they take."""
    page = pages.page
    pages.wait_for_grid()
    page.get_by_role("button", name="Keep for offline").click()
    dialog = page.get_by_role("dialog", name="Keep for offline")
    pictures = page.evaluate(PICTURES)
    wait_for_kept(page, pictures)
    expect(dialog).to_contain_text(re.compile(r"pictures; .+ of .+ are used"))
    check_themes(pages, "keep for offline")
    dialog.get_by_role("combobox").select_option("Nothing")
    wait_for_kept(page, 0)
    dialog.get_by_role("combobox").select_option("The list, without pictures")
    dialog.get_by_role("checkbox", name="Many").check()
    wait_for_kept(page, pictures)
    dialog.get_by_role("button", name="Close").click()


def try_offline(pages, server):
    """Checks that the list opens from the browser's copy while the server is away, and is current afterwards."""
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, "navigator.serviceWorker.controller !== null")
    pictures = page.evaluate(PICTURES)
    wait_for_kept(page, pictures)
    page.locator(".cell a").first.click()
    wait_until(page, ORIGINAL_SHOWN)
    page.keyboard.press("p")
    wait_for_kept(page, pictures + 1)
    page.keyboard.press("Escape")
    server.stop()
    note = page.get_by_text("The server is away.")
    expect(note).to_be_visible()
    page.reload()
    pages.wait_for_grid()
    expect(note).to_contain_text("This is the library as of")
    check_themes(pages, "offline")
    page.locator(".cell a").first.click()
    expect(page.locator(".facts")).to_contain_text("Many")
    wait_until(page, ORIGINAL_SHOWN)
    page.reload()
    expect(page.locator(".facts")).to_contain_text("Many")
    page.keyboard.press("Escape")
    expect(page.locator(".viewer")).to_be_hidden()
    page.get_by_role("searchbox").fill("photo 12")
    expect(page.locator(".count")).to_have_text("1 image")
    pages.wait_for_some()
    pages.open("feeds")
    expect(page.locator("ul.feeds")).to_contain_text("Many")
    pages.open()
    pages.wait_for_grid()
    server.start()
    expect(note).to_be_hidden()
    pages.wait_for_grid()
    pages.messages = [one for one in pages.messages if "Failed to load resource" not in one]


# Changes the copy of this browser: the title of an image, its row ("lose"), or the cursor ("age"). Returns the image
# as it was before.
KEPT_IMAGE = """async ([id, change]) => {
  const result = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const database = await result(indexedDB.open('gallery'));
  const transaction = database.transaction(['images', 'facts'], 'readwrite');
  const [images, facts] = ['images', 'facts'].map((name) => transaction.objectStore(name));
  const image = await result(images.get(id));
  if (change === 'title') await result(images.put({ ...image, title: 'Only here' }));
  if (change === 'lose') await result(images.delete(id));
  if (change === 'age') {
    const state = await result(facts.get('state'));
    await result(facts.put({ ...state, cursor: state.cursor.replace(/^1\\.\\w+/, '1.0') }, 'state'));
  }
  database.close();
  return image ?? null;
}"""


def try_resync(pages):
    """Checks that an outdated cursor leads to the tree of hashes, and that only differences are read again."""
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, "navigator.serviceWorker.controller !== null")
    pictures = page.evaluate(PICTURES)
    wait_for_kept(page, pictures)
    first = r"Number(document.querySelector('.cell a')?.href.match(/images\/(\d+)/)?.[1] ?? 0)"
    newest = page.evaluate(first)
    page.get_by_role("link", name="Oldest").click()
    wait_until(page, f"![0, {newest}].includes({first})")
    oldest = page.evaluate(first)
    for id, change in [(newest, "lose"), (oldest, "title"), (oldest, "age")]:
        page.evaluate(KEPT_IMAGE, [id, change])
    for method in ["PUT", "DELETE"]:
        page.evaluate(f"fetch('/api/v1/images/{newest}/pin', {{ method: '{method}' }})")
    wait_until(page, f"async (arg) => (await ({KEPT_IMAGE})(arg)) !== null", [newest, ""])
    assert page.evaluate(KEPT_IMAGE, [oldest, ""])["title"] == "Only here", "all images were read again"


def try_live(pages, publish):
    """Checks that new images appear at the top, and do not move the images in view."""
    page = pages.page
    pages.wait_for_grid()
    sync = """() => fetch(document.documentElement.dataset.base + '/api/v1/sync',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })"""
    first = "document.querySelector('.cell a')?.getAttribute('aria-label')"
    total = page.evaluate(TOTAL)
    publish(2)
    page.evaluate(sync)
    wait_until(page, f"{first} === 'Photo -2'")
    expect(page.locator(".count")).to_have_text(f"{total + 2} images")
    page.mouse.move(600, 500)
    page.mouse.wheel(0, 1200)
    wait_until(page, "scrollY > 800")
    pages.wait_for_grid()
    place = "() => document.querySelector('.cell a[tabindex=\"0\"]').getBoundingClientRect().top"
    before = page.evaluate(place)
    publish(3)
    page.evaluate(sync)
    button = page.get_by_role("button", name="Show new images")
    expect(button).to_be_visible()
    assert page.evaluate(place) == before, "new images moved the list"
    check_themes(pages, "new images")
    button.click()
    wait_until(page, f"{first} === 'Photo -5' && scrollY === 0")
    expect(button).to_be_hidden()


def run(options, server=None, publish=None):
    """Runs all flows. Those that stop the server or publish images need the arguments `server` and `publish`."""
    flows = [try_list, try_date, try_keys, try_viewer, try_place, try_search, try_scrubber, try_feeds, try_frame, try_keeping]
    if server:
        flows += [try_resync, partial(try_offline, server=server), partial(try_live, publish=publish)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for flow in [try_first_view, try_sizes, try_without_scripts, try_early_words, try_other_schemes]:
            flow(browser, options)
            print("ok", flow.__name__, flush=True)
        for flow in flows:
            pages = Pages(browser, options)
            flow(pages)
            pages.close()
            print("ok", getattr(flow, "func", flow).__name__, flush=True)
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--feed")
    parser.add_argument("--shots")
    run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
