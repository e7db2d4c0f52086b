#include "CWebFiles.h"

// Clang embeds files in every language since version 19, and warns that C has this only since C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "../Web/Assets/api.js"
};
static const unsigned char app_css[] = {
#embed "../Web/Assets/app.css"
};
static const unsigned char changes_js[] = {
#embed "../Web/Assets/changes.js"
};
static const unsigned char controls_js[] = {
#embed "../Web/Assets/controls.js"
};
static const unsigned char current_js[] = {
#embed "../Web/Assets/current.js"
};
static const unsigned char dom_js[] = {
#embed "../Web/Assets/dom.js"
};
static const unsigned char export_css[] = {
#embed "../Web/Assets/export.css"
};
static const unsigned char feeds_css[] = {
#embed "../Web/Assets/feeds.css"
};
static const unsigned char feeds_js[] = {
#embed "../Web/Assets/feeds.js"
};
static const unsigned char folding_js[] = {
#embed "../Web/Assets/folding.js"
};
static const unsigned char frame_css[] = {
#embed "../Web/Assets/frame.css"
};
static const unsigned char frame_js[] = {
#embed "../Web/Assets/frame.js"
};
static const unsigned char gallery_webmanifest[] = {
#embed "../Web/Assets/gallery.webmanifest"
};
static const unsigned char grid_keys_js[] = {
#embed "../Web/Assets/grid-keys.js"
};
static const unsigned char grid_js[] = {
#embed "../Web/Assets/grid.js"
};
static const unsigned char icon_png[] = {
#embed "../Web/Assets/icon.png"
};
static const unsigned char icon_svg[] = {
#embed "../Web/Assets/icon.svg"
};
static const unsigned char image_js[] = {
#embed "../Web/Assets/image.js"
};
static const unsigned char layout_js[] = {
#embed "../Web/Assets/layout.js"
};
static const unsigned char list_css[] = {
#embed "../Web/Assets/list.css"
};
static const unsigned char list_js[] = {
#embed "../Web/Assets/list.js"
};
static const unsigned char live_worker_js[] = {
#embed "../Web/Assets/live-worker.js"
};
static const unsigned char live_js[] = {
#embed "../Web/Assets/live.js"
};
static const unsigned char offline_js[] = {
#embed "../Web/Assets/offline.js"
};
static const unsigned char overlay_js[] = {
#embed "../Web/Assets/overlay.js"
};
static const unsigned char page_js[] = {
#embed "../Web/Assets/page.js"
};
static const unsigned char scroller_js[] = {
#embed "../Web/Assets/scroller.js"
};
static const unsigned char scrubber_js[] = {
#embed "../Web/Assets/scrubber.js"
};
static const unsigned char service_worker_js[] = {
#embed "../Web/Assets/service-worker.js"
};
static const unsigned char stack_js[] = {
#embed "../Web/Assets/stack.js"
};
static const unsigned char store_js[] = {
#embed "../Web/Assets/store.js"
};
static const unsigned char tiles_js[] = {
#embed "../Web/Assets/tiles.js"
};
static const unsigned char timeline_js[] = {
#embed "../Web/Assets/timeline.js"
};
static const unsigned char tree_js[] = {
#embed "../Web/Assets/tree.js"
};
static const unsigned char viewer_css[] = {
#embed "../Web/Assets/viewer.css"
};
static const unsigned char viewer_js[] = {
#embed "../Web/Assets/viewer.js"
};
static const unsigned char zoom_js[] = {
#embed "../Web/Assets/zoom.js"
};
static const unsigned char openapi_json[] = {
#embed "../Web/openapi.json"
};

#define FILE(name, bytes) {name, bytes, sizeof(bytes)}

static const CWebFile assets[] = {
    FILE("api.js", api_js),
    FILE("app.css", app_css),
    FILE("changes.js", changes_js),
    FILE("controls.js", controls_js),
    FILE("current.js", current_js),
    FILE("dom.js", dom_js),
    FILE("export.css", export_css),
    FILE("feeds.css", feeds_css),
    FILE("feeds.js", feeds_js),
    FILE("folding.js", folding_js),
    FILE("frame.css", frame_css),
    FILE("frame.js", frame_js),
    FILE("gallery.webmanifest", gallery_webmanifest),
    FILE("grid-keys.js", grid_keys_js),
    FILE("grid.js", grid_js),
    FILE("icon.png", icon_png),
    FILE("icon.svg", icon_svg),
    FILE("image.js", image_js),
    FILE("layout.js", layout_js),
    FILE("list.css", list_css),
    FILE("list.js", list_js),
    FILE("live-worker.js", live_worker_js),
    FILE("live.js", live_js),
    FILE("offline.js", offline_js),
    FILE("overlay.js", overlay_js),
    FILE("page.js", page_js),
    FILE("scroller.js", scroller_js),
    FILE("scrubber.js", scrubber_js),
    FILE("service-worker.js", service_worker_js),
    FILE("stack.js", stack_js),
    FILE("store.js", store_js),
    FILE("tiles.js", tiles_js),
    FILE("timeline.js", timeline_js),
    FILE("tree.js", tree_js),
    FILE("viewer.css", viewer_css),
    FILE("viewer.js", viewer_js),
    FILE("zoom.js", zoom_js),
};
static const CWebFile open_api = FILE("openapi.json", openapi_json);

const CWebFile *cwebfiles_assets(size_t *count) {
  *count = sizeof(assets) / sizeof(assets[0]);
  return assets;
}

const CWebFile *cwebfiles_open_api(void) { return &open_api; }
