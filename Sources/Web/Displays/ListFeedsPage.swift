import Models
package import Scenes

/// The followed feeds as a page, with forms that add and remove feeds.
package final class ListFeedsPage: ListFeedsDisplayLogic {
  private let site: Site
  package private(set) var feeds: [DisplayedFeed] = []
  private var maskedNote: String?
  /// The result of a form, in words.
  private var note: String?
  /// The reason why the request failed; nil when it succeeded.
  package private(set) var failure: Fail.ViewModel?

  package init(on site: Site) { self.site = site }

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    feeds = viewModel.displayedFeeds.map(\.withholdingFiles)
    maskedNote = viewModel.maskedNote
  }

  /// Displays nothing: the page of feeds lists no manifests.
  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel) {}

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) {
    note = WebAddress.withholdingFiles(in: viewModel.text)
  }

  package func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel) {
    note = viewModel.lines.map(\.webText).joined(separator: "; ")
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }

  /// The page; only complete after the scene has presented everything.
  package var html: HTML {
    // An empty library has a note of its own, and its folder means nothing to other machines.
    let problem = failure.flatMap { $0.isOfLibrary ? nil : $0.message.webText }
    let note = note ?? problem ?? maskedNote
    return """
      \(site.head(title: "Feeds", styles: ["feeds.css"]))
      \(site.bar())
      <main id="main" class="feeds-page">
      <h1>Feeds</h1>
      \(line: site.isAdmin ? forms : nil)\
      \(note.map { #"<p class="problem">\#($0)</p>"# })
      <section class="job" aria-label="Progress" hidden>
      <p class="job-text" role="status"></p>
      <progress class="job-progress" aria-label="Feeds asked"></progress>
      <p><button type="button" class="plain job-stop" hidden>Stop</button></p>
      <ul class="job-problems"></ul>
      <ul class="arrivals" aria-label="New images"></ul>
      </section>
      <ul class="feeds">
      \(lines: feeds.map(item(of:)))\
      </ul>
      <p class="note"\(if: !feeds.isEmpty, " hidden")>The library follows no feed yet.</p>
      </main>
      <template id="feed-template">
      \(item(of: nil))
      </template>
      <script type="module" src="\(site.assets)/feeds.js"></script>
      \(Site.foot)
      """
  }

  private var forms: HTML {
    """
    <form class="addition" method="post" action="\(site.basePath)/feeds">
    <label for="url">Address of a feed or a page</label>
    <div class="row"><input id="url" type="text" name="url" required placeholder="example.org/feed" autocomplete="off" autocapitalize="off" spellcheck="false" inputmode="url"> <button>Add</button></div>
    <label class="choice"><input type="checkbox" name="allowPrivate"> It may lead to addresses of the local network</label>
    </form>
    <form class="sync" method="post" action="\(site.basePath)/sync"><button class="plain">Sync all now</button></form>
    """
  }

  /// A feed, or with nil an empty item, which scripts copy and fill.
  private func item(of feed: DisplayedFeed?) -> HTML {
    let id = feed.map { String($0.id) } ?? ""
    let page = feed == nil ? "" : "\(site.basePath)/feeds/\(id)"
    let count = feed?.imageNumber ?? ""
    let problem = feed?.problem.webText ?? ""
    let removal: HTML = """
      <details class="removal"><summary aria-label="Remove \(feed?.name ?? "")">Remove</summary>
      <form method="post" action="\(page)\(if: feed != nil, "/remove")"><p>This removes the feed and its images from the library.</p><button class="danger">Remove the feed</button></form>
      </details>
      """
    return """
      <li class="feed" data-id="\(id)">
      <div class="feed-name"><a dir="auto" href="\(page)">\(feed?.name ?? "")</a> <span class="feed-count" data-number="\(count)">\(count)</span></div>
      <p class="feed-address">\(feed?.address ?? "")</p>
      <p class="feed-state"><span class="state">\(feed?.state ?? "")</span>\(feed?.lastSyncMoment)</p>
      <p class="problem"\(if: problem.isEmpty, " hidden")>\(problem)</p>
      \(line: site.isAdmin ? removal : nil)\
      </li>
      """
  }
}
