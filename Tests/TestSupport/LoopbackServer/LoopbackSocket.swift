import Glibc

/// A TCP socket of the loopback server; closed when nobody holds it any more.
final class LoopbackSocket: Sendable {
  private let descriptor: Int32

  private init(taking descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A socket that listens on an IPv4 address, at a port the system chooses.
  static func listening(on host: String) throws(LoopbackError) -> LoopbackSocket {
    let socket = LoopbackSocket(taking: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      throw LoopbackError(call: "inet_pton", code: EINVAL)
    }
    let bound = withSockaddr(&address) { bind(socket.descriptor, $0, $1.pointee) }
    guard bound == 0 else { throw LoopbackError(call: "bind", code: errno) }
    guard listen(socket.descriptor, 128) == 0 else {
      throw LoopbackError(call: "listen", code: errno)
    }
    return socket
  }

  func port() throws(LoopbackError) -> Int {
    var address = sockaddr_in()
    let status = Self.withSockaddr(&address) { getsockname(descriptor, $0, $1) }
    guard status == 0 else { throw LoopbackError(call: "getsockname", code: errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// The next connection; nil once the socket is shut down.
  func accepted() -> LoopbackSocket? {
    let connection = accept(descriptor, nil, nil)
    return connection < 0 ? nil : LoopbackSocket(taking: connection)
  }

  /// Breaks the connection, and wakes whoever waits for the socket.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Reads what there is, waiting for something; empty at the end.
  func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  /// Sends what the peer takes at once, waiting a tenth of a second for it to take anything.
  ///
  /// - Returns: how many bytes it took; nil when it has hung up.
  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard Glibc.poll(&poll, 1, 100) > 0 else { return 0 }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
    if count >= 0 { return count }
    return errno == EAGAIN ? 0 : nil
  }

  private static func withSockaddr<Result>(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }
}
