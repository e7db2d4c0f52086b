package import Models

/// The reason why a document or a picture could not be fetched, read or stored, as facts without wording.
package enum Failure: Error, Sendable, Equatable {
  case network(NetworkError)
  /// The server answered with an unexpected status (RFC 9110, section 15).
  case status(Int)
  /// The server answers that a followed feed is gone (410); the feed is skipped until the user names it.
  case gone
  case feed(FeedError)
  case store(StoreError)
  case imaging(ImagingError)
  /// The file is not a picture; a noun with its article names what it looks like.
  case notAPicture(looksLike: String)
  /// The stored picture is damaged, and the one that came may not be the same.
  case doubtfulSuccessor
  /// The picture ends before its end marker.
  case cutPicture(ImageFormat)
  /// The document could be read despite this flaw.
  case flaw(DocumentFlaw)
  /// A feed has moved permanently to the address of another feed.
  case addressTaken(WebAddress)
  /// Another process has been syncing the feed for longer than the wait; nil when that process is unknown.
  case locked(by: LockHolder?)
  /// The user did not allow network access.
  case offline
  /// The image belongs to no followed feed, or its feed names no such picture.
  case notFollowed
  /// The user interrupted the work.
  case interrupted
  /// The transfer would exceed the run's budget for originals.
  case overBudget

  /// Whether a certificate was signed by an unknown authority.
  package var isUntrusted: Bool {
    if case .network(let error) = self { error.reason == .untrusted } else { false }
  }

  /// Whether this library or its decoder failed, and not only its bounds for originals are reached.
  ///
  /// The message may then name files of this machine, its database or its object store, which no server tells.
  package var isOfLibrary: Bool {
    switch self {
    case .store(let error): !error.isOfBounds
    case .imaging(let error): error.namesFiles
    default: false
    }
  }

  /// The message of the library that reported the failure, for debugging; nil without such a message.
  package var libraryWords: String? {
    let words =
      switch self {
      case .network(let error) where error.cause != nil: error.message
      case .imaging(.undecodable(let message)): message
      default: ""
      }
    return words.isEmpty ? nil : words
  }

  /// Whether the user interrupted the work.
  package var isCancellation: Bool {
    switch self {
    case .interrupted: true
    case .network(let error): error.reason == .cancelled
    case .imaging(let error): error == .cancelled
    default: false
    }
  }
}
