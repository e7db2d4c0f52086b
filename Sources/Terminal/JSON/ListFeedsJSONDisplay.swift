package import Scenes

/// Feeds for scripts: a JSON object a line.
package final class ListFeedsJSONDisplay: CommandDisplay, ListFeedsRecordDisplayLogic {
  package func displayFetchedFeeds(viewModel: ListFeeds.FetchFeeds.RecordViewModel) {
    console.write(viewModel.records.flatMap(JSONLine.line))
    note(.done)
  }

  package func displayFetchedManifests(viewModel: ListFeeds.FetchManifests.RecordViewModel) {
    console.write(viewModel.records.flatMap(JSONLine.line))
    note(.done)
  }

  package func displayRemovedFeed(viewModel: ListFeeds.RemoveFeed.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayNamedFeed(viewModel: ListFeeds.NameFeed.RecordViewModel) {
    console.write(JSONLine.line(viewModel.record))
    note(.done)
  }

  package func displayFailure(viewModel: ListFeeds.Fail.ViewModel) {
    fail(viewModel.message, viewModel.outcome)
  }
}
