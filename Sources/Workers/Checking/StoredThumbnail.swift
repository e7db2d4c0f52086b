package import Models

/// A thumbnail as the library has it.
package struct StoredThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// What the library says of it; nil when it says nothing of a thumbnail that is there.
  package var info: PictureInfo?
  package var bytes: [UInt8]

  package init(imageID: Int64, info: PictureInfo?, bytes: [UInt8]) {
    self.imageID = imageID
    self.info = info
    self.bytes = bytes
  }
}
