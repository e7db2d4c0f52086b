package import Models

/// The reason why a document or a picture could not be fetched, read or stored, as facts without
/// wording.
package enum Failure: Error, Sendable, Equatable {
  case network(NetworkError)
  /// The server answered with an unexpected status (RFC 9110, section 15).
  case status(Int)
  /// The server says that a followed feed is gone (410); it is left alone until the user names it.
  case gone
  case feed(FeedError)
  case store(StoreError)
  case imaging(ImagingError)
  /// It is not a picture; the noun with its article names what it looks like.
  case notAPicture(looksLike: String)
  /// The picture ends before its end marker.
  case cutPicture(ImageFormat)
  /// The document could be read despite this flaw.
  case flaw(DocumentFlaw)
  /// A feed has moved for good to the address of another feed.
  case addressTaken(WebAddress)
  /// Another process syncs the feed, for longer than the wait; nil when it is unknown.
  case locked(by: LockHolder?)
  /// The user did not allow the network.
  case offline
  /// The image belongs to no followed feed, or its feed names no such picture.
  case notFollowed
  /// The user interrupted it.
  case interrupted
  /// It would exceed the run's budget of originals.
  case overBudget

  /// Whether the authority of a certificate is unknown.
  package var isUntrusted: Bool {
    if case .network(let error) = self { error.reason == .untrusted } else { false }
  }

  /// The words of the library that reported it, for debugging; nil without any.
  package var libraryWords: String? {
    let words =
      switch self {
      case .network(let error) where error.cause != nil: error.message
      case .imaging(.undecodable(let message)): message
      default: ""
      }
    return words.isEmpty ? nil : words
  }

  /// Whether the user interrupted it.
  package var isCancellation: Bool {
    switch self {
    case .interrupted: true
    case .network(let error): error.reason == .cancelled
    case .imaging(let error): error == .cancelled
    default: false
    }
  }
}
