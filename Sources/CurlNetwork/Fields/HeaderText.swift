/// Header bytes as text: one Unicode scalar a byte (ISO 8859-1), so that nothing is lost.
enum HeaderText {
  static func decoded(_ bytes: some Collection<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// The bytes of a field's line, ended for C.
  ///
  /// - Returns: nil when the value would not stay one line of bytes.
  static func line(_ name: StaticString, _ value: String) -> [CChar]? {
    var line: [CChar] = []
    line.reserveCapacity(name.utf8CodeUnitCount + value.utf8.count + 3)
    for byte in "\(name): ".utf8 { line.append(CChar(bitPattern: byte)) }
    for scalar in value.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value), byte != 0, byte != 0x0A, byte != 0x0D else {
        return nil
      }
      line.append(CChar(bitPattern: byte))
    }
    line.append(0)
    return line
  }
}
