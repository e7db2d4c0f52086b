import Foundation

@testable import CurlNetwork

extension MonotonicInstant {
  /// When the tests of pure values begin.
  static let start = MonotonicInstant.now
}

extension Moment {
  static let start = Moment(instant: .start, date: Date(timeIntervalSince1970: 1_795_248_000))

  /// So many seconds after the start.
  static func after(_ seconds: Double) -> Moment { start.advanced(by: .seconds(seconds)) }
}
