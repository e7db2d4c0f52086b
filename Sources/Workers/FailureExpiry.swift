package import FoundationEssentials

/// How long a failure is likely to last; the store keeps the raw value.
package enum FailureClass: Int64, Sendable, Equatable, CaseIterable {
  /// The user's own network may be down; the next sync tries again.
  case offline = 0
  /// The server has trouble; a sync some minutes later tries again.
  case transient = 1
  /// The server refuses, or the response is not a picture; a sync some days later tries again.
  case permanent = 2
  /// Its feed may not reach the address; a sync some days later tries again, or one from which on the feed may.
  case forbidden = 3
}

/// The time at which a failed picture is tried again.
///
/// The first failure of a class causes a short wait. Each further failure in a row doubles it, up to a limit.
package enum FailureExpiry {
  private static let minute = 60.0
  private static let day = 86_400.0
  /// The wait after the first transient failure, and the longest wait, in seconds.
  static let transient = (first: 10 * minute, longest: day)
  /// The wait after the first permanent failure, and the longest wait, in seconds.
  static let permanent = (first: 5 * day, longest: 30 * day)
  /// The wait after a feed has exceeded a limit for the first time, and the longest wait, in seconds.
  static let excess = (first: 60 * minute, longest: day)

  /// The date of the next attempt.
  ///
  /// - Parameters:
  ///   - failureClass: The class of the last failure.
  ///   - tries: The number of failures of this class in a row, including the last one.
  ///   - failed: The date of the last failure.
  /// - Returns: The date from which a sync tries again; after an offline failure, `failed`.
  package static func retryDate(
    _ failureClass: FailureClass,
    tries: Int,
    failed: Date
  ) -> Date {
    switch failureClass {
    case .offline: failed
    case .transient: failed.addingTimeInterval(doubled(transient, tries: tries))
    case .permanent, .forbidden: failed.addingTimeInterval(doubled(permanent, tries: tries))
    }
  }

  /// The date from which a sync of all feeds asks again for a feed that exceeded a limit.
  package static func excessRetryDate(tries: Int, failed: Date) -> Date {
    failed.addingTimeInterval(doubled(excess, tries: tries))
  }

  private static func doubled(_ wait: (first: Double, longest: Double), tries: Int) -> Double {
    // After thirty doublings every limit is reached.
    let factor = 1 << min(max(tries, 1) - 1, 30)
    return min(wait.first * Double(factor), wait.longest)
  }
}

extension Failure {
  /// The class of a picture's failure; nil for a failure that is not about the picture and is not stored.
  ///
  /// An interruption, an error of the library and a spent budget are not stored. A failure is offline if the user's own
  /// network may have caused it, or if a proxy wants a login (407). Temporary statuses are transient (408 and 425; 429
  /// of RFC 6585; 5xx, RFC 9110, section 15.6), and so are a pause of the host and an incomplete transfer or picture.
  /// Every other answer is permanent, and so is a file that is not a picture or is not allowed. A private address is
  /// forbidden until the user allows it.
  package var pictureClass: FailureClass? {
    switch self {
    case .network(let error): error.pictureClass
    case .imaging(let error): error.pictureClass
    case .status(407): .offline
    case .status(408), .status(425), .status(429), .status(500...599), .cutPicture: .transient
    case .status, .notAPicture, .doubtfulSuccessor, .feed(.gallery(.withheldOriginal)): .permanent
    case .feed, .store, .flaw, .offline, .notFollowed, .interrupted, .overBudget, .gone,
      .addressTaken, .locked:
      nil
    }
  }
}

extension ImagingError {
  /// The class of a decoder's failure; nil when the decoder itself fails, independently of the picture.
  ///
  /// A decoder that crashed, took too long or gave a wrong answer would probably fail again. One that another process
  /// killed, or that got no processor time, may succeed later.
  package var pictureClass: FailureClass? {
    switch self {
    case .noDecoder, .cannotStart, .unreadable, .cancelled: nil
    case .timedOut, .crashed(signal: Self.killed): .transient
    case .crashed, .tooMuchWork, .wrongAnswer, .notAPicture, .unsupported, .undrawn, .tooManyPixels,
      .tooManyDecodedBytes, .tooMuchMemory, .resultTooLarge, .undecodable, .refused:
      .permanent
    }
  }

  /// SIGKILL, which the kernel sends when memory runs out.
  private static var killed: Int { 9 }
}

extension NetworkError {
  fileprivate var pictureClass: FailureClass? {
    switch reason {
    case .cancelled: nil
    case .unreachable, .proxyLogin: .offline
    case .timedOut, .tooSlow, .broken, .paused, .other: .transient
    case .privateAddress: .forbidden
    case .insecure, .untrusted, .tooLarge, .refused, .forbiddenAddress, .tooManyRedirects,
      .unreadableFile:
      .permanent
    }
  }
}
