package import Scenes

/// Feeds as an OPML document, for other feed readers.
package final class ListFeedsOPMLDisplay: CommandDisplay, ListFeedsDisplayLogic {
  private let created: String

  /// Takes the date of the document in the form of RFC 822.
  package init(console: Console, created: String) {
    self.created = created
    super.init(console: console)
  }

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.ViewModel) {
    let document = OPMLDocument.text(of: viewModel.displayedFeeds, created: created)
    console.write(Array(document.utf8))
    if let note = viewModel.maskedNote { console.say(note) }
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
    // A feed from a pipe has no address, and the feeds of a list have outlines of their own.
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
  /// The specification has the type `rss` for all kinds of feeds. It requires a text, which is the
  /// address if there is no title.
  private static func outline(_ feed: DisplayedFeed) -> String {
    let name = XMLAttribute.escaped(feed.title.isEmpty ? feed.address : feed.title)
    let address = XMLAttribute.escaped(feed.address)
    return """
          <outline type="rss" text="\(name)" title="\(name)" xmlUrl="\(address)"/>

      """
  }
}

/// Text from strangers as the value of an attribute (XML 1.0, sections 2.2, 2.4 and 3.3.3).
///
/// Characters that XML does not allow are left out. Characters that could control a terminal, and white
/// space that a parser would turn into a space, become character references.
enum XMLAttribute {
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where isAllowed(scalar) {
      result.append(contentsOf: escape(scalar).unicodeScalars)
    }
    return String(result)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case _ where HarmlessText.isDangerous(scalar):
      "&#x\(String(scalar.value, radix: 16, uppercase: true));"
    default: String(scalar)
    }
  }

  /// The characters of XML 1.0; no scalar is a surrogate.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
