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
  package func html(of feed: DisplayedFeed?) -> HTML {
    let heading = heading(of: feed)
    let feedID = address.feedID.map { String($0) } ?? ""
    let order = address.order
    return """
      \(site.head(title: heading))
      \(alternatives(named: heading))
      \(site.bar(searching: address.feedID, for: address.search, in: order))
      <main id="main" class="list" data-name="\(feed?.title ?? "")" data-feed="\(feedID)" data-sort="\(order.rawValue)">
      <div class="heading">
      <h1 dir="auto">\(heading)</h1>
      <p class="count"></p>
      <a class="widen" href="\(widened)"\(if: address.search == nil || address.feedID == nil, " hidden")>Search all feeds</a>
      <div class="controls">
      <nav class="sorts" aria-label="Sort">\(ListSorts.links(current: order, address: link))</nav>
      <nav class="views-of" aria-label="View"><a class="pinned" href="\(pinned)"\(if: address.isPinned, #" aria-current="true""#)>Pinned</a><a class="show" href="\(slideShow)">Slide show</a></nav>
      </div>
      </div>
      \(line: feed.map(facts(of:)))\
      \(note)
      <ul class="tiles">
      \(lines: images.enumerated().map { tile(of: $1, isLazy: $0 >= Self.preloadedImages) })\
      </ul>
      \(steps)
      \(foot)
      </main>
      <link rel="stylesheet" href="\(site.assets)/viewer.css" fetchpriority="low">
      \(site.listScript)
      \(Site.foot)
      """
  }

  /// The images whose thumbnails a browser asks for first; with their style, they take its six connections to a server.
  private static let preloadedImages = 5

  /// The style and the first thumbnails for the field `Link`: a browser asks for them before it has the page.
  package var preloads: String {
    let thumbnails = images.prefix(Self.preloadedImages).compactMap(\.thumbnail).map {
      "<\(site.basePath)/t/\($0.hash)>; rel=preload; as=image; fetchpriority=high"
    }
    return (["<\(site.assets)/app.css>; rel=preload; as=style"] + thumbnails)
      .joined(separator: ", ")
  }

  private func heading(of feed: DisplayedFeed?) -> String {
    guard let words = address.search else {
      return feed?.name ?? (address.isPinned ? "Pinned images" : site.listName)
    }
    return "Search for “\(words)”" + (feed.map { " in \($0.name)" } ?? "")
  }

  /// The addresses of the same search in all feeds, of the pinned images or again all of them, and of the slide show.
  private var widened: String {
    var all = address.beginning
    all.feedID = nil
    return site.basePath + all.page
  }

  private var pinned: String {
    var other = address.beginning
    other.isPinned.toggle()
    return site.basePath + other.page
  }

  private var slideShow: String { "\(site.basePath)/frame\(address.beginning.parameters)" }

  /// The address of the list in an order.
  private func link(_ order: ImageQuery.Order) -> String {
    site.basePath + address.sorted(by: order).page
  }

  private func alternatives(named heading: String) -> HTML {
    """
    <link rel="alternate" type="application/x-ndjson" href="\(site.basePath)/api/v1/changes" title="Changes">
    <link rel="alternate" type="application/vnd.gallery.tree+json" href="\(site.basePath)/api/v1/tree/root" title="Tree">
    <link rel="alternate" type="application/feed+json" href="\(documents[.jsonFeed])" title="\(heading)">
    <link rel="alternate" type="application/rss+xml" href="\(documents[.rss])" title="\(heading)">
    <link rel="alternate" type="application/atom+xml" href="\(documents[.atom])" title="\(heading)">
    """
  }

  private var documents: PublishedFeedAddress { PublishedFeedAddress(address, on: site) }

  private func facts(of feed: DisplayedFeed) -> HTML {
    let problem = feed.problem.webText
    let link: HTML? = feed.address.isEmpty ? nil : "\(.link(feed.address, to: feed.address)) "
    return """
      <p class="feed-facts">\(link)<span class="state">\(feed.state)</span>\(feed.lastSyncMoment)\(if: site.isAdmin && !problem.isEmpty, #" <span class="problem">\#(problem)</span>"#)</p>
      """
  }

  private var note: HTML {
    let note = end?.note ?? failureNote
    let isFirstFeed = images.isEmpty && address.isWhole
    return """
      <div class="note"\(if: note == nil, " hidden")><p>\(note?.webText ?? "")</p>\(if: isFirstFeed, #"<p><a class="button" href="\#(site.basePath)/feeds">Add a feed</a></p>"#)</div>
      """
  }

  /// The note for a failure that leaves an empty list; it names no file of this machine.
  private var failureNote: HintedText? {
    guard let failure, failure.outcome == .done else { return nil }
    return failure.isOfLibrary ? Wording.emptyLibrary : failure.message
  }

  private func tile(of image: DisplayedImage, isLazy: Bool) -> HTML {
    let name = image.title.isEmpty ? "Image \(image.id)" : image.title
    let picture: HTML =
      if let thumbnail = image.thumbnail {
        #"<img\#(site.source(of: thumbnail)) alt="\#(name)"\#(if: isLazy, #" loading="lazy""#)>"#
      } else {
        #"<span class="missing\#(if: image.hasFailed, " failed")">\#(name)</span>"#
      }
    return """
      <li class="tile\(if: image.isPinned, " is-pinned")" id="image-\(image.id)">
      <a href="\(site.basePath)/images/\(image.id)\(address.beginning.parameters)" \(tile: name, isPinned: image.isPinned)>\(picture)</a>
      </li>
      """
  }

  private var steps: HTML {
    let first = address.after == nil ? nil : site.basePath + address.beginning.page
    let next = end?.next.map { site.basePath + address.page(after: $0).page }
    return """
      <nav class="pages" aria-label="Pages">\(first.map { #"<a href="\#($0)">First page</a>"# })\(next.map { #"<a href="\#($0)" rel="next">Next page</a>"# })</nav>
      """
  }

  private var foot: HTML {
    """
    <footer class="list-foot">
    <p>This list as <a href="\(documents[.jsonFeed])">JSON Feed</a>, <a href="\(documents[.rss])">RSS</a>, <a href="\(documents[.atom])">Atom</a>, <a href="\(documents[.iiif])">IIIF</a></p>
    \(line: site.isAdmin ? feedHelp : nil)\
    </footer>
    """
  }

  /// How a program gets access to the list.
  private var feedHelp: HTML {
    """
    <p>A feed reader needs a token: put <code>?token=…</code> behind the address. <code>gallery token add NAME</code> makes one.</p>
    """
  }
}

extension DisplayedFeed {
  /// The title, or else the address.
  var name: String { title.isEmpty ? address : title }

  /// The time of the last sync, behind a space; nil before the first one.
  var lastSyncMoment: HTML? { lastSync.isEmpty ? nil : " \(.time(lastSync, lastSyncTime))" }
}
