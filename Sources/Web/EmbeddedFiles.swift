/// The files of `Assets`, which the package manager embeds in the program.
///
/// A test compares the list with the folder.
package enum EmbeddedFiles {
  static var assets: [(name: String, bytes: [UInt8])] {
    [
      ("api.js", PackageResources.api_js),
      ("app.css", PackageResources.app_css),
      ("changes.js", PackageResources.changes_js),
      ("controls.js", PackageResources.controls_js),
      ("current.js", PackageResources.current_js),
      ("dom.js", PackageResources.dom_js),
      ("export.css", PackageResources.export_css),
      ("feeds.css", PackageResources.feeds_css),
      ("feeds.js", PackageResources.feeds_js),
      ("frame.css", PackageResources.frame_css),
      ("frame.js", PackageResources.frame_js),
      ("gallery.webmanifest", PackageResources.gallery_webmanifest),
      ("grid-keys.js", PackageResources.grid_keys_js),
      ("grid.js", PackageResources.grid_js),
      ("icon.svg", PackageResources.icon_svg),
      ("image.js", PackageResources.image_js),
      ("layout.js", PackageResources.layout_js),
      ("list.css", PackageResources.list_css),
      ("list.js", PackageResources.list_js),
      ("live-worker.js", PackageResources.live_worker_js),
      ("live.js", PackageResources.live_js),
      ("offline.js", PackageResources.offline_js),
      ("overlay.js", PackageResources.overlay_js),
      ("page.js", PackageResources.page_js),
      ("scroller.js", PackageResources.scroller_js),
      ("scrubber.js", PackageResources.scrubber_js),
      ("service-worker.js", PackageResources.service_worker_js),
      ("stack.js", PackageResources.stack_js),
      ("store.js", PackageResources.store_js),
      ("tiles.js", PackageResources.tiles_js),
      ("timeline.js", PackageResources.timeline_js),
      ("tree.js", PackageResources.tree_js),
      ("viewer.css", PackageResources.viewer_css),
      ("viewer.js", PackageResources.viewer_js),
      ("zoom.js", PackageResources.zoom_js),
    ]
  }

  /// The description of the API (OpenAPI 3.1), written by hand and checked against the routes by tests.
  package static var openAPI: [UInt8] { PackageResources.openapi_json }
}
