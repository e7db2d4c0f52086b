import FoundationEssentials

extension Failure {
  /// How long a picture is likely not to be had; nil for what says nothing of the picture, and so is
  /// never remembered: our own stop, the library's errors, a budget that is spent.
  ///
  /// Offline is what our own network may be to blame for. Transient is what a server calls so itself
  /// (408 and 425; 429 of RFC 6585; 5xx, RFC 9110, section 15.6), a pause that it asked for, and a
  /// transfer or picture that broke off. Permanent is every other answer, and what is no picture or
  /// not allowed to be one.
  package var pictureClass: FailureClass? {
    switch self {
    case .network(let error): error.pictureClass
    case .imaging(let error): error.pictureClass
    case .status(408), .status(425), .status(429), .status(500...599), .cutPicture: .transient
    case .status, .notAPicture: .permanent
    case .feed, .store, .flaw, .offline, .notFollowed, .interrupted, .overBudget, .gone,
      .addressTaken, .locked:
      nil
    }
  }

  /// Until when the host asks not to be asked; nil for every other failure.
  var pausedUntil: Date? {
    guard case .network(let error) = self, case .paused(let date) = error.reason else { return nil }
    return date
  }
}

extension ImagingError {
  /// A decoder that could not be had says nothing of the picture; one that died over it may do better
  /// another time.
  fileprivate var pictureClass: FailureClass? {
    switch self {
    case .noDecoder, .cannotStart, .unreadable, .cancelled: nil
    case .timedOut, .crashed, .wrongAnswer: .transient
    case .notAPicture, .unsupported, .tooManyPixels, .tooManyDecodedBytes, .resultTooLarge,
      .undecodable:
      .permanent
    }
  }
}

extension NetworkError {
  fileprivate var pictureClass: FailureClass? {
    switch reason {
    case .cancelled: nil
    case .unreachable: .offline
    case .timedOut, .tooSlow, .broken, .paused, .other: .transient
    case .insecure, .untrusted, .tooLarge, .refused, .privateAddress, .forbiddenAddress,
      .tooManyRedirects,
      .unreadableFile:
      .permanent
    }
  }
}
