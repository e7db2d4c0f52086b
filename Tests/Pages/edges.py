"""Tests the edges of the pages: first sight, Back, the wheel and the keys together, and pages without their server."""

import contextlib
import re
import subprocess
from functools import partial
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Error, expect, sync_playwright

import pages as look
from pages import FIRST_INDEX, Pages, wait_for_kept, wait_until

CONTROLLED = "navigator.serviceWorker.controller !== null"
VALUE = "document.querySelector('[role=slider]').ariaValueText"
HAS_ORIGINAL = """(id) => new Promise((resolve) => {
  indexedDB.open('gallery').onsuccess = ({ target }) => {
    const request = target.result.transaction('images').objectStore('images').get(id);
    request.onsuccess = () => resolve(Boolean(request.result?.original?.sha256));
  };
})"""
FOCUSED = "document.activeElement.dataset.index"
NEWS = """(change) => new Promise((resolve) => {
  const [path, method] = change.split(' ');
  const channel = new BroadcastChannel('gallery');
  channel.onmessage = () => resolve(channel.close());
  fetch(path, { method });
})"""
TREE = "() => [...document.querySelectorAll('.viewer.over .canvas img')].filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.alt)"


def try_first_sight(browser, options):
    """Checks that a browser without a token gets a page in its styles, whose field opens the page that was asked for."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    home = options.address.partition("?")[0]
    token = parse_qs(urlsplit(options.address).query)["token"][0]
    page.goto(f"{home}feeds")
    field = page.get_by_label("Token")
    expect(field).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.welcome')).maxWidth") != "none", "no styles"
    assert page.evaluate("Math.max(...[...document.querySelectorAll('svg')].map((one) => one.clientWidth))") <= 64
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "too wide"
    field.fill("wrong")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="Feeds")).to_be_visible()
    assert "token" not in page.url, page.url
    context.close()


def try_back(pages):
    """Checks that Back leads from an image to the list, after a reload and from another page."""
    page = pages.page
    pages.open("?sort=oldest")
    pages.wait_for_grid()
    page.locator(".cell a").nth(5).click()
    wait_until(page, look.ORIGINAL_SHOWN)
    page.reload()
    wait_until(page, look.ORIGINAL_SHOWN)
    page.go_back()
    expect(page.locator(".cell a").first).to_be_visible()
    pages.wait_for_grid()
    assert page.url.endswith("?sort=oldest"), page.url
    page.locator(".cell a").nth(5).click()
    wait_until(page, look.ORIGINAL_SHOWN)
    page.locator(".viewer.over .facts a").filter(has_text="Years").click()
    page.wait_for_url(re.compile(r"/feeds/\d+$"))
    pages.wait_for_grid()
    page.go_back()
    page.wait_for_url(re.compile(r"/images/\d+"))
    expect(page.locator(".viewer").first).to_be_visible()
    page.go_back()
    page.wait_for_url(re.compile(r"sort=oldest$"))
    expect(page.locator(".cell a").first).to_be_visible()
    pages.wait_for_grid()
    expect(page.locator(".viewer")).to_be_hidden()


def try_restored_pages(playwright, options):
    """Checks that a browser keeps each page as it is for Back, and that such a page still hears of changes."""
    # Playwright turns this cache off.
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"], ignore_default_args=["--disable-back-forward-cache"]
    )
    pages = Pages(browser, options)
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    id = page.evaluate("fetch('/api/v1/images?limit=1').then((one) => one.json()).then((one) => one.images[0].id)")
    for path in ["", f"images/{id}", "feeds", "frame"]:
        pages.open(path)
        page.evaluate("document.body.classList.add('kept')")
        pages.open("?sort=title")
        # The browser throws away a page that hears something meanwhile.
        for method in ["PUT", "DELETE"]:
            page.evaluate(NEWS, f"/api/v1/images/{id}/pin {method}")
        page.go_back(wait_until="commit")
        expect(page.locator("body.kept"), f"the browser keeps '/{path}' for Back").to_have_count(1)
    pages.open()
    pages.wait_for_grid()
    page.evaluate("document.body.classList.add('kept')")
    pages.open("feeds")
    page.go_back(wait_until="commit")
    expect(page.locator("body.kept")).to_have_count(1)
    for method, count in [("PUT", 1), ("DELETE", 0)]:
        page.evaluate(f"fetch('/api/v1/images/{id}/pin', {{ method: '{method}' }})")
        expect(page.locator(".cell.is-pinned")).to_have_count(count)
    expect(page.locator("body.kept")).to_have_count(1)
    pages.close()
    browser.close()


def try_place_of_page(pages):
    """Checks that the page of an image leads back to its place in its list, after any number of steps."""
    page = pages.page
    pages.wait_for_grid()
    in_window = """(id) => {
      const box = document.querySelector(`.cell a[href*="/images/${id}"]`)?.getBoundingClientRect();
      return box && box.top >= 0 && box.bottom <= innerHeight && document.activeElement.href.includes(`/images/${id}`);
    }"""
    for sort, keys in [("title", ["Escape"]), ("oldest", ["k", "k", "Escape"]), ("added", ["j", "Escape"])]:
        path = f"/api/v1/images?sort={sort}&limit=200"
        ids = page.evaluate(f"fetch('{path}').then((one) => one.json()).then((one) => one.images.map(({{ id }}) => id))")
        at = len(ids) - 20
        pages.open(f"images/{ids[at]}?sort={sort}")
        for key in keys:
            before = page.url
            page.keyboard.press(key)
            page.wait_for_url(lambda url: url != before)
        at += keys.count("j") - keys.count("k")
        assert re.search(rf"\?sort={sort}(#|$)", page.url), page.url
        wait_until(page, in_window, ids[at])
        page.go_back()
        page.wait_for_url(lambda url: f"/images/{ids[at]}?" in url)
    pages.open()
    pages.wait_for_grid()
    id = page.evaluate("fetch('/api/v1/images?sort=oldest&limit=20').then((one) => one.json()).then((one) => one.images[10].id)")
    pages.open(f"images/{id}")
    page.evaluate("() => { window.stays = true; location.hash = 'main'; }")
    page.go_back()
    assert page.evaluate("window.stays"), "a link within the page reloads it"
    for _ in range(3):
        before = page.url
        page.keyboard.press("k")
        page.wait_for_url(lambda url: url != before)
    shown = int(page.url.rpartition("/")[2])
    page.get_by_role("link", name="Back to the list").click()
    pages.wait_for_grid()
    wait_until(page, in_window, shown)
    page.go_back()
    page.wait_for_url(re.compile(r"/images/\d+"))
    page.go_back()
    pages.wait_for_grid()
    assert not re.search("images", page.url), page.url


def try_link_from_elsewhere(browser, options):
    """Checks that a link of another site opens an image without the service worker, and that no form of it pins one."""
    pages = Pages(browser, options, service_workers="block")
    page = pages.page
    pages.wait_for_grid()
    id = page.evaluate("fetch('/api/v1/images?limit=1').then((one) => one.json()).then((one) => one.images[0].id)")
    address = f"{pages.home}images/{id}"
    page.route("http://mail.localhost/", lambda route: route.fulfill(content_type="text/html", body=f"""
      <a href="{address}">Look at this</a><form method="post" action="{address}/pin"><button>Pin</button></form>"""))
    page.goto("http://mail.localhost/")
    page.get_by_role("link", name="Look at this").click()
    page.wait_for_url(address)
    for _ in range(2):
        expect(page.locator(".viewer h1")).to_be_visible()
        expect(page.get_by_label("Token")).to_have_count(0)
        page.reload()
    page.goto("http://mail.localhost/")
    page.get_by_role("button", name="Pin").click()
    page.wait_for_url(f"{address}/pin")
    pages.open(f"images/{id}")
    expect(page.get_by_role("button", name="Pin")).to_have_attribute("aria-pressed", "false")
    pages.forget_messages()
    pages.close()


def try_words_away(pages, server):
    """Checks what a page says while the server is away, and that an original seen before is shown all the same."""
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    newest = page.evaluate("fetch('/api/v1/images?limit=5').then((one) => one.json())")
    seen, other = (image["id"] for image in newest["images"][-2:])
    # The second look asks for the stored file, which the browser then has in its own cache.
    for _ in range(2):
        pages.open(f"images/{seen}")
        wait_until(page, look.ORIGINAL_SHOWN)
        pages.open()
        pages.wait_for_grid()
        wait_until(page, HAS_ORIGINAL, seen)
    wait_for_kept(page, page.evaluate(look.PICTURES))
    pages.open("feeds")
    server.stop()
    expect(page.get_by_text("The server is away.").first).to_be_visible()
    try:
        job = page.locator(".job-text")
        page.get_by_role("button", name="Sync all now").click()
        expect(job).to_have_text("The server is away.")
        page.get_by_label("Address of a feed or a page").fill("example.org/feed")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(job).to_have_text("The server is away.")
        expect(page.get_by_label("Address of a feed or a page")).to_have_value("example.org/feed")
        pages.open()
        pages.wait_for_grid()
        for id in (seen, other):
            page.locator(f".cell a[href*='/images/{id}']").click()
            page.keyboard.press("p")
            expect(page.locator(".announcer.shown")).to_have_text("The server is away.")
            if id == seen:
                wait_until(page, look.ORIGINAL_SHOWN)
            problem = "" if id == seen else "The server is away. This browser does not keep this original."
            expect(page.locator(".viewer.over .problem span")).to_have_text(problem)
            page.keyboard.press("Escape")
            pages.wait_for_grid()
        page.get_by_role("searchbox").fill("!?")
        expect(page.locator(".age")).to_have_text(re.compile(r"^The server is away\. This is the library as of .*\d.*\.$"))
    finally:
        server.start()
    expect(page.locator(".age")).not_to_contain_text("away")
    page.get_by_role("searchbox").fill("?!")
    expect(page.locator(".age")).to_have_text(re.compile(r"no digit\.( This is the library as of .*\.)?$"))
    pages.messages = [one for one in pages.messages if "Failed to load resource" not in one]


def try_sorts_away(pages, server):
    """Checks every sort, words with accents, and a picture that is not kept, while the server is away."""
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    wait_for_kept(page, page.evaluate(look.PICTURES))
    server.stop()
    expect(page.get_by_text("The server is away.")).to_be_visible()
    try:
        for sort in ["Title", "Recently added", "Feed order", "Oldest", "Newest"]:
            page.get_by_role("link", name=sort, exact=True).click()
            expect(page.get_by_role("link", name=sort, exact=True)).to_have_attribute("aria-current", "true")
            pages.wait_for_grid()
        for sort in ["title", "added", "feed"]:
            pages.open(f"?sort={sort}")
            pages.wait_for_grid()
        page.get_by_role("searchbox").fill('"PHÓTO" 12')
        expect(page.locator(".count")).to_have_text(re.compile(r"^[1-9]\d* images?$"))
        pages.open()
        pages.wait_for_grid()
        page.locator(".cell a").nth(9).click()
        expect(page.locator(".viewer .problem")).to_contain_text("The server is away.")
        page.keyboard.press("Escape")
        page.keyboard.press("p")
        expect(page.get_by_role("status").filter(has_text="The server is away.").first).to_be_visible()
        pages.open("feeds")
        expect(page.get_by_text("The server is away.")).to_be_visible()
        # What is no page of the browser's copy is not the list.
        for path in ["images.rss", "random", "api/v1/openapi.json", "nothing"]:
            with contextlib.suppress(Error):
                pages.open(path)
            expect(page.locator(".bar, .grid")).to_have_count(0)
        page.goto(pages.home + "frame?seconds=2")
        wait_until(page, "document.querySelector('.slide.shown')?.naturalWidth > 0")
        expect(page.locator(".bar")).to_have_count(0)
    finally:
        server.start()
    pages.messages = [one for one in pages.messages if "Failed to load resource" not in one]


def try_look(pages):
    """Checks that nobody is offered new images because somebody looked at one."""
    page = pages.page
    pages.wait_for_grid()
    page.mouse.move(600, 500)
    page.mouse.wheel(0, 1500)
    wait_until(page, "scrollY > 1000")
    pages.wait_for_grid()
    other = pages.context.new_page()
    other.goto(pages.home)
    page.wait_for_timeout(1000)
    before = page.evaluate("scrollY")
    for at in [3, 8]:
        id = other.evaluate(f"fetch('/api/v1/images?sort=oldest&limit=20').then((one) => one.json()).then((one) => one.images[{at}].id)")
        other.evaluate(f"fetch('/images/{id}/original').then((one) => one.arrayBuffer()).then(() => 0)")
    # An event comes within a second.
    page.wait_for_timeout(2500)
    expect(page.get_by_role("button", name="Show new images")).to_be_hidden()
    assert page.evaluate("scrollY") == before, "the list has moved"
    other.close()


def wait_for_rest(page):
    """Waits until the page scrolls no more."""
    before = None
    while before != (now := page.evaluate("scrollY")):
        before = now
        page.wait_for_timeout(200)


def try_slider(pages):
    """Checks that each key moves the slider, and that the arrows continue from the chosen date."""
    page = pages.page
    pages.wait_for_grid()
    slider = page.get_by_role("slider")
    seen = [page.evaluate(VALUE)]
    for _ in range(4):
        slider.press("ArrowDown")
        wait_until(page, f"(before) => {VALUE} !== before", seen[-1])
        seen.append(page.evaluate(VALUE))
    assert len(set(seen)) == 5, seen
    slider.press("ArrowUp")
    wait_until(page, f"(one) => {VALUE} === one", seen[3])
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("Escape")
    page.locator(".cell a").first.focus()
    page.keyboard.press("g")
    page.keyboard.press("d")
    field = page.get_by_label("Month")
    month = page.evaluate("(month) => new Date(`${month}-15`).toISOString().slice(0, 7)", field.get_attribute("min"))
    field.fill(month)
    page.get_by_role("button", name="Go", exact=True).click()
    wait_until(page, f"Number({FOCUSED}) > 10")
    name = page.evaluate("(month) => new Date(`${month}-15`).toLocaleDateString([], { month: 'long', year: 'numeric' })", month)
    wait_until(page, f"(name) => {VALUE} === name", name)
    index = int(page.evaluate(FOCUSED))
    page.keyboard.press("ArrowRight")
    wait_until(page, f"{FOCUSED} === '{index + 1}'")
    page.keyboard.press("Home")
    wait_until(page, f"{FOCUSED} === '0'")
    wait_for_rest(page)
    page.mouse.move(600, 500)
    page.mouse.wheel(0, 2500)
    wait_until(page, "scrollY > 2000")
    wait_for_rest(page)
    pages.wait_for_grid()
    first = page.evaluate(FIRST_INDEX)
    page.keyboard.press("ArrowRight")
    wait_until(page, f"Number({FOCUSED}) >= {first} && Number({FOCUSED}) < {first} + 30")


def try_since(pages):
    """Checks that the script keeps every parameter of a list."""
    page = pages.page
    pages.open("?since=2026-11-01T00:00:00Z")
    pages.wait_for_some()
    count = page.evaluate("fetch('/api/v1/timeline?since=2026-11-01T00:00:00Z').then((one) => one.json()).then((one) => one.total)")
    expect(page.locator(".count")).to_have_text(f"{count} images")
    page.get_by_role("link", name="Oldest").click()
    page.wait_for_url(re.compile("since="))
    expect(page.locator(".count")).to_have_text(f"{count} images")


def try_other_views(pages):
    """Checks that a search has feeds, a slide show and a way to all feeds, and that pins have a list."""
    page = pages.page
    pages.open("feeds/1")
    pages.wait_for_grid()
    page.get_by_role("searchbox").fill("photo 12")
    page.wait_for_url(re.compile("/search"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile("“photo 12” in "))
    expect(page.get_by_role("link", name="RSS")).to_have_attribute("href", re.compile(r"/feeds/1\.rss\?q=photo\+12"))
    alternate = page.evaluate("document.querySelector('link[type=\"application/atom+xml\"]').href")
    assert "q=photo+12" in alternate, alternate
    page.get_by_role("link", name="Search all feeds").click()
    page.wait_for_url(lambda url: "feed=" not in url)
    expect(page.get_by_role("link", name="Slide show")).to_have_attribute("href", re.compile(r"/frame\?q=photo\+12"))
    pages.open()
    pages.wait_for_grid()
    tile = page.locator(".cell").first
    link = tile.locator("a")
    link.focus()
    name, place = link.get_attribute("aria-label"), tile.bounding_box()
    page.keyboard.press("p")
    expect(page.locator(".announcer.shown")).to_have_text("Pinned")
    # The mark comes with the news of the change: the tile stays where it is, and keeps the focus.
    expect(page.locator(".cell.is-pinned")).to_have_count(1)
    expect(link).to_have_attribute("aria-label", f"{name}, pinned")
    expect(link).to_be_focused()
    expect(page.locator(".announcer")).to_have_text("Pinned")
    assert tile.bounding_box() == place, (place, tile.bounding_box())
    page.get_by_role("link", name="Pinned", exact=True).click()
    expect(page.locator(".count")).to_have_text("1 image")
    pages.wait_for_some()
    page.locator(".cell a").first.focus()
    page.keyboard.press("p")
    expect(page.locator(".announcer.shown")).to_have_text("Unpinned")
    expect(page.locator(".count")).to_have_text("0 images")
    page.get_by_role("link", name="Pinned", exact=True).click()
    pages.wait_for_some()
    expect(page.locator(".cell.is-pinned")).to_have_count(0)


def try_orders_at_any_width(pages):
    """Checks that no order of a list is cut off, however narrow the window is."""
    page = pages.page
    for width in (320, 360, 390, 560, 820, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        pages.open()
        pages.wait_for_grid()
        for link in page.locator(".controls a").all():
            box = link.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (width, link.text_content(), box)
        assert page.evaluate("[...document.querySelectorAll('.heading, .controls, .sorts')]"
                             ".every((one) => one.scrollWidth <= one.clientWidth)"), width


def try_wide_feeds(browser, options):
    """Checks that a wide window shows feeds side by side, each with its lines together, and that another does not."""
    # The service worker would have the page read its feeds again.
    pages = Pages(browser, options, service_workers="block")
    page = pages.page
    pages.open("feeds")
    page.evaluate("""() => {
      const feed = document.querySelector('.feed');
      const short = feed.parentElement.appendChild(feed.cloneNode(true));
      short.querySelector('.problem').remove();
      feed.querySelector('.problem').textContent = 'A long reason. '.repeat(40);
      feed.querySelector('.problem').hidden = false;
    }""")
    for width, columns in [(390, 1), (1280, 1), (1600, 2), (2560, 2), (3840, 2)]:
        page.set_viewport_size({"width": width, "height": 1200})
        boxes = [one.bounding_box() for one in page.locator("ul.feeds > li").all()]
        assert len({box["x"] for box in boxes}) == columns, (width, boxes)
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes), (width, boxes)
        name, address = (page.locator(one).nth(1).bounding_box() for one in (".feed-name", ".feed-address"))
        assert address["y"] - name["y"] - name["height"] < 8, (width, name, address)
    pages.forget_messages()
    pages.close()


def try_long_title(pages):
    """Checks that a long title of a feed shrinks no box of the dialog that keeps pictures for offline."""
    page = pages.page
    pages.wait_for_grid()
    page.get_by_role("button", name="Keep for offline").click()
    box = page.locator(".offline .choices input").first
    expect(box).to_be_visible()
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for title in ("Short", "A long title " * 20, "x" * 200):
            box.evaluate("(one, title) => one.nextSibling.replaceWith(title)", title)
            size = box.bounding_box()
            assert (size["width"], size["height"]) == (18, 18), (width, title, size)


def try_spoken(pages):
    """Checks what a screen reader gets in the viewer: the picture, each step, and its place in the list."""
    page = pages.page
    pages.wait_for_grid()
    page.locator(".cell a").nth(2).click()
    wait_until(page, look.ORIGINAL_SHOWN)
    names = page.evaluate(TREE)
    assert names == [page.locator(".viewer.over h1").text_content()], names
    total = page.evaluate(look.TOTAL)
    expect(page.locator(".announcer")).to_have_text(re.compile(rf": 3 of {total} images$"))
    page.keyboard.press("j")
    expect(page.locator(".announcer")).to_have_text(re.compile(rf": 4 of {total} images$"))
    expect(page.locator(".viewer.over .place")).to_have_text(f"4 / {total}")
    assert page.evaluate("document.querySelector('.skip').inert"), "the skip link leads out of the viewer"
    expect(page.locator(".viewer.over .facts")).to_contain_text("First seen")


def try_order_of_focus(pages):
    """Checks that rows name their months, that Tab leads from the images to the date, and what is removed by a button."""
    page = pages.page
    pages.wait_for_grid()
    expect(page.get_by_role("row", name=re.compile(r"\w+ \d{4}$")).first).to_be_visible()
    page.locator(".cell a").first.focus()
    page.keyboard.press("Tab")
    wait_until(page, "document.activeElement.role === 'slider'")
    assert page.evaluate("scrollY") < 100, "Tab has scrolled the list"
    pages.open("feeds")
    expect(page.locator(".removal summary")).to_have_attribute("aria-label", "Remove Years")


def try_attribution(browser, options):
    """Checks that the viewer shows what a museum must show: its statement, its manifest and the metadata."""
    pages = Pages(browser, options, service_workers="block")
    page = pages.page
    manifest = {
        "title": "Herbarium", "attribution": "Provided by the Museum of the Valley",
        "metadata": [{"label": "Sheet", "value": "12 recto"}],
    }
    page.route(re.compile(r"/api/v1/images/\d+$"), lambda route: route.fulfill(
        json={**(image := route.fetch().json()), "manifest": manifest, "feed": {**image["feed"], "title": None}}
    ))
    pages.wait_for_grid()
    page.locator(".cell a").first.click()
    facts = page.locator(".viewer.over .facts")
    for words in ["Herbarium", "Provided by the Museum of the Valley", "12 recto"]:
        expect(facts).to_contain_text(words)
    # A feed without a title has the name that it has elsewhere.
    expect(facts.get_by_role("link", name=re.compile("Years.xml$"))).to_be_visible()
    pages.forget_messages()
    pages.close()


def try_arrival(browser, options):
    """Checks that the viewer says how much of an original has come, for as long as it arrives."""
    pages = Pages(browser, options, service_workers="block")
    page, held = pages.page, []
    state = {"arriving": {"received": 1_200_000, "total": 4_800_000}}
    page.route(re.compile(r"/images/\d+/original$"), lambda route: held.append(route))
    page.route(re.compile(r"/api/v1/images/\d+$"), lambda route: route.fulfill(json={**route.fetch().json(), **state}))
    pages.wait_for_grid()
    page.locator(".cell a").first.click()
    progress = page.locator(".viewer.over .progress")
    width = "getComputedStyle(document.querySelector('.viewer.over .progress'), '::after').width"
    wide = page.locator(".viewer.over .stage").bounding_box()["width"]
    for (received, total), words, share in [
        ((1_200_000, 4_800_000), "1.2 MB of 4.8 MB", 25), ((3_000_000, None), "3 MB", None), ((9, 9), "9 bytes of 9 bytes", 100),
    ]:
        state["arriving"] = {"received": received, "total": total}
        expect(progress).to_have_attribute("aria-valuetext", words)
        if share is None:
            expect(progress).not_to_have_attribute("aria-valuenow", re.compile(""))
        else:
            expect(progress).to_have_attribute("aria-valuenow", str(share))
            assert abs(float(page.evaluate(width)[:-2]) - wide * share / 100) < 2, page.evaluate(width)
        if share == 25:
            pages.check("arriving original")
    # The server has all of it, and sends it.
    state.update(arriving=None, original={"bytes": 4_800_000, "sha256": None})
    expect(progress).to_have_attribute("aria-valuetext", "4.8 MB")
    expect(progress).to_be_visible()
    for route in held:
        route.continue_()
    wait_until(page, look.ORIGINAL_SHOWN)
    expect(progress).to_be_hidden()
    pages.forget_messages()
    pages.close()


def try_swipe(browser, options):
    """Checks that a swipe that begins on an arrow shows the next image, in both directions."""
    pages = Pages(browser, options, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = pages.page
    pages.wait_for_grid()
    page.locator(".cell a").nth(3).tap()
    wait_until(page, look.ORIGINAL_SHOWN)
    place = page.locator(".viewer.over .place")
    total = page.evaluate(look.TOTAL)
    expect(place).to_have_text(f"4 / {total}")
    session = pages.context.new_cdp_session(page)
    stage = page.locator(".viewer.over .stage").bounding_box()
    y = stage["y"] + stage["height"] / 2
    for start, end, shown in [(360, 120, 5), (30, 270, 4)]:
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start, "y": y}]})
        for part in range(1, 9):
            point = {"x": start + (end - start) * part / 8, "y": y}
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(place).to_have_text(f"{shown} / {total}")
        expect(page.locator(".viewer.over")).to_be_visible()
    pages.close()


def try_full_screen(pages):
    """Checks that the picture fills the screen, and that the buttons fade and come back."""
    page = pages.page
    pages.wait_for_grid()
    page.locator(".cell a").first.click()
    wait_until(page, look.ORIGINAL_SHOWN)
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement !== null")
    wait_until(page, "document.querySelector('.viewer.over .stage').clientWidth === innerWidth")
    opacity = "getComputedStyle(document.querySelector('.viewer.over .viewer-bar')).opacity"
    wait_until(page, f"{opacity} === '0'")
    page.mouse.move(400, 300)
    page.mouse.move(420, 320)
    wait_until(page, f"{opacity} === '1'")
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement === null")


def try_full_screen_of_page(pages):
    """Checks that steps from the page of an image keep full screen and its place in the history, and are spoken."""
    page = pages.page
    pages.open("?sort=oldest")
    pages.wait_for_grid()
    ids = page.evaluate("fetch('/api/v1/images?sort=oldest&limit=20').then((one) => one.json()).then((one) => one.images.map(({ id }) => id))")
    total = page.evaluate(look.TOTAL)
    pages.open(f"images/{ids[3]}?sort=oldest")
    expect(page.locator(".place")).to_have_text(f"4 / {total}")
    length = page.evaluate("history.length")
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement !== null")
    wait_until(page, "document.querySelector('.stage').clientWidth === innerWidth")
    expect(page.locator(".bar")).to_be_hidden()
    steps = [lambda: page.keyboard.press("j"), lambda: page.get_by_role("link", name="Next image").click(),
             lambda: page.keyboard.press("k")]
    for step, at in zip(steps, [4, 5, 4]):
        step()
        page.wait_for_url(f"**/images/{ids[at]}?sort=oldest")
        expect(page.locator(".place")).to_have_text(f"{at + 1} / {total}")
        wait_until(page, "document.querySelector('.thumbnail').naturalWidth > 0")
        name = page.locator(".viewer h1").text_content()
        expect(page.locator(".announcer")).to_have_text(f"{name}: {at + 1} of {total}")
        assert page.title().startswith(name), page.title()
        assert page.evaluate("document.fullscreenElement !== null"), "a step ends full screen"
        assert page.evaluate("document.activeElement.className") == "viewer", "the focus is lost"
    assert page.evaluate("history.length") == length, "a step is another Back"
    page.keyboard.press("p")
    expect(page.locator(".viewer")).to_have_count(1)
    expect(page.get_by_role("button", name="Pin")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Pin")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement === null")
    page.go_back()
    page.wait_for_url(re.compile(r"sort=oldest$"))
    pages.wait_for_grid()


# The height of a list's grid, and that of its rows with the gaps between them, in pixels.
GRID_HEIGHTS = """[document.querySelector(".grid").offsetHeight,
  [...document.querySelectorAll(".grid .row")].reduce((sum, row) => sum + row.offsetHeight + 16, 0)]"""


def try_paper(browser, options):
    """Checks that a printed list has no room for pictures that are not shown."""
    pages = Pages(browser, options, service_workers="block")
    pages.wait_for_grid()
    assert pages.page.evaluate("document.documentElement.scrollHeight > 3 * innerHeight"), "the list is too short"
    pages.page.emulate_media(media="print")
    grid, rows = pages.page.evaluate(GRID_HEIGHTS)
    assert 0 < rows and grid <= rows + 200, f"a grid of {grid} px has rows of {rows} px"
    assert re.search(rb"/Type\s*/Page\b", pages.page.pdf(format="A4")), "no page"
    pages.forget_messages()
    pages.close()


def try_phones(browser, options):
    """Checks that a phone hides no handle below the bar, offers no keys, and gives a picture all its height."""
    for width, height in [(390, 844), (844, 390)]:
        pages = Pages(browser, options, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
        page = pages.page
        pages.wait_for_grid()
        expect(page.locator("[data-action=help]")).to_be_hidden()
        bar, handle = page.locator(".bar").bounding_box(), page.locator(".scrubber .here").bounding_box()
        assert handle["y"] >= bar["y"] + bar["height"], (width, bar, handle)
        page.locator(".cell a").nth(3).tap()
        wait_until(page, look.ORIGINAL_SHOWN)
        stage = page.locator(".viewer.over .stage").bounding_box()
        assert stage["height"] >= (height if width > height else height - 72), (width, stage)
        page.keyboard.press("f")
        fills = "['.viewer.over .stage', '.viewer.over .canvas'].every((one) => document.querySelector(one).clientHeight === innerHeight)"
        wait_until(page, f"document.fullscreenElement !== null && {fills}")
        pages.close()


def try_rest(pages):
    """Checks that nothing moves when the list comes from the browser's cache, which asks for no outdated thumbnails."""
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    pages.open()
    pages.wait_for_grid()
    # A busy browser also paints the bar and the heading before they have arrived whole.
    shifts = page.evaluate("""() => new Promise((resolve) => new PerformanceObserver((list) =>
      resolve(list.getEntries().map(({ value, sources }) => [
        value, sources.map(({ node }) => node?.className || node?.nodeName),
        sources.some(({ node }) => node?.closest?.("main .grid, main .tiles"))]))
    ).observe({ type: 'layout-shift', buffered: true }) || setTimeout(resolve, 500, []))""")
    assert sum(value for value, _, of_pictures in shifts if of_pictures) < 0.01, f"the pictures move: {shifts}"
    assert sum(value for value, *_ in shifts) < 0.1, f"the page moves: {shifts}"
    link = page.evaluate("caches.match(document.documentElement.dataset.base + '/').then(({ headers }) => headers.get('Link'))")
    assert link is None, link


