package import Models

/// What is wrong with something that is stored.
package enum Damage: Sendable, Equatable {
  /// The content is not the one that was stored: its hash differs.
  case otherContent
  /// The file has another length, in bytes, than was stored.
  case otherLength(Int, expected: Int)
  /// A folder, a link or a pipe stands where the file was.
  case notAFile
  /// What is stored is no picture; what it looks like, as a noun with its article.
  case notAPicture(looksLike: String)
  /// The picture is of another format than the library says.
  case otherFormat(ImageFormat)
  /// The picture ends before its end marker.
  case cut(ImageFormat)
  /// The picture cannot be decoded; the decoding library's words.
  case undecodable(String)
  /// The library's database; what is wrong with it, in the store's words.
  case database(String)
}
