/// The scene that lists images and selects one: its wiring.
///
/// All scenes here are wired in the same way: display ← presenter ← interactor ← router. Each initialiser takes the
/// object at the other end of the arrow. Unlike in Clean Swift for UIKit, there is no view hierarchy, and the caller
/// alone owns a scene. So no reference is `weak`, and no property is set later. The objects of a scene stay in the
/// task that made them. Scenes may share workers.
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

/// Access to the data that the router may pass on.
package protocol ListImagesDataPassing {
  var dataStore: any ListImagesDataStore { get }
}

/// The navigation of a medium, which prints, renders or pushes the next scene.
package protocol ListImagesNavigation {
  /// Makes the scene that shows an image, wired to this medium.
  func makeShowImageScene() -> ShowImageScene

  /// Navigates to the scene, whose data store contains the image.
  func navigateToShowImage(_ destination: ShowImageScene) async
}

/// Passes the selected image on; only routers pass data between scenes.
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

  /// Writes into the destination in place, so that a data store need not be a class.
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
