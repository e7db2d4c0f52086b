/// The scene that lists images and selects one: its wiring.
///
/// Without a view hierarchy the caller alone owns a scene, so nothing is `weak` and nothing is set
/// later: display ← presenter ← interactor ← router, each by initialiser. This differs from Clean Swift
/// as UIKit has it, and holds for every scene here. The objects of a scene stay in the task that made
/// them; workers may be shared.
package struct ListImagesScene {
  package let interactor: any ListImagesBusinessLogic
  package let router: any ListImagesRoutingLogic & ListImagesDataPassing

  package init(
    interactor: any ListImagesBusinessLogic & ListImagesDataStore,
    navigation: any ListImagesNavigation
  ) {
    self.interactor = interactor
    router = ListImagesRouter(dataStore: interactor, navigation: navigation)
  }
}

// MARK: The router

/// The routes to other scenes.
package protocol ListImagesRoutingLogic {
  func routeToShowImage() async
}

/// Access to what the router may pass on.
package protocol ListImagesDataPassing {
  var dataStore: any ListImagesDataStore { get }
}

/// The way in which a medium goes to the next scene: it prints, renders or pushes it.
package protocol ListImagesNavigation {
  /// Makes the scene that shows an image, wired to this medium.
  func makeShowImageScene() -> ShowImageScene

  /// Goes to the scene, whose data store has the image.
  func navigateToShowImage(_ destination: ShowImageScene) async
}

/// Passes the selected image on: only routers cross from scene to scene.
package struct ListImagesRouter: ListImagesRoutingLogic, ListImagesDataPassing {
  package let dataStore: any ListImagesDataStore
  private let navigation: any ListImagesNavigation

  package init(dataStore: any ListImagesDataStore, navigation: any ListImagesNavigation) {
    self.dataStore = dataStore
    self.navigation = navigation
  }

  package func routeToShowImage() async {
    var destination = navigation.makeShowImageScene()
    passDataToShowImage(source: dataStore, destination: &destination.router.dataStore)
    await navigateToShowImage(destination)
  }

  /// Passes in place, so that a data store need not be a class.
  func passDataToShowImage(
    source: any ListImagesDataStore,
    destination: inout any ShowImageDataStore
  ) {
    destination.image = source.selectedImage
  }

  private func navigateToShowImage(_ destination: ShowImageScene) async {
    await navigation.navigateToShowImage(destination)
  }
}
