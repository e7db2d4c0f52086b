/// What the scene may be passed.
package protocol ShowImageDataPassing {
  var dataStore: any ShowImageDataStore { get set }
}

/// Takes the image that the scene is to show; it leads nowhere itself.
package struct ShowImageRouter: ShowImageDataPassing {
  package var dataStore: any ShowImageDataStore

  package init(dataStore: any ShowImageDataStore) { self.dataStore = dataStore }
}
