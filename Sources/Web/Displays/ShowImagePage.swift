import Models
package import Scenes

/// One image as a page: its thumbnail, its facts, and the address of its original.
package final class ShowImagePage: ShowImageDisplayLogic {
  private let imageID: Int64
  private let list: ListAddress
  private let site: Site
  private var image: ShowImage.DescribeImage.ViewModel?
  /// The reason why there is no such image; nil when there is one.
  package private(set) var failure: Fail.ViewModel?

  /// - Parameters:
  ///   - imageID: The image.
  ///   - list: The list from which the image was opened, and to which Back leads.
  ///   - site: The server's pages.
  package init(imageID: Int64, from list: ListAddress, on site: Site) {
    self.imageID = imageID
    self.list = list
    self.site = site
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    image = viewModel
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }

  // A page needs only the facts; the browser requests the pictures by their addresses.
  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {}
  package func displayProgress(viewModel: Run.Progress.ViewModel) {}
  package func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {}
  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {}
  package func displayUnavailableOriginal(viewModel: Fail.ViewModel) {}
  package func displayExplainedImage(viewModel: ShowImage.ExplainImage.ViewModel) {}
  package func displayReadThumbnail(viewModel: ShowImage.ReadThumbnail.ViewModel) {}

  /// The ids of the images before and after this one in the list.
  package struct Neighbours: Sendable, Equatable {
    package var previous: Int64?
    package var next: Int64?

    package init(previous: Int64? = nil, next: Int64? = nil) {
      self.previous = previous
      self.next = next
    }
  }

  /// The page; nil when there is no such image.
  package func page(between neighbours: Neighbours) -> Page? {
    guard let facts = image?.image else { return nil }
    return Page(
      "image",
      [
        "id": imageID,
        "title": facts.title.isEmpty ? "Image \(imageID)" : facts.title,
        "isUntitled": facts.title.isEmpty,
        "query": ["parameters": list.parameters, "sort": list.order.rawValue],
        "caption": facts.caption,
        "author": facts.author,
        "licence": facts.licence.map(licence),
        "published": facts.published.map { ["iso": $0, "text": $0] },
        "feed": [
          "title": facts.feed, "address": "\(site.basePath)/feeds/\(facts.feedID)",
        ],
        "source": facts.pageAddress,
        "thumbnail": facts.thumbnail.map { PictureAddress($0, on: site).values },
        "original": original(facts),
        "problem": facts.problem,
        "previous": neighbours.previous.map(address),
        "next": neighbours.next.map(address),
        "back": site.basePath + list.page,
        "isPinned": facts.isPinned,
        "facts": (image?.fields ?? []).filter { Self.furtherFacts.contains($0.name) }.map { fact in
          [
            "label": fact.name.prefix(1).uppercased() + fact.name.dropFirst(), "value": fact.value,
            "isDate": fact.name == "first seen",
          ] as [String: Any]
        },
      ]
    )
  }

  /// The facts that have no separate place on the page.
  private static let furtherFacts: Set<String> = [
    "first seen", "manifest", "attribution", "size", "stored", "SHA-256", "gone", "metadata",
  ]

  private func licence(_ licence: String) -> [String: Any] {
    .init(known: ["text": licence, "address": licence.isWebLink ? licence : nil])
  }

  private func original(_ facts: DisplayedImageFacts) -> [String: Any] {
    let stored = facts.original.map { "\(site.basePath)/o/\($0.hash)" }
    return .init(known: [
      "address": stored ?? "\(site.basePath)/images/\(imageID)/original",
      "isStored": stored != nil, "width": facts.original?.width ?? facts.width,
      "height": facts.original?.height ?? facts.height, "size": facts.originalSize,
    ])
  }

  private func address(_ id: Int64) -> String {
    "\(site.basePath)/images/\(id)\(list.parameters)"
  }
}
