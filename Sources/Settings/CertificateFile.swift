import FoundationEssentials
import Glibc
import Workers

/// A user's file with certificates of authorities in PEM (RFC 7468).
package struct CertificateFile: Sendable {
  /// The reason why a file cannot be used, in words of the system or of this program.
  package struct Problem: Error, Equatable {
    package let message: String

    init(_ message: String) { self.message = message }

    /// The reason why the last system call has failed, as a part of a sentence.
    fileprivate static var ofLastCall: Problem {
      let text = String(cString: strerror(errno))
      return Problem(text.prefix(1).lowercased() + text.dropFirst())
    }
  }

  /// The most bytes of a file; the authorities of a system have a quarter of a megabyte.
  private static let mostBytes = 4 << 20
  /// The labels of certificates; the second is an old one (RFC 7468, section 5.1), and the third OpenSSL's own form.
  private static let labels = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

  /// The certificates of the file, in PEM, without its other content.
  package let certificates: [UInt8]

  /// - Throws: when the file cannot be read, has no certificate, or has a damaged one, because of which OpenSSL would
  ///   trust none at all.
  package init(path: String) throws(Problem) {
    let text = String(decoding: try Self.content(of: path), as: UTF8.self)
    var certificates = ""
    var block: (label: String, data: String)?
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let line = line.trimmed
      if let label = Self.labels.first(where: { line == "-----BEGIN \($0)-----" }) {
        block = (label, "")
      } else if case (let label, let data)? = block, line == "-----END \(label)-----" {
        guard Self.isWhole(data) else {
          throw Problem("the certificate that ends in line \(index + 1) is damaged")
        }
        certificates += "-----BEGIN \(label)-----\n\(data)-----END \(label)-----\n"
        block = nil
      } else if block != nil {
        block?.data += line + "\n"
      }
    }
    guard block == nil else { throw Problem("its last certificate has no end") }
    guard !certificates.isEmpty else { throw Problem("it holds no certificate in PEM") }
    self.certificates = Array(certificates.utf8)
  }

  private static func content(of path: String) throws(Problem) -> [UInt8] {
    guard let file = fopen(path, "re") else { throw .ofLastCall }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    // A folder can be opened, but not read.
    if ferror(file) != 0 { throw .ofLastCall }
    guard count <= mostBytes else { throw Problem("it has more than \(mostBytes) bytes") }
    return Array(bytes.prefix(count))
  }

  /// Whether a text in base64 is a sequence of DER, as a certificate is (RFC 5280, section 4.1; X.690, section 8.1).
  ///
  /// OpenSSL's own form has more bytes behind the certificate.
  private static func isWhole(_ text: String) -> Bool {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      return false
    }
    let bytes = Array(data)
    guard bytes.count > 4, bytes[0] == 0x30 else { return false }
    let size = Int(bytes[1] & 0x7F)
    guard bytes[1] >= 0x80 else { return bytes.count >= 2 + size }
    guard (1...3).contains(size) else { return false }
    let length = bytes[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count >= 2 + size + length
  }
}
