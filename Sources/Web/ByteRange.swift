import Models

/// The part of a picture that a request asks for (RFC 9110, section 14.1.2).
package enum ByteRange: Equatable, Sendable {
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// Reads the field `Range`; several ranges and other units count as no range.
  package init(_ field: String, length: Int) {
    let bounds = field.dropFirst("bytes=".count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard field.hasPrefix("bytes="), bounds.count == 2 else {
      self = .whole
      return
    }
    // A number that does not fit counts as the largest one, which lies behind the end of every picture.
    switch (Int(digits: bounds[0]), Int(digits: bounds[1])) {
    case (let first?, _) where first >= length: self = .unsatisfiable
    case (let first?, let last?) where first <= last:
      self = .part(first..<min(last.adding(1), length))
    case (let first?, nil) where bounds[1].isEmpty: self = .part(first..<length)
    case (nil, let count?) where bounds[0].isEmpty:
      self = count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
    default: self = .whole
    }
  }
}
