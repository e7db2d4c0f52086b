internal import CTLS

/// The bytes of one connection, encrypted or not.
protocol LoopbackStream {
  /// Waits for bytes and reads those that are available; empty at the end.
  func read() -> [UInt8]

  /// Sends as much as the peer accepts at once.
  ///
  /// - Returns: The number of accepted bytes; nil if the peer has hung up.
  func send(_ bytes: ArraySlice<UInt8>) -> Int?
}

/// The encrypted bytes of one connection, for the only thread that serves it.
final class TLSStream: LoopbackStream {
  private let session: OpaquePointer
  /// The session uses the socket's descriptor.
  private let socket: LoopbackSocket

  /// Waits for the handshake; nil if it fails.
  init?(_ socket: LoopbackSocket, context: OpaquePointer) {
    guard let session = SSL_new(context) else { return nil }
    self.session = session
    self.socket = socket
    guard SSL_set_fd(session, socket.descriptor) == 1, SSL_accept(session) == 1 else { return nil }
  }

  deinit { SSL_free(session) }

  var speaksHTTP2: Bool { ctls_speaks_http2(session) != 0 }

  func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
      count = max(0, Int(SSL_read(session, buffer.baseAddress, Int32(buffer.count))))
    }
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes { SSL_write(session, $0.baseAddress, Int32($0.count)) }
    return count > 0 ? Int(count) : nil
  }

  /// Announces the end of the data (RFC 8446, section 6.1); without it the end counts as a cut.
  func close() { SSL_shutdown(session) }
}

/// A failed system call, or a failed call of OpenSSL, with its error number.
package struct LoopbackError: Error, Equatable {
  package var call: String
  package var code: Int32

  static func tls(_ call: String) -> LoopbackError { LoopbackError(call: call, code: 0) }
}
