import Foundation
import Testing

@testable import Settings

struct CertificateFileTests {
  /// A sequence of DER with five bytes of content; a certificate is a longer one.
  private static let certificate = block("MAUBAgMEBQ==")

  private static func block(_ data: String, _ label: String = "CERTIFICATE") -> String {
    "-----BEGIN \(label)-----\n\(data)\n-----END \(label)-----\n"
  }

  private func read(_ text: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return String(decoding: try CertificateFile(path: file.path).certificates, as: UTF8.self)
  }

  @Test(arguments: [
    certificate, certificate + certificate, block("MAUBAgMEBQ==", "TRUSTED CERTIFICATE"),
    block("MAUBAgMEBQ==", "X509 CERTIFICATE"), block("MAUBAg\nMEBQ=="),
  ])
  func `reads certificates as they are`(text: String) throws {
    #expect(try read(text) == text)
  }

  @Test func `reads no more than the certificates`() throws {
    let key = Self.block("MAUBAgMEBQ==", "PRIVATE KEY")
    let text = "# mine\n" + key + Self.certificate.replacing("\n", with: " \r\n") + "the end"

    #expect(try read(text) == Self.certificate)
  }

  @Test(arguments: [
    ("", "it holds no certificate in PEM"),
    ("MAUBAgMEBQ==", "it holds no certificate in PEM"),
    (block("MAUBAgMEBQ==", "PRIVATE KEY"), "it holds no certificate in PEM"),
    ("-----BEGIN CERTIFICATE-----\nMAUBAgMEBQ==\n", "its last certificate has no end"),
    (certificate + block("MAYBAgMEBQ=="), "the certificate that ends in line 6 is damaged"),
    (block("MA"), "the certificate that ends in line 3 is damaged"),
    (block("TQUBAgMEBQ=="), "the certificate that ends in line 3 is damaged"),
    (block("MIQAAAAFAQIDBAU="), "the certificate that ends in line 3 is damaged"),
    (block(""), "the certificate that ends in line 3 is damaged"),
  ])
  func `says what is wrong with another file`(text: String, reason: String) {
    #expect(throws: CertificateFile.Problem(reason)) { try read(text) }
  }

  @Test(arguments: [
    ("/nowhere.pem", "no such file or directory"), ("/tmp", "is a directory"),
    ("/dev/zero", "it has more than 4194304 bytes"),
  ])
  func `says why a file cannot be read`(path: String, reason: String) {
    #expect(throws: CertificateFile.Problem(reason)) { try CertificateFile(path: path) }
  }
}
