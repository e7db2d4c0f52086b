/// Where the scene leads.
package protocol ListImagesRoutingLogic {
  func routeToShowImage() async
}

/// What others may be passed of the scene.
package protocol ListImagesDataPassing {
  var dataStore: any ListImagesDataStore { get }
}

/// How a medium goes to the next scene: print it now, render it, push it.
package protocol ListImagesNavigation {
  /// The scene that shows an image, wired to this medium.
  func makeShowImageScene() -> ShowImageScene

  /// Goes there, with the image in its data store.
  func navigateToShowImage(_ destination: ShowImageScene) async
}

/// Passes the selected image on; the only one that crosses scenes.
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

  /// In place and `inout`, so that a data store need not be a class.
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
