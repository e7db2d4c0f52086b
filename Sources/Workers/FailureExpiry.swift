package import FoundationEssentials

/// From when on a picture that could not be had is asked for again.
///
/// After the first failure of its class it is not long; each further one in a row doubles it, up to a
/// bound.
package enum FailureExpiry {
  private static let minute = 60.0
  private static let day = 86_400.0
  /// Seconds after the first transient failure, and at most.
  static let transient = (first: 10 * minute, longest: day)
  /// Seconds after the first permanent failure, and at most.
  static let permanent = (first: 5 * day, longest: 30 * day)
  /// Seconds after a feed has brought more than it may for the first time, and at most.
  static let excess = (first: 60 * minute, longest: day)

  /// The date.
  ///
  /// - Parameters:
  ///   - failureClass: The class of the last failure.
  ///   - tries: How many failures of that class there were in a row, the last one included.
  ///   - failed: When it failed last.
  /// - Returns: The date from which on a sync asks again: for an offline one that of the failure.
  package static func retryDate(
    _ failureClass: FailureClass,
    tries: Int,
    failed: Date
  ) -> Date {
    switch failureClass {
    case .offline: failed
    case .transient: failed.addingTimeInterval(doubled(transient, tries: tries))
    case .permanent: failed.addingTimeInterval(doubled(permanent, tries: tries))
    }
  }

  /// From when on a sync of every feed asks for one again that has brought more than it may.
  package static func excessRetryDate(tries: Int, failed: Date) -> Date {
    failed.addingTimeInterval(doubled(excess, tries: tries))
  }

  private static func doubled(_ wait: (first: Double, longest: Double), tries: Int) -> Double {
    // Past thirty doublings every bound is reached.
    let factor = 1 << min(max(tries - 1, 0), 30)
    return min(wait.first * Double(factor), wait.longest)
  }
}
