package import Models
import Scenes

/// A data store that is no class: what is passed to it must be passed in place.
package struct ShowImageDataStoreStruct: ShowImageDataStore {
  package var image: WebImage?

  package init(image: WebImage? = nil) { self.image = image }
}
