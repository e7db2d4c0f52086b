import FoundationEssentials
import Workers

/// Dates as the store keeps them: whole seconds since 1970.
extension Date {
  /// The years 1 to 9999, which can be written as ISO 8601 has it; only a damaged file has others.
  private static let storedRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  init(storedSeconds seconds: Int64) {
    let range = Self.storedRange
    let bounded = min(max(seconds, range.lowerBound), range.upperBound)
    self.init(timeIntervalSince1970: TimeInterval(bounded))
  }
}
