package import Models
import Scenes
package import Workers

/// Makes the files of a static site: the same tree as the server's, and pages that any web server can serve.
///
/// Addresses are relative, so a site may be served under any path. Nodes, packs and pictures have the same names as on
/// the server, so a mirror reads both alike. See `Documentation/Export.md`.
package struct StaticSite: SiteMaking {
  /// Increase this when the same library gives other files; a test compares the pages.
  static let layout = 6

  private let scripts = SiteAssets.embedded

  package init() {}

  package var version: String { "\(Self.layout)-\(scripts.hash)" }

  package var assets: [SiteFile] {
    scripts.names.filter { $0 != "worker.js" }.map { name in
      SiteFile(path: "assets/\(scripts.hash)/\(name)", bytes: bytes(ofAsset: name))
    }
  }

  package var worker: SiteFile {
    SiteFile(path: "worker.js", bytes: scripts.worker(ofStaticSite: true))
  }

  /// Names `index.html` in the manifest, because a bucket has no page for the address of a folder.
  private func bytes(ofAsset name: String) -> [UInt8] {
    let bytes = scripts[name]?.bytes ?? []
    guard name.hasSuffix(".webmanifest") else { return bytes }
    let text = String(decoding: bytes, as: UTF8.self)
    let start = #""start_url": "../../"#
    return Array(text.replacing("\(start)\"", with: "\(start)index.html\"").utf8)
  }

  // MARK: The tree

  package func root(of tree: LibraryTree) -> SiteFile {
    let cursor = ChangeCursor(behind: tree.version, part: LibraryPart())
    return node("root", TreeNodes.library(tree, cursor: cursor.text))
  }

  package func node(_ node: LibraryTree.Feed, of feed: Feed) -> SiteFile {
    self.node(node.hash.hexadecimal, TreeNodes.feed(node, feed))
  }

  package func node(_ month: LibraryTree.Month, ofFeed feedID: Int64) -> SiteFile {
    node(month.hash.hexadecimal, TreeNodes.month(month, ofFeed: feedID))
  }

  package func leaf(_ leaf: LibraryTree.Leaf, _ images: [ImageState]) -> SiteFile {
    node(leaf.hash.hexadecimal, TreeNodes.leaf(images))
  }

  private func node(_ name: String, _ bytes: [UInt8]) -> SiteFile {
    SiteFile(path: "api/v1/tree/\(name)", bytes: bytes)
  }

  // MARK: Pages

  package func page(_ page: SitePage) -> SiteFile {
    let path = StaticPage.path(of: page.place, feedID: page.feed?.id)
    return file(path) { StaticPage(page, on: $0).html }
  }

  package func page(of feeds: [Feed]) -> SiteFile {
    file("feeds.html") { StaticPage.html(of: feeds, on: $0) }
  }

  private func file(_ path: String, _ make: (Site) -> HTML) -> SiteFile {
    let depth = path.count { $0 == "/" }
    let base = depth == 0 ? "." : Array(repeating: "..", count: depth).joined(separator: "/")
    var site = Site(basePath: base, assetHash: scripts.hash)
    site.isStatic = true
    return SiteFile(path: path, bytes: make(site).bytes)
  }
}
