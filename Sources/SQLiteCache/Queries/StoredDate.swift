import FoundationEssentials

/// Dates as the store keeps them: whole seconds since 1970.
extension Date {
  var storedSeconds: Int64 {
    Int64(timeIntervalSince1970.rounded(.down).clamped(to: -9e15...9e15))
  }

  init(storedSeconds seconds: Int64) {
    self.init(timeIntervalSince1970: TimeInterval(seconds))
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
