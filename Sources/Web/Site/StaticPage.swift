import Models
import Scenes
import Workers

/// A list of images as a file: tiles, and a view of each image that needs no script.
///
/// The first page of a list is the web app, too, where browsers run it.
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
    let list = content.feed.map { $0.title ?? $0.address.masked } ?? "All images"
    var values: [String: Any?] = [
      "name": list,
      "query": content.feed.map { ["feed": String($0.id)] } ?? [:],
      "images": images.indices.map(image),
      "hasImages": !images.isEmpty,
    ]
    switch content.place {
    case .first(let months):
      values["isFirst"] = true
      values["title"] = list
      values["heading"] = list
      values["count"] = Wording.count(content.total, "image")
      values["sorts"] = ListSorts.values(current: .newest)
      values["hasMonths"] = !months.isEmpty
      values["months"] = months.map(month)
    case .part(let part, let newer, let older):
      let month = Wording.month(Timeline.text(ofMonth: part.month))
      values["title"] = "\(month) · \(list)"
      values["heading"] = content.feed == nil ? month : "\(month) · \(list)"
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
      "count": Wording.count(month.images, "image"),
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

  // MARK: An image

  private func image(at index: Int) -> [String: Any] {
    let image = images[index]
    let facts = image.facts
    let previous = index > 0 ? images[index - 1].id : nil
    let next = index + 1 < images.count ? images[index + 1].id : nil
    return .init(known: [
      "id": image.id,
      "anchor": "t\(image.id)",
      "address": "#i\(image.id)",
      "name": facts.title.isEmpty ? "Image \(image.id)" : facts.title,
      "caption": facts.caption,
      "author": facts.author,
      "licence": facts.licence,
      "published": facts.published.map { ["iso": $0, "text": Self.readable($0)] },
      "feed": [
        "title": facts.feed, "address": "\(site.basePath)/feeds/\(facts.feedID)/index.html",
      ],
      "source": facts.pageAddress,
      "thumbnail": facts.thumbnail.map { PictureAddress($0, on: site).values },
      "picture": picture(of: image),
      "file": file(of: image),
      "previous": previous,
      "next": next,
    ])
  }

  /// The largest that browsers show.
  private func picture(of image: ExportedImage) -> [String: Any]? {
    if image.isOriginalShown, let original = image.facts.original {
      return PictureAddress(original, on: site, folder: "o").values
    }
    return image.facts.thumbnail.map { PictureAddress($0, on: site).values }
  }

  private func file(of image: ExportedImage) -> [String: Any]? {
    guard let original = image.facts.original, let name = image.fileName else { return nil }
    return [
      "address": "\(site.basePath)/o/\(original.hash)", "name": name,
      "size": image.facts.originalSize ?? "",
    ]
  }

  /// "2026-11-02 08:00 UTC" of "2026-11-02T08:00:00Z".
  private static func readable(_ timestamp: String) -> String {
    timestamp.dropLast(":00Z".count).replacing("T", with: " ") + " UTC"
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
            "address": feed.address.masked,
            "page": "\(site.basePath)/feeds/\(feed.id)/index.html",
            "count": Wording.count(feed.imageCount, "image"),
          ]
        },
      ]
    )
  }
}
