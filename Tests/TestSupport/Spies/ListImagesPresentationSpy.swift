package import Scenes

/// Records what the interactor of ListImages presents.
package final class ListImagesPresentationSpy: ListImagesPresentationLogic {
  package enum Event: Equatable {
    case fetchedImages(ListImages.FetchImages.Response)
    case undrawnImages(ListImages.FetchImages.Undrawn.Response)
    case endedFetch(ListImages.FetchImages.Ended.Response)
    case fetchedTimeline(ListImages.FetchTimeline.Response)
    case fetchedBucket(ListImages.FetchBucket.Response)
    case pinnedImages(ListImages.PinImages.Response)
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

  package func presentFetchedTimeline(response: ListImages.FetchTimeline.Response) {
    events.append(.fetchedTimeline(response))
  }

  package func presentFetchedBucket(response: ListImages.FetchBucket.Response) {
    events.append(.fetchedBucket(response))
  }

  package func presentPinnedImages(response: ListImages.PinImages.Response) {
    events.append(.pinnedImages(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}
