package import Scenes

/// Records what the interactor of ListImages presents.
package final class ListImagesPresentationSpy: ListImagesPresentationLogic {
  package enum Event: Equatable {
    case fetchedImages(ListImages.FetchImages.Response)
    case undrawnImages(ListImages.FetchImages.Undrawn.Response)
    case endedFetch(ListImages.FetchImages.Ended.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    events.append(.fetchedImages(response))
  }

  package func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {
    events.append(.undrawnImages(response))
  }

  package func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    events.append(.endedFetch(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}
