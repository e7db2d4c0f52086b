package import Models
package import Scenes
package import Workers

/// Records the requests to ShowImage.
package final class ShowImageBusinessSpy: ShowImageBusinessLogic {
  package enum Event: Equatable {
    case fetchThumbnail(isAllWanted: Bool, destination: ExportDestination?)
    case fetchOriginal(mayAskNetwork: Bool, destination: ExportDestination?)
    case describeImage
    case explainImage
    case pinImage(isPinned: Bool)
    case fetchNewer(destination: ExportDestination?)
    case takeNewer
    case readThumbnail
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async {
    events.append(
      .fetchThumbnail(isAllWanted: request.isAllWanted, destination: request.destination)
    )
  }

  package func fetchOriginal(request: ShowImage.FetchOriginal.Request) async {
    events.append(
      .fetchOriginal(mayAskNetwork: request.mayAskNetwork, destination: request.destination)
    )
  }

  package func explainImage() { events.append(.explainImage) }

  package func describeImage() async { events.append(.describeImage) }

  package func pinImage(request: ShowImage.PinImage.Request) async {
    events.append(.pinImage(isPinned: request.isPinned))
  }

  package func fetchNewer(request: ShowImage.FetchNewer.Request) async {
    events.append(.fetchNewer(destination: request.destination))
  }

  package func takeNewer() async { events.append(.takeNewer) }

  package func readThumbnail() async { events.append(.readThumbnail) }
}

/// A data store that is a struct, which a router must change in place.
package struct ShowImageDataStoreStruct: ShowImageDataStore {
  package var image: WebImage?

  package init(image: WebImage? = nil) { self.image = image }
}

/// Records the responses that the interactor of ShowImage presents.
package final class ShowImagePresentationSpy: ShowImagePresentationLogic {
  package enum Event: Equatable {
    case thumbnail(ShowImage.FetchThumbnail.Response)
    case progress(ShowImage.FetchOriginal.Progress.Response)
    case partialOriginal(ShowImage.FetchOriginal.Partial.Response)
    case original(ShowImage.FetchOriginal.Response)
    case unavailableOriginal(ShowImage.FetchOriginal.Unavailable.Response)
    case description(ShowImage.DescribeImage.Response)
    case explanation(ShowImage.ExplainImage.Response)
    case newer(ShowImage.FetchNewer.Response)
    case readThumbnail(ShowImage.ReadThumbnail.Response)
    case failure(Fail.Response)
  }

  package private(set) var events: [Event] = []
  /// Called after a part of an original was presented.
  package var whenPartial: () -> Void = {}
  /// Called after progress was presented.
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

  package func presentFetchedNewer(response: ShowImage.FetchNewer.Response) {
    events.append(.newer(response))
  }

  package func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {
    events.append(.readThumbnail(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}

/// Records the view models that ShowImage displays for people.
package final class ShowImageDisplaySpy: ShowImageDisplayLogic {
  package enum Event: Equatable {
    case thumbnail(ShowImage.FetchThumbnail.ViewModel)
    case progress(Run.Progress.ViewModel)
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

  package func displayProgress(viewModel: Run.Progress.ViewModel) {
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

/// Stores nothing; records the marks for damaged pictures, and fails if it has an error.
package final class DamageMarkingSpy: DamageMarking {
  package var damaged: [CheckedThing] { recorded.withLock { $0 } }
  private let recorded = Locked<[CheckedThing]>([])
  private let error: StoreError?

  package init(error: StoreError? = nil) { self.error = error }

  package func mark(
    _ thing: CheckedThing,
    as condition: StoredCondition
  ) throws(StoreError) {
    if condition == .damaged { recorded.withLock { $0.append(thing) } }
    if let error { throw error }
  }
}
