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
