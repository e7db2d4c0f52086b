package import Scenes

/// Notes what is to be shown of ShowImage to scripts.
package final class ShowImageRecordDisplaySpy: ShowImageRecordDisplayLogic {
  package enum Event: Equatable {
    case thumbnail(ShowImage.FetchThumbnail.RecordViewModel)
    case progress(ShowImage.FetchOriginal.Progress.RecordViewModel)
    case original(ShowImage.FetchOriginal.RecordViewModel)
    case unavailableOriginal(ShowImage.FetchOriginal.Unavailable.RecordViewModel)
    case description(ShowImage.DescribeImage.RecordViewModel)
    case failure(ShowImage.Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.RecordViewModel) {
    events.append(.thumbnail(viewModel))
  }

  package func displayFetchProgress(viewModel: ShowImage.FetchOriginal.Progress.RecordViewModel) {
    events.append(.progress(viewModel))
  }

  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.RecordViewModel) {
    events.append(.original(viewModel))
  }

  package func displayUnavailableOriginal(
    viewModel: ShowImage.FetchOriginal.Unavailable.RecordViewModel
  ) {
    events.append(.unavailableOriginal(viewModel))
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.RecordViewModel) {
    events.append(.description(viewModel))
  }

  package func displayFailure(viewModel: ShowImage.Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}
