package import Models

/// Why a document or a picture could not be had, read or kept: the facts, without wording.
package enum Failure: Error, Sendable, Equatable {
  case network(NetworkError)
  /// The server answered with another status than asked for (RFC 9110, section 15).
  case status(Int)
  /// The server says that a feed we follow is gone (410): it is left alone until it is named.
  case gone
  case feed(FeedError)
  case store(StoreError)
  case imaging(ImagingError)
  /// What came is no picture; what it looks like, as a noun with its article.
  case notAPicture(looksLike: String)
  /// The picture ends before its end marker.
  case cutPicture(ImageFormat)
  /// The document was read past something that is wrong with it.
  case flaw(DocumentFlaw)
  /// A feed has moved for good to an address that is another feed's.
  case addressTaken(WebAddress)
  /// Another process has been syncing the feed for longer than we wait; nil when it does not say
  /// who it is.
  case locked(by: LockHolder?)
  /// The network was not to be asked.
  case offline
  /// The image belongs to no feed that is followed, or its feed names no such picture.
  case notFollowed
  /// It was asked to stop.
  case interrupted
  /// It would have taken more bytes than this run may fetch of originals.
  case overBudget

  /// Whether a body ended before its end, which the next try may well have.
  var isBreak: Bool {
    guard case .network(let error) = self else { return false }
    return error.reason == .broken || error.reason == .timedOut
  }

  /// Whether what came is of no use, so that nothing of it is worth keeping.
  var isUselessContent: Bool {
    switch self {
    case .notAPicture, .cutPicture: true
    case .network(let error): if case .tooLarge = error.reason { true } else { false }
    default: false
    }
  }

  /// Whether a feed has brought more than it may: whatever is asked of it next would be too much, too.
  var isBeyondBound: Bool {
    if case .feed(.beyondBound) = self { true } else { false }
  }

  /// Whether a document has brought more than any feed may, so that it is asked for less and less often.
  var isExcess: Bool {
    switch self {
    case .feed(.beyondBound), .feed(.beyondLimit): true
    case .network(let error): if case .tooLarge = error.reason { true } else { false }
    default: false
    }
  }

  /// Whether a certificate is signed by none of the authorities that are trusted.
  package var isUntrusted: Bool {
    if case .network(let error) = self { error.reason == .untrusted } else { false }
  }

  /// The words of the library that reports it, for those who look into it; nil where there are none.
  package var libraryWords: String? {
    let words =
      switch self {
      case .network(let error) where error.cause != nil: error.message
      case .imaging(.undecodable(let message)): message
      default: ""
      }
    return words.isEmpty ? nil : words
  }

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
