package import Scenes

/// Feeds for other programs that follow feeds: one OPML document.
package final class ListFeedsOPMLDisplay: CommandDisplay, ListFeedsRecordDisplayLogic {
  private let created: String

  /// Takes when the document is made, as a date after RFC 822.
  package init(console: Console, created: String) {
    self.created = created
    super.init(console: console)
  }

  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.RecordViewModel) {
    console.write(Array(OPMLDocument.text(of: viewModel.records, created: created).utf8))
    if let note = viewModel.maskedNote { console.say(note) }
    note(.done)
  }

  /// A list of feeds has none.
  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.RecordViewModel) {
    note(.done)
  }

  /// A change of one feed is on no list.
  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.RecordViewModel) {
    note(.done)
  }

  package func displayNamedFeed(viewModel: ListFeeds.NameFeed.RecordViewModel) { note(.done) }

  package func displayFailure(viewModel: ListFeeds.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
