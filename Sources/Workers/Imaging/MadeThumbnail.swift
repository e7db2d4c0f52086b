package import Models

/// A thumbnail that the decoder made.
package struct MadeThumbnail: Sendable, Equatable {
  /// Of the thumbnail.
  package var info: PictureInfo
  package var bytes: [UInt8]
  /// Of the picture it was made from.
  package var source: PictureFacts

  package init(info: PictureInfo, bytes: [UInt8], source: PictureFacts) {
    self.info = info
    self.bytes = bytes
    self.source = source
  }
}
