package import Models

/// Why a document or a picture could not be had, read or kept: the facts, without wording.
package enum Failure: Error, Sendable, Equatable {
  case network(NetworkError)
  /// The server answered with another status than asked for (RFC 9110, section 15).
  case status(Int)
  case feed(FeedError)
  case store(StoreError)
  case imaging(ImagingError)
  /// What came is no picture; what it looks like, as a noun with its article.
  case notAPicture(looksLike: String)
  /// The picture ends before its end marker.
  case cutPicture(ImageFormat)
  /// The document was read, with this to say of it.
  case warning(String)
  /// The network was not to be asked.
  case offline
  /// It was asked to stop.
  case interrupted

  /// Whether it was our own wish to stop.
  package var isCancellation: Bool {
    switch self {
    case .interrupted: true
    case .network(let error): error.reason == .cancelled
    case .imaging(let error): error == .cancelled
    default: false
    }
  }
}
