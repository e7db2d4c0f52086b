internal import CTLS
import Foundation

/// A certificate of a loopback server, made for this run of the tests.
package final class LoopbackCertificate: Sendable {
  // Only `init` writes these. OpenSSL counts the owners of both, and only reads them afterwards.
  nonisolated(unsafe) private let key: OpaquePointer
  nonisolated(unsafe) private let certificate: OpaquePointer

  /// The names and addresses of loopback servers.
  private static let names = "DNS:localhost,IP:127.0.0.1,IP:::1"
  private static let day = 86_400

  /// A certificate from the tests' authority, for the names of loopback.
  package static let valid = make(issuer: authority)
  /// A certificate that expired yesterday.
  package static let expired = make(from: -2 * day, until: -day, issuer: authority)
  /// A certificate for a name that no loopback server has.
  package static let ofAnotherHost = make(names: "DNS:elsewhere.example", issuer: authority)
  /// A certificate that is signed only by itself.
  package static let selfSigned = make(issuer: nil)
  /// A certificate from another authority, for the names of loopback.
  package static let ofOtherAuthority = make(issuer: otherAuthority)
  private static let authority = make(names: nil, issuer: nil)
  private static let otherAuthority = make("Other authority", names: nil, issuer: nil)

  /// The path of the certificate of the tests' authority in PEM, in a file that the process deletes when it ends.
  package static let authorityFile: String = authority.writtenFile("authority") {
    atexit { unlink(LoopbackCertificate.authorityFile) }
  }
  /// The same for the other authority.
  package static let otherAuthorityFile: String = otherAuthority.writtenFile("other-authority") {
    atexit { unlink(LoopbackCertificate.otherAuthorityFile) }
  }

  private init(name: String, names: String?, from: Int, until: Int, issuer: LoopbackCertificate?) {
    guard let key = ctls_new_key(),
      let certificate = ctls_new_certificate(
        key,
        "\(name) of the tests of gallery",
        names,
        from,
        until,
        issuer?.certificate,
        issuer?.key
      )
    else { fatalError("OpenSSL makes no certificate") }
    self.key = key
    self.certificate = certificate
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
  }

  func use(in context: OpaquePointer) throws(LoopbackError) {
    guard SSL_CTX_use_certificate(context, certificate) == 1,
      SSL_CTX_use_PrivateKey(context, key) == 1
    else { throw .tls("SSL_CTX_use_certificate") }
  }

  /// Writes the certificate and its key as two PEM files.
  package func write(to path: String, key keyPath: String) {
    guard let file = BIO_new_file(path, "w"), PEM_write_bio_X509(file, certificate) == 1,
      let keyFile = BIO_new_file(keyPath, "w"),
      PEM_write_bio_PrivateKey(keyFile, key, nil, nil, 0, nil, nil) == 1
    else { fatalError("no certificate can be written to \(path)") }
    BIO_free(file)
    BIO_free(keyFile)
  }

  private static func make(
    _ name: String? = nil,
    names: String? = names,
    from: Int = -day,
    until: Int = day,
    issuer: LoopbackCertificate?
  ) -> LoopbackCertificate {
    LoopbackCertificate(
      name: name ?? (names == nil ? "Authority" : "A server"),
      names: names,
      from: from,
      until: until,
      issuer: issuer
    )
  }

  /// Writes the certificate as a PEM file, and returns its path; `end` makes the process delete it when it ends.
  private func writtenFile(_ name: String, end: () -> Void) -> String {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "gallery-\(name)-\(ProcessInfo.processInfo.processIdentifier).pem").path
    guard let file = BIO_new_file(path, "w"), PEM_write_bio_X509(file, certificate) == 1
    else { fatalError("no certificate can be written to \(path)") }
    BIO_free(file)
    end()
    return path
  }
}

/// The TLS settings of a loopback server: a certificate, and whether to offer HTTP/2.
package final class LoopbackSecurity: Sendable {
  // OpenSSL counts the context's owners itself. It allows use from any thread once the context no longer
  // changes (SSL_CTX_new(3), openssl-threads(7)), and only `init` changes it.
  nonisolated(unsafe) private let context: OpaquePointer

  /// Creates the settings, with a certificate of the tests' authority or another one.
  package init(_ certificate: LoopbackCertificate, offersHTTP2: Bool = false) throws(LoopbackError)
  {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .tls("SSL_CTX_new") }
    self.context = context
    ctls_offer(context, offersHTTP2 ? 1 : 0)
    try certificate.use(in: context)
  }

  deinit { SSL_CTX_free(context) }

  /// Performs the handshake with a peer; nil if it fails.
  func accept(_ socket: LoopbackSocket) -> TLSStream? { TLSStream(socket, context: context) }
}
