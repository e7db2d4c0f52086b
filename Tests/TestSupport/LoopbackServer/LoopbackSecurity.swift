internal import CTLS

/// How a loopback server speaks TLS: with which certificate, and whether with HTTP/2 inside.
package final class LoopbackSecurity: Sendable {
  // OpenSSL counts the context's owners itself, and allows its use from any thread once nothing of
  // it is changed any more (SSL_CTX_new(3), openssl-threads(7)): nothing is after `init`.
  nonisolated(unsafe) private let context: OpaquePointer

  /// Speaks TLS with a certificate of the tests' own authority or another one.
  package init(_ certificate: LoopbackCertificate, offersHTTP2: Bool = false) throws(LoopbackError)
  {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw .tls("SSL_CTX_new") }
    self.context = context
    ctls_offer(context, offersHTTP2 ? 1 : 0)
    try certificate.use(in: context)
  }

  deinit { SSL_CTX_free(context) }

  /// Agrees on TLS with a peer; nil when it does not.
  func accept(_ socket: LoopbackSocket) -> TLSStream? { TLSStream(socket, context: context) }
}
