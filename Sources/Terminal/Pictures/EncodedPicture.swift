/// A picture as bytes for a terminal, and the place that it takes.
struct EncodedPicture: Equatable {
  enum Content: Equatable {
    /// A line of characters for each row, each exactly as wide as the place.
    case lines([[UInt8]])
    /// Drawn at the cursor, which may end up anywhere; kitty's have a name.
    case pixels([UInt8], imageID: UInt32?)
  }

  var size: CellSize
  var content: Content

  var imageID: UInt32? {
    if case .pixels(_, let imageID) = content { imageID } else { nil }
  }
}
