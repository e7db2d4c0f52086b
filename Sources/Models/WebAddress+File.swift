extension WebAddress {
  /// The address of a document from a pipe, by its number in the sync, from 1.
  package init(pipe number: Int) { self.init(scheme: "stdin", rest: number > 1 ? "\(number)" : "") }

  /// Whether it names a document from a pipe, which cannot be fetched again.
  package var isPiped: Bool { scheme == "stdin" }

  /// The `file:` address of a path (RFC 8089, section 2), absolute or relative to `folder`.
  ///
  /// `./a` and `a` give the same address. `..` stays, because it may follow a symbolic link.
  package init(filePath path: String, relativeTo folder: String) {
    let absolute = path.utf8.first == UInt8(ascii: "/") ? path : folder + "/" + path
    let slash = UInt8(ascii: "/")
    let segments = absolute.utf8.split(separator: slash, omittingEmptySubsequences: false)
    let plain = segments.map { Substring($0) }.filter { $0 != "." }.joined(separator: "/")
    self.init(scheme: "file", path: Self.escaped(plain))
  }

  /// The path of a `file:` address, with escapes decoded; nil for other addresses and other hosts.
  package var filePath: String? {
    guard isFile, host == nil || host == "" || host == "localhost" else { return nil }
    return Self.unescaped(path)
  }

  /// The folder of a `file:` address's file; nil for other addresses.
  package var fileFolder: String? {
    guard let filePath, let slash = filePath.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    return slash == filePath.startIndex ? "/" : String(filePath[..<slash])
  }

  /// Escapes the bytes that a URI's path may not contain (RFC 3986, section 3.3).
  private static func escaped(_ path: String) -> String {
    var result: [UInt8] = []
    for byte in path.utf8 {
      if isPathByte(byte) {
        result.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func unescaped(_ path: String) -> String {
    var result: [UInt8] = []
    var rest = Substring(path).utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = hexadecimalValue(of: rest.prefix(2)) {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The value of two hexadecimal digits; nil for anything else.
  private static func hexadecimalValue(of digits: Substring.UTF8View) -> UInt8? {
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return values.count == 2 ? UInt8(values[0] << 4 | values[1]) : nil
  }

  /// Whether a byte is unreserved, a sub-delimiter, or another character that a path may contain.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default:
      "/-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
  }
}
