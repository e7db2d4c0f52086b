import Glibc

/// A TCP socket of the loopback server, closed when it is deallocated.
final class LoopbackSocket: Sendable {
  let descriptor: Int32

  private init(taking descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A socket that occupies a port of loopback and refuses every connection; 0 lets the system choose the port.
  static func bound(
    _ family: LoopbackFamily,
    at host: String = LoopbackWays.usualHost,
    port: Int
  ) throws(LoopbackError) -> LoopbackSocket {
    let number = family == .ipv4 ? AF_INET : AF_INET6
    let socket = LoopbackSocket(taking: Glibc.socket(number, Int32(SOCK_STREAM.rawValue), 0))
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    let status =
      switch family {
      case .ipv4: socket.bindIPv4(host, port: port)
      case .ipv6: socket.bindIPv6(port: port)
      }
    guard status == 0 else { throw LoopbackError(call: "bind", code: errno) }
    return socket
  }

  /// A socket that accepts connections, with this many waiting at most.
  ///
  /// It keeps its port until it is deallocated, and refuses connections once it is shut down.
  static func listening(
    _ family: LoopbackFamily = .ipv4,
    at host: String = LoopbackWays.usualHost,
    port: Int = 0,
    backlog: Int32 = 128
  ) throws(LoopbackError) -> LoopbackSocket {
    // A port that the system chose is free for others as soon as the socket stops listening; one that was named is not
    // until the socket is closed.
    let keeper = try bound(family, at: host, port: port)
    defer { withExtendedLifetime(keeper) {} }
    let socket = try bound(family, at: host, port: keeper.port())
    guard listen(socket.descriptor, backlog) == 0 else {
      throw LoopbackError(call: "listen", code: errno)
    }
    return socket
  }

  /// A client's socket that is connecting to a port of loopback.
  static func connecting(to port: Int) -> LoopbackSocket {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = LoopbackSocket(taking: Glibc.socket(AF_INET6, kind, 0))
    var address = Self.ipv6(port: port)
    _ = Self.withSockaddr(&address) { connect(socket.descriptor, $0, $1.pointee) }
    return socket
  }

  func port() throws(LoopbackError) -> Int {
    // The port has the same position in the addresses of both families.
    var address = sockaddr_in6()
    let status = Self.withSockaddr(&address) { getsockname(descriptor, $0, $1) }
    guard status == 0 else { throw LoopbackError(call: "getsockname", code: errno) }
    return Int(UInt16(bigEndian: address.sin6_port))
  }

  /// Accepts the next connection; nil once the socket is shut down.
  func accepted() -> LoopbackSocket? {
    while true {
      let connection = accept(descriptor, nil, nil)
      if connection >= 0 { return LoopbackSocket(taking: connection) }
      switch errno {
      // These concern one connection, or pass when other tests close their files (accept(2)).
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)
      default: return nil
      }
    }
  }

  /// Breaks the connection, and wakes all threads that wait for the socket.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Makes closing the socket send a reset instead of an orderly end (socket(7), SO_LINGER).
  func resetOnClosing() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Waits for this time, or until the peer, which sends no more data, hangs up.
  ///
  /// - Returns: Whether the peer is still connected.
  func wait(_ time: Duration) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return Glibc.poll(&poll, 1, Int32(milliseconds)) == 0
  }

  private func bindIPv4(_ host: String, port: Int) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return -1 }
    return Self.withSockaddr(&address) { bind(descriptor, $0, $1.pointee) }
  }

  private func bindIPv6(port: Int) -> Int32 {
    var address = Self.ipv6(port: port)
    return Self.withSockaddr(&address) { bind(descriptor, $0, $1.pointee) }
  }

  private static func ipv6(port: Int) -> sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = UInt16(port).bigEndian
    address.sin6_addr = in6addr_loopback
    return address
  }

  private static func withSockaddr<Address, Result>(
    _ address: inout Address,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    var length = socklen_t(MemoryLayout<Address>.size)
    return withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }
}

extension LoopbackSocket: LoopbackStream {
  func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  /// Waits a tenth of a second until the peer accepts bytes.
  func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard Glibc.poll(&poll, 1, 100) > 0 else { return 0 }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
    if count >= 0 { return count }
    return errno == EAGAIN ? 0 : nil
  }
}

/// The loopback addresses that a server uses (RFC 4291, section 2.5.3).
package enum LoopbackFamily: Sendable {
  case ipv4
  case ipv6

  /// The address in the form of a URL.
  package var host: String {
    switch self {
    case .ipv4: "127.0.0.1"
    case .ipv6: "[::1]"
    }
  }
}

/// A port of ::1 that neither accepts connections nor refuses them.
///
/// The queue of waiting connections is full and never accepted from, so the system drops further requests (listen(2)).
final class BlackHole: Sendable {
  let port: Int
  private let listener: LoopbackSocket
  private let waiting: [LoopbackSocket]

  init() throws(LoopbackError) {
    let listener = try LoopbackSocket.listening(.ipv6, backlog: 0)
    let port = try listener.port()
    self.listener = listener
    self.port = port
    waiting = (0..<4).map { _ in LoopbackSocket.connecting(to: port) }
  }
}
