import FoundationEssentials

extension Failure {
  /// How long a picture is likely not to be had; nil for what says nothing of the picture, and so is
  /// never remembered: our own stop, the library's errors, a budget that is spent.
  ///
  /// Offline is what our own network may be to blame for. Transient is what a server calls so itself
  /// (408 and 425; 429 of RFC 6585; 5xx, RFC 9110, section 15.6), a pause that it asked for, and a
  /// transfer or picture that broke off. A proxy that wants a login (407) says nothing of the picture
  /// and is our own network. Permanent is every other answer, and what is no picture or
  /// not allowed to be one.
  package var pictureClass: FailureClass? {
    switch self {
    case .network(let error): error.pictureClass
    case .imaging(let error): error.pictureClass
    case .status(407): .offline
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
  /// A decoder that could not be had says nothing of the picture.
  ///
  /// One that crashed, worked for too long
  /// or lied would do so again; one that others ended, or that had no turn, may do better another time.
  fileprivate var pictureClass: FailureClass? {
    switch self {
    case .noDecoder, .cannotStart, .unreadable, .cancelled: nil
    case .timedOut, .crashed(signal: Self.killed): .transient
    case .crashed, .tooMuchWork, .wrongAnswer, .notAPicture, .unsupported, .undrawn, .tooManyPixels,
      .tooManyDecodedBytes, .tooMuchMemory, .resultTooLarge, .undecodable:
      .permanent
    }
  }

  /// SIGKILL, which no process brings upon itself: the kernel sends it when memory runs out.
  private static var killed: Int { 9 }
}

extension NetworkError {
  fileprivate var pictureClass: FailureClass? {
    switch reason {
    case .cancelled: nil
    case .unreachable, .proxyLogin: .offline
    case .timedOut, .tooSlow, .broken, .paused, .other: .transient
    case .insecure, .untrusted, .tooLarge, .refused, .privateAddress, .forbiddenAddress,
      .tooManyRedirects,
      .unreadableFile:
      .permanent
    }
  }
}
