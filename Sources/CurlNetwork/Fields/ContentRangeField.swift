import Workers

/// The `Content-Range` field (RFC 9110, section 14.4).
enum ContentRangeField {
  /// What it says; nil for other units than bytes and for what contradicts itself.
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
