"""Viewers of IIIF manifests in a browser."""

import json
import shutil

SCRIPT = "/usr/share/doc/python-openslide-examples/examples/deepzoom/static/openseadragon.js"
PAGE = """<!doctype html><meta charset="utf-8"><title>Viewer</title><script src="openseadragon.js"></script>
<div id="viewer" style="width: 800px; height: 600px"></div>
<script>
  window.seen = { loaded: [], failed: [] };
  async function open() {
    const manifest = await (await fetch(MANIFEST)).json();
    const canvas = manifest.items[0], body = canvas.items[0].items[0].body;
    Object.assign(seen, {
      label: canvas.label.none[0], format: body.format, width: canvas.width, height: canvas.height,
      service: body.service[0].type, address: body.service[0].id,
    });
    const viewer = OpenSeadragon({
      id: "viewer", showNavigationControl: false, crossOriginPolicy: "Anonymous", animationTime: 0.1,
      tileSources: body.service[0].id + "/info.json",
    });
    viewer.addHandler("open-failed", event => { seen.problem = String(event.message); });
    viewer.addHandler("tile-load-failed", event => seen.failed.push(event.tile.level));
    viewer.addHandler("tile-loaded", event => seen.loaded.push(event.tile.level));
    viewer.addHandler("open", () => {
      const size = viewer.world.getItemAt(0).getContentSize();
      seen.size = [size.x, size.y];
      seen.largest = viewer.world.getItemAt(0).source.maxLevel;
      viewer.viewport.zoomTo(viewer.viewport.getMaxZoom(), null, true);
    });
  }
  open().catch(problem => { seen.problem = String(problem); });
</script>"""


def openseadragon(tools):
    from playwright.sync_api import sync_playwright

    tools.picture("site/big.jpg", 3000, 2000)
    tools.write("site/feed.json", json.dumps({"images": [{"id": 1, "title": "Harbour", "original": "big.jpg"}]}))
    library = tools.folder / "library"
    tools.gallery("sync", "--cache", library, "--originals", f"{tools.address}/feed.json")
    origin, token = tools.serve_library(library)
    shutil.copy(SCRIPT, tools.site / "openseadragon.js")
    manifest = f"{origin}/iiif/~{token}/images/manifest.json"
    tools.write("site/viewer.html", PAGE.replace("MANIFEST", json.dumps(manifest)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{tools.address}/viewer.html")
        page.wait_for_function(
            "seen.problem || seen.failed.length || seen.loaded.includes(seen.largest)", timeout=30_000
        )
        seen = page.evaluate("seen")
        # A picture that the page may read does not taint its canvas.
        readable = page.evaluate("document.querySelector('#viewer canvas').toDataURL().startsWith('data:image/png')")
        browser.close()
    yield f"problem: {seen.get('problem', 'none')}"
    yield f"canvas {seen.get('label')!r}, {seen.get('width')} × {seen.get('height')}, {seen.get('format')}"
    yield f"service: {seen.get('service')}"
    yield f"the viewer opens a picture of {seen.get('size')}, with levels from 0 to {seen.get('largest')}"
    yield f"tiles of the largest level: {'loaded' if seen.get('largest') in seen['loaded'] else 'none'}"
    yield f"tiles that fail: {len(seen['failed'])}"
    yield f"the page may read the pixels: {readable}"