def try_ended_access(browser, options, server):
    """Checks that a page says that its access has ended, and not that the server is away."""
    command = [*server.gallery, "token"]
    token = subprocess.run([*command, "add", "guest"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]
    address = f"{options.address.partition('?')[0]}?token={token}"
    pages = Pages(browser, SimpleNamespace(**{**vars(options), "address": address}))
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    wait_for_kept(page, page.evaluate(look.PICTURES))
    subprocess.run([*command, "remove", "guest"], check=True, stdout=subprocess.DEVNULL)
    for _ in range(2):
        expect(page.get_by_text("Your access to this gallery has ended")).to_be_visible()
        expect(page.get_by_text("The server is away.")).to_be_hidden()
        page.reload()
        pages.wait_for_grid()
    pages.messages = [one for one in pages.messages if "Failed to load resource" not in one]
    pages.close()


def add(page, feed):
    page.get_by_label("Address of a feed or a page").fill(feed)
    page.get_by_label("It may lead to addresses of the local network").check()
    page.get_by_role("button", name="Add", exact=True).click()


def try_first_feed(browser, options):
    """Checks that an empty library says what to do, and no more once the first feed has come."""
    pages = Pages(browser, options)
    page = pages.page
    expect(page.locator("main")).to_contain_text("no image is stored yet")
    pages.open("frame")
    expect(page.locator(".frame-note")).to_be_visible()
    expect(page.locator(".frame-note")).to_have_text("No images yet.")
    pages.open("feeds")
    note = page.locator(".note")
    expect(note).to_have_text("The library follows no feed yet.")
    add(page, options.feed)
    expect(page.locator("ul.feeds > li")).to_have_count(1)
    expect(note).to_be_hidden()
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_enabled()
    pages.open()
    pages.wait_for_some()
    expect(page.get_by_text("no image is stored yet")).to_be_hidden()
    pages.close()


def try_address_without_scheme(browser, options):
    """Checks that a feed is added by an address without a scheme, and that its images appear while they arrive."""
    pages = Pages(browser, options)
    page = pages.page
    pages.open("feeds")
    add(page, options.feed.partition("://")[2])
    expect(page.locator("ul.feeds > li").filter(has_text=options.feed)).to_be_visible()
    wait_until(page, "[...document.querySelectorAll('.arrivals img')].some((image) => image.naturalWidth)")
    expect(page.locator(".job-text")).to_contain_text(re.compile(r"^updated .*: \d+ images"))
    expect(page.get_by_label("Address of a feed or a page")).to_have_value("")
    pages.close()


def try_hanging_feed(browser, options):
    """Checks that a feed whose server hangs delays no other, is shown by a page opened later, and can be stopped."""
    pages = Pages(browser, options)
    page, hangs = pages.page, options.feed.replace("More", "Hangs")
    pages.open("feeds")
    add(page, hangs)
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_visible()
    other = pages.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Stop")).to_be_visible()
    expect(other.locator(".job-text")).not_to_be_empty()
    add(other, options.feed)
    expect(other.locator("ul.feeds > li").filter(has_text="More.xml")).to_be_visible()
    expect(stop).to_be_visible()
    # The same feed once more waits for its turn, and the page for its end.
    again = pages.context.new_page()
    again.goto(page.url)
    add(again, hangs)
    expect(again.locator(".job-text")).to_have_text("Waits for another sync of this feed.")
    again.wait_for_timeout(1500)
    expect(again.get_by_role("button", name="Add", exact=True)).to_be_disabled()
    again.get_by_role("button", name="Stop").click()
    expect(again.get_by_role("button", name="Add", exact=True)).to_be_enabled()
    again.close()
    stop.click()
    expect(stop).to_be_hidden()
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_enabled()
    # The address stays in its field, because its feed has not come.
    expect(page.get_by_label("Address of a feed or a page")).to_have_value(hangs)
    pages.close()


def try_removed_feed(browser, options):
    """Checks that the page of a removed feed does not stay in the browser's copy."""
    pages = Pages(browser, options)
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    id = page.evaluate("fetch('/api/v1/feeds').then((one) => one.json()).then((one) => one.feeds.at(-1).id)")
    address = f"feeds/{id}"
    pages.open(address)
    pages.wait_for_some()
    kept = f"caches.match('/{address}').then((one) => Boolean(one))"
    wait_until(page, kept)
    page.evaluate(f"fetch('/api/v1/{address}', {{ method: 'DELETE' }})")
    # The browser may show its copy once more, while it asks.
    pages.open(address)
    wait_until(page, f"async () => !(await {kept})")
    pages.open(address)
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    pages.messages = [one for one in pages.messages if "Failed to load resource" not in one]
    pages.close()


def try_zoom(pages):
    """Checks that no key and no drag moves a picture off its stage, and that 1 shows its pixels."""
    page = pages.page
    pages.wait_for_grid()
    page.locator(".cell a").first.click()
    wait_until(page, look.ORIGINAL_SHOWN)
    page.keyboard.press("1")
    page.keyboard.press("+")
    page.mouse.move(500, 450)
    page.mouse.down()
    page.mouse.move(500, -4000, steps=5)
    page.mouse.up()
    covered = """() => {
      const stage = document.querySelector('.viewer.over .stage').getBoundingClientRect();
      const image = document.querySelector('.viewer.over .original');
      const box = image.getBoundingClientRect();
      const fit = Math.min(box.width / image.naturalWidth, box.height / image.naturalHeight);
      const height = image.naturalHeight * fit;
      const top = box.top + (box.height - height) / 2;
      return height <= stage.height ? Math.abs(top + height / 2 - stage.top - stage.height / 2) < 2
        : top + height >= stage.bottom - 2 && top <= stage.top + 2;
    }"""
    assert page.evaluate(covered), "the picture has left its stage"


def try_failing_thumbnails(pages):
    """Checks that the page of feeds tells what fails, with and without its script, and that lists do not."""
    page = pages.page
    pages.wait_for_grid()
    wait_until(page, CONTROLLED)
    pages.open("feeds")
    expect(page.locator(".feed .problem").first).to_contain_text("failed lately")
    page.reload()
    expect(page.locator(".feed .problem").first).to_contain_text("failed lately")
    pages.open("search?q=nothing+has+this")
    expect(page.get_by_text("No image matches.")).to_be_visible()
    expect(page.get_by_text("failed lately")).to_have_count(0)


def try_frame(pages):
    """Checks that the slide show shows originals, all before it repeats one, and says when there is none."""
    page = pages.page
    pages.wait_for_grid()
    page.goto(pages.home + "frame?seconds=2&q=photo+12")
    wait_until(page, "document.querySelector('.slide.shown')?.src.endsWith('/original') && document.querySelector('.slide.shown').naturalWidth > 500")
    fade = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.slide.shown')).transitionDuration)")
    assert fade > 0.1, f"a slide takes the place of the one before within {fade} s"
    count = page.evaluate("fetch('/api/v1/timeline?q=photo+12').then((one) => one.json()).then((one) => one.total)")
    shown = set()
    for _ in range(count):
        src = page.evaluate("[...document.querySelectorAll('.slide.shown')].at(-1).src")
        assert src not in shown, f"{src} comes again after {len(shown)} of {count}"
        shown.add(src)
        page.keyboard.press("ArrowRight")
        wait_until(page, "(before) => [...document.querySelectorAll('.slide.shown')].at(-1).src !== before", src)
    src = page.evaluate("[...document.querySelectorAll('.slide.shown')].at(-1).src")
    page.keyboard.press("i")
    page.wait_for_url(src.removesuffix("/original"))
    page.go_back()
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile(r"/search\?q=photo"))
    page.goto(pages.home + "frame?q=nothing+has+this")
    expect(page.locator(".frame-note")).to_be_visible()
    expect(page.locator(".frame-note")).to_have_text("No image matches.")


