import FoundationEssentials

/// The fields that determine how long a response is fresh (RFC 9111, sections 4.2 and 5).
///
/// `s-maxage` is ignored, because it is for shared caches only.
struct CachingFields {
  /// How long an immutable response (RFC 8246) without a lifetime is fresh: a year, in seconds.
  private static let immutableSeconds = 365 * 86_400
  /// The largest number of seconds that a recipient must distinguish (RFC 9111, section 1.2.2).
  private static let mostSeconds = Int(Int32.max)

  private var mustAsk = false
  private var isImmutable = false
  private var maxAge: Int?
  private var age = 0
  private var expires: Date?

  mutating func readCacheControl(_ value: FieldLine.Bytes) {
    var rest = value
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
      readDirective(FieldLine.trimmed(rest[..<end]))
      rest = rest[end...].dropFirst()
    }
  }

  mutating func readAge(_ value: FieldLine.Bytes) { age = Self.seconds(value) ?? 0 }

  /// Reads `Expires`; an invalid date is in the past (RFC 9111, section 5.3).
  mutating func readExpires(_ value: FieldLine.Bytes) {
    expires = FieldDate.date(value) ?? .distantPast
  }

  /// How many seconds a response of a date stays fresh, minus its age; nil when no field says so.
  func freshSeconds(madeAt date: Date) -> Int? {
    if mustAsk { return 0 }
    if let maxAge { return max(0, maxAge - age) }
    if isImmutable { return max(0, Self.immutableSeconds - age) }
    guard let expires else { return nil }
    let lifetime = min(expires.timeIntervalSince(date), TimeInterval(Self.mostSeconds))
    return max(0, Int(max(0, lifetime)) - age)
  }

  private mutating func readDirective(_ directive: FieldLine.Bytes) {
    guard let first = directive.first else { return }
    switch first | 0x20 {
    case UInt8(ascii: "m"): readMaxAge(directive)
    case UInt8(ascii: "n"): readNo(directive)
    case UInt8(ascii: "i"):
      isImmutable = isImmutable || FieldLine.begins(directive, with: "immutable")
    default: break
    }
  }

  /// Reads `max-age`: of several, the shortest counts; one without a number means 0.
  private mutating func readMaxAge(_ directive: FieldLine.Bytes) {
    guard let value = FieldLine.value("max-age=", directive) else { return }
    let digits = value.drop { $0 == UInt8(ascii: "\"") }.prefix { $0 != UInt8(ascii: "\"") }
    let seconds = Self.seconds(digits) ?? 0
    maxAge = min(maxAge ?? seconds, seconds)
  }

  private mutating func readNo(_ directive: FieldLine.Bytes) {
    if FieldLine.begins(directive, with: "no-cache")
      || FieldLine.begins(directive, with: "no-store")
    {
      mustAsk = true
    }
  }

  /// Reads a number of seconds; one that is too large becomes the largest.
  private static func seconds(_ bytes: FieldLine.Bytes) -> Int? {
    let digits = FieldLine.trimmed(bytes)
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return min(FieldLine.number(digits) ?? mostSeconds, mostSeconds)
  }
}

/// The `Retry-After` field in either of its forms (RFC 9110, section 10.2.3).
enum RetryAfterField {
  case seconds(Int)
  case date(Date)

  /// Reads a value; nil when it is neither a number nor a date.
  init?(_ value: FieldLine.Bytes) {
    if let seconds = FieldLine.number(value) {
      self = .seconds(seconds)
    } else if let date = FieldDate.date(value) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// The end of the pause that it asks for, by the clock of this machine.
  ///
  /// A date is relative to the date of the server, so that a wrong clock on either side does not
  /// matter.
  ///
  /// - Returns: The end; nil when the pause has no length or is over.
  func end(now: Date, serverDate: Date?, longest: Duration) -> Date? {
    let seconds: TimeInterval
    switch self {
    case .seconds(let number): seconds = TimeInterval(number)
    case .date(let date): seconds = date.timeIntervalSince(serverDate ?? now)
    }
    guard seconds > 0 else { return nil }
    return now.addingTimeInterval(min(seconds, longest.seconds))
  }
}
