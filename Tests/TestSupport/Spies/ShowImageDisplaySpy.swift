package import Scenes

/// Notes what is to be shown of ShowImage to people.
package final class ShowImageDisplaySpy: ShowImageDisplayLogic {
  package enum Event: Equatable {
    case thumbnail(ShowImage.FetchThumbnail.ViewModel)
    case progress
    case partialOriginal(ShowImage.FetchOriginal.Partial.ViewModel)
    case original(ShowImage.FetchOriginal.ViewModel)
    case unavailableOriginal(ShowImage.FetchOriginal.Unavailable.ViewModel)
    case description(ShowImage.DescribeImage.ViewModel)
    case failure(ShowImage.Fail.ViewModel)
  }

  package private(set) var events: [Event] = []
  /// What gives the progress of each fetch that was begun.
  package private(set) var samples: [@Sendable () -> ProgressLine] = []

  package init() {}

  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    events.append(.thumbnail(viewModel))
  }

  package func displayFetchProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel) {
    events.append(.progress)
    samples.append(viewModel.sample)
  }

  package func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {
    events.append(.partialOriginal(viewModel))
  }

  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    events.append(.original(viewModel))
  }

  package func displayUnavailableOriginal(
    viewModel: ShowImage.FetchOriginal.Unavailable.ViewModel
  ) {
    events.append(.unavailableOriginal(viewModel))
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    events.append(.description(viewModel))
  }

  package func displayFailure(viewModel: ShowImage.Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}
