import Models

extension WebAddress {
  /// Whether it begins with `file:`.
  var isOnDisk: Bool { begins(with: "file:") }

  /// Whether it begins with `https:`.
  var isSecure: Bool { begins(with: "https:") }

  /// Host and port as written, in lower case.
  var hostAndPort: String {
    let afterScheme = text.utf8.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
    let authority = afterScheme.prefix { !Self.authorityEnds.contains($0) }
    let user = authority.lastIndex(of: UInt8(ascii: "@"))
    let host = user.map { authority[authority.index(after: $0)...] } ?? authority
    return Substring(host).lowercased()
  }

  /// The text with what no request line can hold escaped: spaces, and bytes beyond ASCII.
  var asSent: String {
    if text.utf8.allSatisfy({ $0 != 0x20 && $0 < 0x80 }) { return text }
    let afterScheme = text.utf8.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
    let end = afterScheme.firstIndex { Self.authorityEnds.contains($0) } ?? text.utf8.endIndex
    // The host is left as it is: libcurl turns it into the form the name service knows.
    return text[..<end] + text.utf8[end...].lazy.map(Self.escaped).joined()
  }

  private static let authorityEnds: [UInt8] = [
    UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
  ]

  private static func escaped(_ byte: UInt8) -> String {
    if byte != 0x20, byte < 0x80 { return String(Unicode.Scalar(byte)) }
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + digits
  }

  /// Compares without case; the prefix is given in lower case.
  private func begins(with prefix: StaticString) -> Bool {
    let count = prefix.utf8CodeUnitCount
    let name = UnsafeBufferPointer(start: prefix.utf8Start, count: count)
    let letters = text.utf8.prefix(count).lazy.map { (byte: UInt8) in
      (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
    return letters.elementsEqual(name)
  }
}
