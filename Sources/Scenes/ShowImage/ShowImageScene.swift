/// The scene that shows one image: its interactor, and the router that takes the image.
package struct ShowImageScene {
  package let interactor: any ShowImageBusinessLogic
  package var router: any ShowImageDataPassing

  /// Wires an interactor that is its own data store.
  package init(interactor: any ShowImageBusinessLogic & ShowImageDataStore) {
    self.init(interactor: interactor, router: ShowImageRouter(dataStore: interactor))
  }

  /// Takes an interactor and a router that are already wired.
  package init(interactor: any ShowImageBusinessLogic, router: any ShowImageDataPassing) {
    self.interactor = interactor
    self.router = router
  }
}

/// Access to the data that the router of another scene passes on.
package protocol ShowImageDataPassing {
  var dataStore: any ShowImageDataStore { get set }
}

/// Takes the image to show; it has no routes to other scenes.
package struct ShowImageRouter: ShowImageDataPassing {
  package var dataStore: any ShowImageDataStore

  package init(dataStore: any ShowImageDataStore) { self.dataStore = dataStore }
}
