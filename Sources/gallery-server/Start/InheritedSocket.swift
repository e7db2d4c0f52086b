import FoundationEssentials
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import Models
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// A listening socket that the service manager has opened (socket activation, sd_listen_fds(3)).
struct InheritedSocket: Equatable, Sendable {
  let descriptor: CInt
  /// The address of the socket; nil when it is neither an IP address nor a path in the file system.
  let address: ListenAddress?

  /// The sockets that this process has inherited, from `LISTEN_PID` and `LISTEN_FDS`.
  ///
  /// - Throws: `StartProblem` when one of them is not a listening socket.
  static func all(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> [InheritedSocket] {
    guard environment["LISTEN_PID"].flatMap(Int32.init) == getpid(),
      let count = environment["LISTEN_FDS"].flatMap(CInt.init), count > 0
    else { return [] }
    return try (firstDescriptor..<firstDescriptor.adding(count)).map { descriptor in
      guard isListening(descriptor) else {
        throw StartProblem("descriptor \(descriptor) of LISTEN_FDS is not a socket that listens")
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return InheritedSocket(descriptor: descriptor, address: address(of: descriptor))
    }
  }

  /// Lets a program that replaces this process inherit the socket.
  func keep() { _ = fcntl(descriptor, F_SETFD, 0) }

  /// `SD_LISTEN_FDS_START`.
  private static let firstDescriptor: CInt = 3

  private static func isListening(_ descriptor: CInt) -> Bool {
    var isListening: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0
      && isListening != 0
  }

  private static func address(of descriptor: CInt) -> ListenAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isKnown else { return nil }
    let address: SocketAddress? = withUnsafeBytes(of: storage) { bytes in
      switch CInt(storage.ss_family) {
      case AF_INET: SocketAddress(bytes.load(as: sockaddr_in.self))
      case AF_INET6: SocketAddress(bytes.load(as: sockaddr_in6.self))
      case AF_UNIX: SocketAddress(bytes.load(as: sockaddr_un.self))
      default: nil
      }
    }
    guard let address else { return nil }
    if let path = address.pathname, !path.isEmpty { return .socket(path: path) }
    guard let host = address.ipAddress, let port = address.port else { return nil }
    return .host(host, port: port)
  }
}

/// Serves at an inherited socket; Hummingbird's own server can only open sockets itself.
struct InheritedListener<Child: ServerChildChannel>: Service {
  let socket: InheritedSocket
  let child: Child
  let connections: ConnectionLimit
  let logger: Logger
  let whenRunning: @Sendable () async -> Void

  func run() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let quiescing = ServerQuiescingHelper(group: group)
    // The listener closes only its copy of the descriptor when it ends.
    let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
    let server = try await ServerBootstrap(group: group)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionGate(connections))
          let handler = quiescing.makeServerChannelHandler(channel: channel)
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(copy) { child.setup(channel: $0, logger: logger) }
    try await withGracefulShutdownHandler {
      await whenRunning()
      try await withThrowingDiscardingTaskGroup { tasks in
        try await server.executeThenClose { connections in
          for try await connection in connections {
            tasks.addTask { await child.handle(value: connection, logger: logger) }
          }
        }
      }
    } onGracefulShutdown: {
      quiescing.initiateShutdown(promise: nil)
    }
  }
}
