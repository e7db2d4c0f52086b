import FoundationEssentials

/// Dates as the store keeps them: whole seconds since 1970.
extension Date {
  var storedSeconds: Int64 {
    Int64(timeIntervalSince1970.rounded(.down).clamped(to: -9e15...9e15))
  }

  /// The years 1 to 9999, which can be written as ISO 8601 has it; only a damaged file has others.
  private static let storedRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  init(storedSeconds seconds: Int64) {
    let range = Self.storedRange
    let bounded = min(max(seconds, range.lowerBound), range.upperBound)
    self.init(timeIntervalSince1970: TimeInterval(bounded))
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
