package import Models

/// A thumbnail as the library has it.
package struct StoredThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// What the library says of it; nil when it says nothing of a thumbnail that is there.
  package var info: PictureInfo?
  package var bytes: [UInt8]
  /// Whether the library found the bytes as it put them there; otherwise there are none.
  package var isIntact: Bool
  /// Whether it is remembered as damaged.
  package var isMarked: Bool

  package init(
    imageID: Int64,
    info: PictureInfo?,
    bytes: [UInt8],
    isIntact: Bool = true,
    isMarked: Bool = false
  ) {
    self.imageID = imageID
    self.info = info
    self.bytes = bytes
    self.isIntact = isIntact
    self.isMarked = isMarked
  }
}
