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

  var page: Page {
    let name = content.feed.map { $0.title ?? $0.address.masked } ?? "All images"
    let list = StaticImages(images, base: site.basePath)
    var values: [String: Any?] = [
      "name": name,
      "query": content.feed.map { ["feed": String($0.id)] } ?? [:],
      "tiles": list.tiles,
      "views": list.views,
      "hasImages": !images.isEmpty,
    ]
    switch content.place {
    case .first(let months):
      values["isFirst"] = true
      values["title"] = name
      values["heading"] = name
      values["count"] = Wording.count(content.total, "image")
      values["sorts"] = ListSorts.values(current: .newest)
      values["hasMonths"] = !months.isEmpty
      values["months"] = months.map(month)
    case .part(let part, let newer, let older):
      let month = Wording.month(Timeline.text(ofMonth: part.month))
      values["title"] = "\(month) · \(name)"
      values["heading"] = content.feed == nil ? month : "\(month) · \(name)"
      values["count"] = Wording.count(images.count, "image")
      values["hasNeighbours"] = newer != nil || older != nil
      values["newer"] = newer.map { neighbour($0, "Newer", besides: part) }
      values["older"] = older.map { neighbour($0, "Older", besides: part) }
    }
    return Page("export", values)
  }

  private func month(_ month: SitePage.Month) -> [String: Any] {
    [
      "address": address(of: .init(month: month.month, number: month.parts)),
      "text": Wording.month(Timeline.text(ofMonth: month.month)),
      "count": Wording.grouped(month.images),
    ]
  }

  private func neighbour(
    _ part: SitePage.Part,
    _ word: String,
    besides other: SitePage.Part
  ) -> [String: Any] {
    let month = Wording.month(Timeline.text(ofMonth: part.month))
    let text = part.month == other.month ? "\(word) of \(month)" : "\(word): \(month)"
    return ["address": address(of: part), "text": text]
  }

  // MARK: Feeds

  static func page(of feeds: [Feed], on site: Site) -> Page {
    Page(
      "export-feeds",
      [
        "title": "Feeds",
        "hasFeeds": !feeds.isEmpty,
        "feeds": feeds.map { feed in
          [
            "title": feed.title ?? feed.address.masked,
            "address": feed.address.isWeb ? feed.address.masked : "",
            "page": "\(site.basePath)/feeds/\(feed.id)/index.html",
            "count": Wording.count(feed.imageCount, "image"),
          ]
        },
      ]
    )
  }
}
