package import Scenes

/// Records what ListImages displays for people.
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
