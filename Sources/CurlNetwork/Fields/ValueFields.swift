import FoundationEssentials
import Workers

/// The parts of a `Content-Type` field (RFC 9110, section 8.3.1).
enum MediaType {
  static func parts(_ value: FieldLine.Bytes) -> (type: String?, charset: String?) {
    let semicolon = UInt8(ascii: ";")
    guard let end = value.firstIndex(of: semicolon) else { return (type(value), nil) }
    let parameters = value[end...].split(separator: semicolon)
    let charset = parameters.lazy.compactMap { FieldLine.value("charset=", FieldLine.trimmed($0)) }
    return (type(value[..<end]), charset.first.map(unquoted))
  }

  private static func type(_ bytes: FieldLine.Bytes) -> String? {
    let name = FieldLine.trimmed(bytes)
    return name.isEmpty ? nil : HeaderText.decoded(name).lowercased()
  }

  private static func unquoted(_ bytes: FieldLine.Bytes) -> String {
    let quote = UInt8(ascii: "\"")
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else {
      return HeaderText.decoded(bytes)
    }
    return HeaderText.decoded(bytes.dropFirst().dropLast())
  }
}

/// The coding of a body, from its `Content-Encoding` field (RFC 9110, section 8.4).
enum ContentCoding {
  /// The body is not coded.
  case plain
  /// The body has a compression that libcurl can undo.
  case packed
  /// The field contains a word that is not a content coding, such as `aws-chunked`, which some stores repeat from an
  /// upload. libcurl fails on such a word; browsers use the body as it is.
  case unknown

  init(_ value: FieldLine.Bytes) {
    let codings = value.split(separator: UInt8(ascii: ",")).map { FieldLine.trimmed($0) }
    if codings.allSatisfy({ Self.isOne(of: ["identity"], $0) }) {
      self = .plain
    } else {
      let known: [StaticString] = ["gzip", "x-gzip", "deflate", "br", "zstd", "identity"]
      self = codings.allSatisfy { Self.isOne(of: known, $0) } ? .packed : .unknown
    }
  }

  private static func isOne(of names: [StaticString], _ coding: FieldLine.Bytes) -> Bool {
    names.contains { $0.utf8CodeUnitCount == coding.count && FieldLine.begins(coding, with: $0) }
  }
}

/// The `Content-Range` field (RFC 9110, section 14.4).
enum ContentRangeField {
  /// The range in a field; nil for an invalid range and for units other than bytes.
  static func range(_ value: FieldLine.Bytes) -> ContentRange? {
    guard FieldLine.begins(value, with: "bytes"), value.dropFirst(5).first == UInt8(ascii: " "),
      let slash = value.firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let part = FieldLine.trimmed(value[..<slash].dropFirst(5))
    let whole = FieldLine.trimmed(value[slash...].dropFirst())
    let total = FieldLine.number(whole)
    guard total != nil || isAsterisk(whole) else { return nil }
    if isAsterisk(part) { return total.map { ContentRange(bytes: nil, total: $0) } }
    guard let bytes = bytes(part), bytes.upperBound < total ?? .max else { return nil }
    return ContentRange(bytes: bytes, total: total)
  }

  private static func bytes(_ part: FieldLine.Bytes) -> ClosedRange<Int>? {
    guard let hyphen = part.firstIndex(of: UInt8(ascii: "-")),
      let first = FieldLine.number(part[..<hyphen]),
      let last = FieldLine.number(part[hyphen...].dropFirst()), first <= last
    else { return nil }
    return first...last
  }

  private static func isAsterisk(_ bytes: FieldLine.Bytes) -> Bool {
    bytes.count == 1 && bytes.first == UInt8(ascii: "*")
  }
}

/// The targets of a `Link` field (RFC 8288, section 3).
enum LinkField {
  /// The targets that have a relation, as written; the relation must be in lower case.
  static func targets(of relation: StaticString, in value: FieldLine.Bytes) -> [String] {
    var targets: [String] = []
    var rest = value
    while let start = rest.firstIndex(of: UInt8(ascii: "<")),
      let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
    {
      let parameters = rest[end...].dropFirst()
      let following = parameters.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
      if has(relation, parameters[..<following]) {
        targets.append(HeaderText.decoded(rest[start..<end].dropFirst()))
      }
      rest = rest[following...]
    }
    return targets
  }

  /// Whether the parameters of a target contain a relation, alone or among others.
  private static func has(_ relation: StaticString, _ parameters: FieldLine.Bytes) -> Bool {
    let relations = parameters.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
      .compactMap { FieldLine.value("rel=", FieldLine.trimmed($0)) }
    return relations.contains { value in
      value.split { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") }
        .contains {
          $0.count == relation.utf8CodeUnitCount && FieldLine.begins($0, with: relation)
        }
    }
  }
}

/// The fields that determine how long a response is fresh (RFC 9111, sections 4.2 and 5).
///
/// `s-maxage` is ignored, because it applies to shared caches only.
struct CachingFields {
  /// How long an immutable response (RFC 8246) without an explicit lifetime is fresh: a year, in seconds.
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

  /// Reads `Expires`; an invalid date counts as a date in the past (RFC 9111, section 5.3).
  mutating func readExpires(_ value: FieldLine.Bytes) {
    expires = FieldDate.date(value) ?? .distantPast
  }

  /// How many seconds a response made at a date stays fresh, minus its age; nil when no field specifies it.
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

  /// Reads `max-age`: the shortest of several applies, and an invalid number counts as 0.
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

  /// The end of the requested pause, by the clock of this machine.
  ///
  /// A date is compared with the date of the server, so that a wrong clock on either side does not matter.
  ///
  /// - Returns: The end; nil when the pause is over or has no length.
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
