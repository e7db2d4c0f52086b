import Crypto

extension SHA256Digest {
  /// Lower-case hexadecimal digits, as hashes are stored and files are named.
  var text: String { map(Self.hexadecimal).joined() }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
