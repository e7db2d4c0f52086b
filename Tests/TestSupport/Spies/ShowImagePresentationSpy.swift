package import Scenes

/// Notes what the interactor of ShowImage tells.
package final class ShowImagePresentationSpy: ShowImagePresentationLogic {
  package enum Event: Equatable {
    case thumbnail(ShowImage.FetchThumbnail.Response)
    case progress(ShowImage.FetchOriginal.Progress.Response)
    case partialOriginal(ShowImage.FetchOriginal.Partial.Response)
    case original(ShowImage.FetchOriginal.Response)
    case unavailableOriginal(ShowImage.FetchOriginal.Unavailable.Response)
    case description(ShowImage.DescribeImage.Response)
    case failure(ShowImage.Fail.Response)
  }

  package private(set) var events: [Event] = []
  /// Hears that a part of an original was presented.
  package var whenPartial: () -> Void = {}

  package init() {}

  package func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {
    events.append(.thumbnail(response))
  }

  package func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    events.append(.progress(response))
  }

  package func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {
    events.append(.partialOriginal(response))
    whenPartial()
  }

  package func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    events.append(.original(response))
  }

  package func presentUnavailableOriginal(
    response: ShowImage.FetchOriginal.Unavailable.Response
  ) {
    events.append(.unavailableOriginal(response))
  }

  package func presentDescribedImage(response: ShowImage.DescribeImage.Response) {
    events.append(.description(response))
  }

  package func presentFailure(response: ShowImage.Fail.Response) {
    events.append(.failure(response))
  }
}
