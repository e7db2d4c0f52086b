package import Models
package import Scenes

/// Records the responses that the interactor of ListImages presents.
package final class ListImagesPresentationSpy: ListImagesPresentationLogic {
  package enum Event: Equatable {
    case fetchedImages(ListImages.FetchImages.Response)
    case undrawnImages(ListImages.FetchImages.Undrawn.Response)
    case endedFetch(ListImages.FetchImages.Ended.Response)
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

  package func presentPinnedImages(response: ListImages.PinImages.Response) {
    events.append(.pinnedImages(response))
  }

  package func presentFailure(response: Fail.Response) {
    events.append(.failure(response))
  }
}

/// Records the view models that ListImages displays for people.
package final class ListImagesDisplaySpy: ListImagesDisplayLogic {
  package enum Event: Equatable {
    case fetchedImages(ListImages.FetchImages.ViewModel)
    case undrawnImages(ListImages.FetchImages.Undrawn.ViewModel)
    case endedFetch(ListImages.FetchImages.Ended.ViewModel)
    case pinnedImages(ListImages.PinImages.ViewModel)
    case failure(Fail.ViewModel)
  }

  package private(set) var events: [Event] = []

  package init() {}

  package func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    events.append(.fetchedImages(viewModel))
  }

  package func displayUndrawnImages(viewModel: ListImages.FetchImages.Undrawn.ViewModel) {
    events.append(.undrawnImages(viewModel))
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    events.append(.endedFetch(viewModel))
  }

  package func displayPinnedImages(viewModel: ListImages.PinImages.ViewModel) {
    events.append(.pinnedImages(viewModel))
  }

  package func displayFailure(viewModel: Fail.ViewModel) {
    events.append(.failure(viewModel))
  }
}

/// Records the navigation of ListImages, with the image.
package final class ListImagesNavigationSpy: ListImagesNavigation {
  package enum Event: Equatable {
    case madeShowImageScene
    case navigatedToShowImage(WebImage?)
  }

  package private(set) var events: [Event] = []
  private let destination: ShowImageScene

  /// Creates a spy with the scene to which it leads.
  package init(destination: ShowImageScene) { self.destination = destination }

  package func makeShowImageScene() -> ShowImageScene {
    events.append(.madeShowImageScene)
    return destination
  }

  package func navigateToShowImage(_ destination: ShowImageScene) async {
    events.append(.navigatedToShowImage(destination.router.dataStore.image))
  }
}
