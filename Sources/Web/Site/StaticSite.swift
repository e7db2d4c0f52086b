package import Models
import Scenes
package import Workers

/// Makes the files of a static site: the same tree as the server's, and pages that any web server can serve.
///
/// Addresses are relative, so a site may be served under any path. Nodes, packs and pictures have the same names as on
/// the server, so a mirror reads both alike. See `Documentation/Export.md`.
package struct StaticSite: SiteMaking {
  /// Increase this when the same library gives other files.
  private static let layout = 1

  private let templates: PageTemplates
  private let scripts = SiteAssets()

  /// Fails only when a template is malformed, which a test would find.
  package init() throws { templates = try PageTemplates() }

  package var version: String {
    let pages = EmbeddedFiles.pages.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    return "\(Self.layout)-\(scripts.hash)-\(UInt64(bitPattern: StableHash.of(pages)))"
  }

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
    return file(path) { StaticPage(page, on: $0).page }
  }

  package func page(of feeds: [Feed]) -> SiteFile {
    file("feeds.html") { StaticPage.page(of: feeds, on: $0) }
  }

  private func file(_ path: String, _ make: (Site) -> Page) -> SiteFile {
    let depth = path.count { $0 == "/" }
    let base = depth == 0 ? "." : Array(repeating: "..", count: depth).joined(separator: "/")
    var site = Site(basePath: base, assetHash: scripts.hash)
    site.isStatic = true
    return SiteFile(path: path, bytes: Array(templates.html(of: make(site), on: site).utf8))
  }
}
