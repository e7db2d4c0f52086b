import Testing

@testable import CurlNetwork

struct CertificateSourceTests {
  private let environment = ["SSL_CERT_FILE": "/env.pem", "SSL_CERT_DIR": "/certs"]

  @Test func `trusts the file that was named, and nothing else`() {
    let source = CertificateSource(file: "/a.pem", environment: environment)

    #expect(source.file == "/a.pem")
    #expect(source.folder == nil)
    #expect(source.isOnlySource)
  }

  @Test func `trusts what the environment names otherwise`() {
    let source = CertificateSource(file: nil, environment: environment)

    #expect(source.file == "/env.pem")
    #expect(source.folder == "/certs")
    #expect(!source.isOnlySource)
  }

  @Test func `leaves it to libcurl when nothing is named`() {
    let source = CertificateSource(file: nil, environment: ["SSL_CERT_FILE": ""])

    #expect(source.file == nil)
    #expect(source.folder == nil)
  }
}
