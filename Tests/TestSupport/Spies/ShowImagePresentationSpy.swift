package import Scenes

/// Records what the interactor of ShowImage presents.
package final class ShowImagePresentationSpy: ShowImagePresentationLogic {
  package enum Event: Equatable {
    case thumbnail(ShowImage.FetchThumbnail.Response)
    case progress(ShowImage.FetchOriginal.Progress.Response)
    case partialOriginal(ShowImage.FetchOriginal.Partial.Response)
    case original(ShowImage.FetchOriginal.Response)
    case unavailableOriginal(ShowImage.FetchOriginal.Unavailable.Response)
    case description(ShowImage.DescribeImage.Response)
    case explanation(ShowImage.ExplainImage.Response)
    case readThumbnail(ShowImage.ReadThumbnail.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []
  /// Called when a part of an original was presented.
  package var whenPartial: () -> Void = {}
  /// Called when progress was presented.
  package var whenProgress: () -> Void = {}

  package init() {}

  package func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {
    events.append(.thumbnail(response))
  }

  package func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    events.append(.progress(response))
    whenProgress()
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

  package func presentExplainedImage(response: ShowImage.ExplainImage.Response) {
    events.append(.explanation(response))
  }

  package func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {
    events.append(.readThumbnail(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}
