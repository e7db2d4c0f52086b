import Workers

/// Whether a host may be asked.
enum HostVerdict: Equatable {
  case open
  /// As many as may are asking already; it changes when one of them has an answer.
  case busy
  case wait(until: MonotonicInstant)
  case closed(HostRefusal)
}

/// Why a host is not asked, and no one waits until it may be.
struct HostRefusal: Equatable {
  var reason: NetworkError.Reason
  /// As in a `NetworkError`.
  var cause: NetworkError.Cause?
  /// Without secrets of an address.
  var message: String
}
