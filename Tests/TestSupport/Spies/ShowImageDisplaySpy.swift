package import Scenes

/// Records what ShowImage displays for people.
package final class ShowImageDisplaySpy: ShowImageDisplayLogic {
  package enum Event: Equatable {
    case thumbnail(ShowImage.FetchThumbnail.ViewModel)
    case progress(ShowImage.FetchOriginal.Progress.ViewModel)
    case partialOriginal(ShowImage.FetchOriginal.Partial.ViewModel)
    case original(ShowImage.FetchOriginal.ViewModel)
    case unavailableOriginal(Fail.ViewModel)
    case description(ShowImage.DescribeImage.ViewModel)
    case explanation(ShowImage.ExplainImage.ViewModel)
    case readThumbnail(ShowImage.ReadThumbnail.ViewModel)
    case failure(Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    events.append(.thumbnail(viewModel))
  }

  package func displayFetchProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel) {
    events.append(.progress(viewModel))
  }

  package func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {
    events.append(.partialOriginal(viewModel))
  }

  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    events.append(.original(viewModel))
  }

  package func displayUnavailableOriginal(viewModel: Fail.ViewModel) {
    events.append(.unavailableOriginal(viewModel))
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    events.append(.description(viewModel))
  }

  package func displayExplainedImage(viewModel: ShowImage.ExplainImage.ViewModel) {
    events.append(.explanation(viewModel))
  }

  package func displayReadThumbnail(viewModel: ShowImage.ReadThumbnail.ViewModel) {
    events.append(.readThumbnail(viewModel))
  }

  package func displayFailure(viewModel: Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}
