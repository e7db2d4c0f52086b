import FoundationEssentials

/// What a response's header says of how long it may be used (RFC 9111, sections 4.2 and 5).
///
/// What is said to shared caches (`s-maxage`) is not said to us.
struct CachingFields {
  /// How long "never changes" (RFC 8246) holds when nothing says how long: a year, in seconds.
  private static let immutableSeconds = 365 * 86_400
  /// The largest number of seconds that recipients need to tell apart (RFC 9111, section 1.2.2).
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

  /// A date that is none has passed (RFC 9111, section 5.3).
  mutating func readExpires(_ value: FieldLine.Bytes) {
    expires = FieldDate.date(value) ?? .distantPast
  }

  /// For how many seconds a response that was made at a date may be used, less those that it has spent
  /// in caches; nil when nothing says so.
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

  /// Of several, the shortest counts; one without a number has passed.
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

  /// A number that is too large to be one counts as the largest.
  private static func seconds(_ bytes: FieldLine.Bytes) -> Int? {
    let digits = FieldLine.trimmed(bytes)
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return min(FieldLine.number(digits) ?? mostSeconds, mostSeconds)
  }
}
