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
