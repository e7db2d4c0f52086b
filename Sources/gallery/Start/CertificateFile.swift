import Foundation
import Glibc

/// A file of certificate authorities in PEM (RFC 7468).
struct CertificateFile {
  /// What each certificate begins with; OpenSSL's own form has one word more.
  private static let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]

  let path: String

  /// Why it cannot be used, in the system's words or ours; nil when it can.
  var problem: String? {
    guard let file = fopen(path, "r") else { return String(cString: strerror(errno)) }
    fclose(file)
    guard let data = FileManager.default.contents(atPath: path) else { return "it cannot be read" }
    let hasCertificate = Self.marks.contains { data.range(of: Data($0.utf8)) != nil }
    return hasCertificate ? nil : "it holds no certificate in PEM"
  }
}
