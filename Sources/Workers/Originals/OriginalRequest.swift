package import Models

/// Which original is to be fetched.
package struct OriginalRequest: Sendable, Equatable {
  package var imageID: Int64
  package var address: WebAddress
  /// The folder below which the file of a `file:` address must lie; nil refuses such addresses.
  package var fileFolder: String?

  package init(imageID: Int64, address: WebAddress, fileFolder: String? = nil) {
    self.imageID = imageID
    self.address = address
    self.fileFolder = fileFolder
  }

  /// The original of an image, with what its feed may refer to.
  package init(_ image: WebImage) {
    self.init(
      imageID: image.id,
      address: image.originalAddress,
      fileFolder: image.feed.address.fileFolder
    )
  }
}
