import FoundationEssentials
import Workers

/// What a failure means for the sync that goes on.
extension Failure {
  /// Whether a body was cut, so that another try may succeed.
  var isBreak: Bool {
    guard case .network(let error) = self else { return false }
    return error.reason == .broken || error.reason == .timedOut
  }

  /// Whether the content is useless, so that no part of it is kept.
  var isUselessContent: Bool {
    switch self {
    case .notAPicture, .cutPicture: true
    case .network(let error): if case .tooLarge = error.reason { true } else { false }
    default: false
    }
  }

  /// Whether a feed has reached a limit, so that no more is asked of it.
  var isBeyondBound: Bool {
    if case .feed(.beyondBound) = self { true } else { false }
  }

  /// Whether a document exceeds a limit, so that it is asked for less and less often.
  var isExcess: Bool {
    switch self {
    case .feed(.beyondBound), .feed(.beyondLimit): true
    case .network(let error): if case .tooLarge = error.reason { true } else { false }
    default: false
    }
  }

  /// The end of the host's pause; nil for every other failure.
  var pausedUntil: Date? {
    guard case .network(let error) = self, case .paused(let date) = error.reason else { return nil }
    return date
  }
}
