/// Arithmetic on numbers from outside, such as those of requests, documents, databases and files.
///
/// The usual operators end the program when a result does not fit its type. These return the nearest number instead.
extension FixedWidthInteger {
  package func adding(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? other < 0 ? .min : .max : sum
  }

  package func subtracting(_ other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? other < 0 ? .max : .min : difference
  }

  package func multiplied(by other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? (self < 0) == (other < 0) ? .max : .min : product
  }

  /// Drops the fraction of a number; takes 0 for a value that is not a number.
  package init(saturating number: Double) {
    if let whole = Self(exactly: number.rounded(.towardZero)) {
      self = whole
    } else {
      self = number.isNaN ? 0 : number < 0 ? .min : .max
    }
  }

  /// Reads decimal digits and nothing else; nil for any other text.
  package init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self = Self(text) ?? .max
  }

  /// The nearest number to which a hundred other such numbers can be added without overflow.
  @inlinable package var bounded: Self { Swift.min(Swift.max(self, Self.min >> 7), Self.max >> 7) }
}
