package import Models
package import Scenes

/// Notes where ListImages leads, and with which image.
package final class ListImagesNavigationSpy: ListImagesNavigation {
  package enum Event: Equatable {
    case madeShowImageScene
    case navigatedToShowImage(WebImage?)
  }

  package private(set) var events: [Event] = []
  private let destination: ShowImageScene

  /// Takes the scene that it leads to.
  package init(destination: ShowImageScene) { self.destination = destination }

  package func makeShowImageScene() -> ShowImageScene {
    events.append(.madeShowImageScene)
    return destination
  }

  package func navigateToShowImage(_ destination: ShowImageScene) async {
    events.append(.navigatedToShowImage(destination.router.dataStore.image))
  }
}
