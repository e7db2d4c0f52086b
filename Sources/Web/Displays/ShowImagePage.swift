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

  /// The place of this image in the list, and the ids of the images before and after it.
  package struct Neighbours: Sendable, Equatable {
    package var previous: Int64?
    package var next: Int64?
    /// From 1 on; nil if the list does not have the image.
    package var place: Int?
    /// The number of images in the list.
    package var total: Int

    package init(previous: Int64? = nil, next: Int64? = nil, place: Int? = nil, total: Int = 0) {
      self.previous = previous
      self.next = next
      self.place = place
      self.total = total
    }
  }

  /// The page; nil when there is no such image.
  package func html(between neighbours: Neighbours) -> HTML? {
    guard let image else { return nil }
    let viewer = Viewer(
      site: site,
      id: imageID,
      facts: image.image.withholdingFiles,
      furtherFacts: image.fields.filter { field in
        Self.furtherFacts.contains(field.name) || site.tellsPlaces && field.name == "place"
      },
      place: neighbours.place.map { (number: $0, total: neighbours.total) },
      back: "\(site.basePath)\(list.page)#image-\(imageID)",
      previous: neighbours.previous.map(address),
      next: neighbours.next.map(address)
    )
    return """
      \(site.head(title: viewer.title, styles: ["viewer.css"]))
      \(site.bar(in: list.order))
      <main id="main" class="image">
      \(viewer.html)
      </main>
      <script type="module" src="\(site.assets)/image.js"></script>
      \(Site.foot)
      """
  }

  /// The facts that have no separate place on the page.
  private static let furtherFacts: Set<String> = [
    "first seen", "manifest", "attribution", "size", "stored", "SHA-256", "gone", "pinned",
    "metadata",
  ]

  private func address(_ id: Int64) -> String {
    "\(site.basePath)/images/\(id)\(list.parameters)"
  }
}
