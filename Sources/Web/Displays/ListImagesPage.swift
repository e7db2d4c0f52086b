import Models
package import Scenes

/// A list of images as a page with a grid, which works without scripts.
package final class ListImagesPage: ListImagesDisplayLogic {
  private let address: ListAddress
  private let site: Site
  private var images: [DisplayedImage] = []
  private var end: ListImages.FetchImages.Ended.ViewModel?
  /// The reason why there is no list; nil when there is one.
  package private(set) var failure: Fail.ViewModel?

  package init(_ address: ListAddress, on site: Site) {
    self.address = address
    self.site = site
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    images += viewModel.displayedImages
  }

  /// Displays nothing: browsers decode the pictures.
  package func displayUndrawnImages(viewModel: ListImages.FetchImages.Undrawn.ViewModel) {}

  /// Displays nothing: a page pins the image that it shows.
  package func displayPinnedImages(viewModel: ListImages.PinImages.ViewModel) {}

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    end = viewModel
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }

  /// The page of a feed's list, or with nil of any other list; only complete after the scene has presented everything.
  package func page(of feed: DisplayedFeed?) -> Page {
    let title = feed.map { $0.title.isEmpty ? $0.address : $0.title }
    let heading = address.search.map { "Search for “\($0)”" } ?? title ?? "All images"
    let note = end?.note ?? (failure?.outcome == .done ? failure?.message : nil)
    let next = end?.next.map { site.basePath + address.page(after: $0).page }
    let first = address.after == nil ? nil : site.basePath + address.beginning.page
    let failures: [[String: Any]]? = end?.failures.map { ["text": $0.webText] }
    var values: [String: Any?] = [:]
    values["title"] = heading
    values["hasFeeds"] = !images.isEmpty || !address.isWhole
    values["heading"] = heading
    values["query"] = queryValues
    values["images"] = images.map(tile)
    values["next"] = next
    values["first"] = first
    values["note"] = note?.webText
    values["failures"] = failures
    values["feedFacts"] = feed.map(facts)
    values["sorts"] = sorts
    values["feedLinks"] = feedLinks
    return Page("list", values)
  }

  private var queryValues: [String: Any] {
    .init(known: [
      "feed": address.feedID.map { String($0) }, "q": address.search,
      "sort": address.order.rawValue,
      "action": site.basePath + (address.feedID.map { "/feeds/\($0)" } ?? "/search"),
    ])
  }

  private func tile(_ image: DisplayedImage) -> [String: Any] {
    let thumbnail = image.thumbnail
    var ratio = 1.0
    if let width = thumbnail?.width, let height = thumbnail?.height, height > 0 {
      ratio = Double(width) / Double(height)
    }
    return .init(known: [
      "id": image.id,
      "address": "\(site.basePath)/images/\(image.id)\(address.beginning.parameters)",
      "name": image.title.isEmpty ? "Image \(image.id)" : image.title,
      "isUntitled": image.title.isEmpty,
      "thumbnail": thumbnail.map { PictureAddress($0, on: site).values },
      "ratio": ratio,
      "date": image.published,
      "day": image.day,
      "feed": image.feed,
      "mark": image.originalMark,
      "hasFailed": image.hasFailed,
    ])
  }

  private func facts(_ feed: DisplayedFeed) -> [String: Any] {
    let problem = feed.problem.webText
    return .init(known: [
      "id": feed.id, "title": feed.title, "address": feed.address, "state": feed.status,
      "problem": problem.isEmpty ? nil : problem, "count": feed.images,
    ])
  }

  private var sorts: [[String: Any]] {
    ListSorts.values(current: address.order) { site.basePath + address.sorted(by: $0).page }
  }

  private var feedLinks: [String: Any] {
    let documents = PublishedFeedAddress(address, on: site)
    return [
      "json": documents[.jsonFeed], "rss": documents[.rss], "atom": documents[.atom],
      "iiif": documents[.iiif], "frame": "\(site.basePath)/frame\(address.beginning.parameters)",
    ]
  }
}

/// The orders that a page offers.
enum ListSorts {
  private static let labels: [(ImageQuery.Order, String)] = [
    (.newest, "Newest"), (.oldest, "Oldest"), (.added, "Recently added"), (.title, "Title"),
    (.feed, "Feed order"),
  ]

  static func values(
    current: ImageQuery.Order,
    address: (ImageQuery.Order) -> String = { _ in "#" }
  ) -> [[String: Any]] {
    labels.map { order, label in
      [
        "name": order.rawValue, "label": label, "isCurrent": order == current,
        "address": address(order),
      ]
    }
  }
}

/// The address of a stored thumbnail, and its size.
struct PictureAddress {
  let values: [String: Any]

  init(_ file: DisplayedFile, on site: Site) {
    values = .init(known: [
      "address": "\(site.basePath)/t/\(file.hash)", "width": file.width, "height": file.height,
    ])
  }
}
