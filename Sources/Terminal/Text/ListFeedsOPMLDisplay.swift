package import Scenes

/// Feeds as an OPML document, for other feed readers.
package struct ListFeedsOPMLDisplay: CommandDisplay, ListFeedsDisplayLogic {
  package let command: CommandConsole
  private let created: String

  /// Takes the date of the document in the form of RFC 822.
  package init(console: Console, created: String) {
    self.created = created
    command = CommandConsole(console)
  }

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    let document = OPMLDocument.text(of: viewModel.displayedFeeds, created: created)
    console.write(Array(document.utf8))
    viewModel.outlineNotes.forEach(console.say)
    note(.done)
  }

  /// Writes nothing, because OPML has no manifests.
  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.ViewModel) {
    note(.done)
  }

  /// Writes nothing, because the document lists feeds and not changes.
  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.ViewModel) { note(.done) }

  package func displayChangedFeed(viewModel: ListFeeds.ChangeFeed.ViewModel) { note(.done) }
}

/// A list of feeds in OPML 2.0 (https://opml.org/spec2.opml).
enum OPMLDocument {
  /// The document; `created` is a date in the form of RFC 822, with a year of four digits.
  static func text(of feeds: [DisplayedFeed], created: String) -> String {
    // A feed from a pipe has no address, and the feeds of a list have their own outlines.
    let outlines = feeds.filter(\.isSubscription).map(outline).joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head>
          <title>Feeds of gallery</title>
          <dateCreated>\(created)</dateCreated>
        </head>
        <body>
      \(outlines)  </body>
      </opml>

      """
  }

  /// The outline of a feed.
  ///
  /// In the specification, the type is `rss` for all kinds of feeds. It requires a text, which is the address if there
  /// is no title.
  private static func outline(_ feed: DisplayedFeed) -> String {
    let name = XMLEscaping.escaped(feed.title.isEmpty ? feed.address : feed.title)
    let address = XMLEscaping.escaped(feed.address)
    return """
          <outline type="rss" text="\(name)" title="\(name)" xmlUrl="\(address)"/>

      """
  }
}
