/// The size that an address asks its server for: `?w=460`, `?width=300&height=200`.
enum SizeInAddress {
  /// The longer side asked for; nil when the query names none.
  static func longerSide(of address: String) -> Int? {
    let bytes = address.utf8Span.span
    guard let mark = bytes.first(UInt8(ascii: "?"), from: 0) else { return nil }
    var longest: Int?
    var start = mark + 1
    while start < bytes.count {
      let end = bytes.first(UInt8(ascii: "&"), from: start) ?? bytes.count
      if let size = size(in: bytes.extracting(start..<end)) { longest = max(longest ?? 0, size) }
      start = end + 1
    }
    return longest
  }

  private static func size(in parameter: Span<UInt8>) -> Int? {
    guard let equals = parameter.first(UInt8(ascii: "="), from: 0) else { return nil }
    let name = parameter.extracting(0..<equals)
    guard name.holds("w") || name.holds("h") || name.holds("width") || name.holds("height")
    else { return nil }
    return DeclaredNumber.read(parameter.extracting((equals + 1)...).text)
  }
}
