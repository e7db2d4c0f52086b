import Crypto

extension SHA256.Digest {
  /// Two lower-case hexadecimal digits a byte.
  var hexadecimal: String {
    map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }
}

extension String {
  /// Whether it is a hash as it is stored, and so can be part of a file's name: in a damaged library it
  /// could be `../..` just as well.
  var isSHA256: Bool {
    utf8.count == 2 * SHA256.byteCount
      && utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}