def try_changed_frame(browser, options):
    """Checks that the slide show repeats no image because the list has changed."""
    pages = Pages(browser, options, service_workers="block")
    page = pages.page
    pages.wait_for_grid()
    count = page.evaluate("fetch('/api/v1/timeline?q=photo+12').then((one) => one.json()).then((one) => one.total)")
    page.goto(pages.home + "frame?seconds=2&q=photo+12")
    shown, src = set(), None
    for _ in range(count):
        wait_until(page, """(before) => {
          const src = [...document.querySelectorAll('.slide.shown')].at(-1)?.src;
          return src?.endsWith('/original') && src !== before;
        }""", src)
        src = page.evaluate("[...document.querySelectorAll('.slide.shown')].at(-1).src")
        assert src not in shown, f"{src} comes again after {len(shown)} of {count}"
        shown.add(src)
        page.route(re.compile(r"/api/v1/timeline/\d+"), lambda route: route.fulfill(status=409, json={}), times=1)
        page.keyboard.press("ArrowRight")
    pages.forget_messages()
    pages.close()


def run(options, server):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for flow in [try_first_sight, try_changed_frame, try_attribution, try_wide_feeds, try_link_from_elsewhere,
                     try_arrival, try_swipe, try_paper, try_phones, partial(try_ended_access, server=server)]:
            flow(browser, options)
            print("ok", getattr(flow, "func", flow).__name__, flush=True)
        try_restored_pages(playwright, options)
        print("ok try_restored_pages", flush=True)
        for flow in [try_failing_thumbnails, try_back, try_place_of_page, try_look, try_slider, try_since, try_other_views,
                     try_orders_at_any_width, try_long_title, try_spoken, try_order_of_focus, try_zoom, try_full_screen,
                     try_full_screen_of_page, try_rest,
                     try_frame, partial(try_words_away, server=server), partial(try_sorts_away, server=server)]:
            pages = Pages(browser, options)
            flow(pages)
            pages.close()
            print("ok", getattr(flow, "func", flow).__name__, flush=True)
        # Last, because the first adds a feed, which the second removes.
        for flow in [try_hanging_feed, try_removed_feed]:
            flow(browser, options)
            print("ok", flow.__name__, flush=True)
        browser.close()


def begin(options, server):
    """Runs the flow of an empty library."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try_first_feed(browser, options)
        print("ok try_first_feed", flush=True)
        # Another feed, because the first one is followed already.
        other = SimpleNamespace(**{**vars(options), "feed": options.feed.replace("More", "Many")})
        try_address_without_scheme(browser, other)
        print("ok try_address_without_scheme", flush=True)
        browser.close()
