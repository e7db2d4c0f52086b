package import Models

/// Why a picture could not be looked into or made smaller.
package enum ImagingError: Error, Sendable, Equatable {
  /// The decoder's program is in none of the places where it may be.
  case noDecoder(lookedAt: [String])
  /// The decoder cannot be started or reached; the system's words.
  case cannotStart(message: String)
  /// The picture's own file cannot be read; the system's words.
  case unreadable(path: String, message: String)
  /// What came is no picture; what it looks like, as a noun with its article.
  case notAPicture(looksLike: String)
  /// A picture in a format whose decoders are not fit for what strangers send.
  case unsupported(ImageFormat)
  /// A picture of a format that is drawn, and of a kind that is not.
  case undrawn(ImageFormat, UndrawnKind)
  /// The header claims more pixels than are decoded.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// Decoding takes more memory than there is for it, in bytes.
  case tooManyDecodedBytes(Int, limit: Int)
  /// Decoding turned out to take more memory than there is for it, in bytes.
  case tooMuchMemory(limit: Int)
  /// The result was asked for larger than is made, in pixels.
  case resultTooLarge(limit: Int)
  /// It is damaged; the library's words, made harmless, or none.
  case undecodable(message: String)
  /// Decoding took more processor time than it may, in seconds.
  case tooMuchWork(seconds: Int)
  /// No answer came in time, in seconds: the machine may have been busy with something else.
  case timedOut(seconds: Int)
  /// The decoder was ended by a signal (signal(7)); 0 when it ended of its own accord.
  case crashed(signal: Int)
  /// The decoder answered what it was not asked, or what is not true.
  case wrongAnswer
  case cancelled

  /// Whether no other picture would fare better.
  package var isOfEveryPicture: Bool {
    switch self {
    case .noDecoder, .cannotStart: true
    default: false
    }
  }
}
