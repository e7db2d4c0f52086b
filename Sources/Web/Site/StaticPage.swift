import Models
import Scenes
import Workers

/// A list of images as a file: tiles, and a view of each image that needs no script.
///
/// The first page of a list is also the web app, in browsers that can run it.
struct StaticPage {
  private let content: SitePage
  private let site: Site
  private let images: [ExportedImage]

  init(_ content: SitePage, on site: Site) {
    self.content = content
    self.site = site
    images = content.images.compactMap { image in
      content.feeds[image.feedID].map { ExportedImage(image, of: $0) }
    }
  }

  /// `index.html`, `months/2026-11-1.html`, `feeds/3/index.html`, `feeds/3/2026-11-1.html`.
  static func path(of place: SitePage.Place, feedID: Int64?) -> String {
    switch place {
    case .first: feedID.map { "feeds/\($0)/index.html" } ?? "index.html"
    case .part(let part, _, _): path(of: part, feedID: feedID)
    }
  }

  private static func path(of part: SitePage.Part, feedID: Int64?) -> String {
    let name = "\(Timeline.text(ofMonth: part.month))-\(part.number).html"
    return (feedID.map { "feeds/\($0)/" } ?? "months/") + name
  }

  private func address(of part: SitePage.Part) -> String {
    "\(site.basePath)/\(Self.path(of: part, feedID: content.feed?.id))"
  }

  private var name: String { content.feed?.publishedName ?? "All images" }

  /// The months of the list; nil except on its first page.
  private var months: [SitePage.Month]? {
    guard case .first(let months) = content.place else { return nil }
    return months
  }

  var html: HTML {
    switch content.place {
    case .first:
      return html(title: name, heading: name, count: content.total)
    case .part(let part, _, _):
      let month = Wording.month(Timeline.text(ofMonth: part.month))
      let title = "\(month) · \(name)"
      let heading = content.feed == nil ? month : title
      return html(title: title, heading: heading, count: images.count)
    }
  }

  private func html(title: String, heading: String, count: Int) -> HTML {
    let feedID = content.feed?.id
    let list = StaticImages(images, pins: content.pins, base: site.basePath)
    return """
      \(Self.head(title: title, on: site))
      \(site.bar(searching: feedID))
      <main id="main" class="list" data-name="\(name)" data-feed="\(feedID.map { String($0) } ?? "")" data-sort="newest">
      <div class="heading">
      <h1>\(heading)</h1>
      <p class="count">\(Wording.count(count, "image"))</p>
      \(line: months == nil ? nil : sorts)\
      </div>
      <div class="note"\(if: !images.isEmpty, " hidden")><p>No images yet.</p></div>
      <ul class="tiles">
      \(lines: list.tiles)\
      </ul>
      \(steps)
      \(line: months.flatMap(links(to:)))\
      <div class="views">
      \(lines: list.views)\
      </div>
      <footer class="list-foot" hidden></footer>
      </main>
      \(line: months == nil ? nil : site.listScript)\
      \(Site.foot)
      """
  }

  private static func head(title: String, on site: Site) -> HTML {
    """
    \(site.head(title: title, styles: ["viewer.css", "feeds.css", "export.css"]))
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'">
    <meta name="referrer" content="no-referrer">
    <link rel="alternate" type="application/vnd.gallery.tree+json" title="Tree" href="\(site.basePath)/api/v1/tree/root">
    """
  }

  private var sorts: HTML {
    """
    <div class="controls"><nav class="sorts" aria-label="Sort" hidden>\(ListSorts.links(current: .newest, isStatic: true))</nav></div>
    """
  }

  private func links(to months: [SitePage.Month]) -> HTML? {
    guard !months.isEmpty else { return nil }
    let items = months.map { month -> HTML in
      let address = address(of: .init(month: month.month, number: month.parts))
      let text = Wording.month(Timeline.text(ofMonth: month.month))
      return "<li>\(.link(text, to: address)) <span>\(Wording.grouped(month.images))</span></li>"
    }
    return """
      <nav class="months" aria-labelledby="months">
      <h2 id="months">By month</h2>
      <ul>\(items)</ul>
      </nav>
      """
  }

  /// Links to the parts of the list before and after this one.
  private var steps: HTML? {
    guard case .part(let part, let newer, let older) = content.place, newer ?? older != nil
    else { return nil }
    func step(_ other: SitePage.Part, _ word: String, _ relation: String) -> HTML {
      let month = Wording.month(Timeline.text(ofMonth: other.month))
      let text = other.month == part.month ? "\(word) of \(month)" : "\(word): \(month)"
      return #"<a href="\#(address(of: other))" rel="\#(relation)">\#(text)</a>"#
    }
    return """
      <nav class="pages" aria-label="Pages">\(newer.map { step($0, "Newer", "prev") })\(older.map { step($0, "Older", "next") })</nav>
      """
  }

  // MARK: Feeds

  static func html(of feeds: [Feed], on site: Site) -> HTML {
    let items = feeds.map { feed -> HTML in
      """
      <li class="feed">
      <div class="feed-name"><a href="\(site.basePath)/feeds/\(feed.id)/index.html">\(feed.publishedName)</a> <span class="feed-count">\(Wording.count(feed.imageCount, "image"))</span></div>
      <p class="feed-address">\(feed.address.isWeb ? feed.address.masked : "")</p>
      </li>
      """
    }
    return """
      \(head(title: "Feeds", on: site))
      \(site.bar())
      <main id="main" class="feeds-page">
      <h1>Feeds</h1>
      <ul class="feeds">
      \(lines: items)\
      </ul>
      <p class="note"\(if: !feeds.isEmpty, " hidden")>The library follows no feed yet.</p>
      </main>
      \(Site.foot)
      """
  }
}
