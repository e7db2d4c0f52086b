package import Scenes

/// Records the responses that the interactor of ListTimeline presents.
package final class ListTimelinePresentationSpy: ListTimelinePresentationLogic {
  package enum Event: Equatable {
    case fetchedTimeline(ListTimeline.FetchTimeline.Response)
    case fetchedBucket(ListTimeline.FetchBucket.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func presentFetchedTimeline(response: ListTimeline.FetchTimeline.Response) {
    events.append(.fetchedTimeline(response))
  }

  package func presentFetchedBucket(response: ListTimeline.FetchBucket.Response) {
    events.append(.fetchedBucket(response))
  }

  package func presentFailure(response: Fail.Response) { events.append(.failure(response)) }
}
