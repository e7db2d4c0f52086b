internal import CTLS

/// The bytes of one connection, encrypted on their way or not.
protocol LoopbackStream {
  /// Reads what there is, waiting for something; empty at the end.
  func read() -> [UInt8]

  /// Sends what the peer takes at once.
  ///
  /// - Returns: how many bytes it took; nil when it has hung up.
  func send(_ bytes: ArraySlice<UInt8>) -> Int?
}

/// The encrypted bytes of one connection, for the thread that serves it alone.
final class TLSStream: LoopbackStream {
  private let session: OpaquePointer
  /// Its descriptor is the session's.
  private let socket: LoopbackSocket

  /// Waits for the handshake; nil when it fails.
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

  /// Says that nothing more comes (RFC 8446, section 6.1); without it the end is a cut.
  func close() { SSL_shutdown(session) }
}

/// A call of the system, or of OpenSSL, that failed, and its error number.
package struct LoopbackError: Error, Equatable {
  package var call: String
  package var code: Int32

  static func tls(_ call: String) -> LoopbackError { LoopbackError(call: call, code: 0) }
}
