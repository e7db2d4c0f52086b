import Glibc
package import Models
import Workers

/// An HTTP server on loopback, inside the test's process, that can misbehave.
///
/// It speaks HTTP/1.1 on 127.0.0.1 unless its ways differ. Each connection has a separate thread and is kept alive.
package final class LoopbackServer: Sendable {
  package typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

  /// The address on which it listens, in the form of a URL.
  package let host: String
  package let port: Int
  private let isSecure: Bool
  private let listener: LoopbackSocket
  private let log: LoopbackLog

  /// Starts a server, on a port that the system chooses unless `ways` names one.
  package init(
    _ ways: LoopbackWays = LoopbackWays(),
    handler: @escaping Handler
  ) throws(LoopbackError) {
    let listener = try LoopbackSocket.listening(ways.family, at: ways.host, port: ways.port)
    let log = LoopbackLog()
    self.listener = listener
    self.log = log
    port = try listener.port()
    host = ways.family == .ipv4 ? ways.host : ways.family.host
    isSecure = ways.security != nil
    LoopbackThread.start {
      while let socket = listener.accepted() {
        log.connected(socket)
        LoopbackThread.start {
          LoopbackConnection(socket, log: log, ways: ways, handler: handler).serve()
        }
      }
    }
  }

  /// Starts a server on an address of 127.0.0.0/8; all of these belong to this machine.
  package convenience init(on host: String, handler: @escaping Handler) throws(LoopbackError) {
    var ways = LoopbackWays()
    ways.host = host
    try self.init(ways, handler: handler)
  }

  /// Starts a server that returns the responses in order, and repeats the last one.
  package static func inTurn(_ responses: LoopbackResponse...) throws(LoopbackError)
    -> LoopbackServer
  {
    let next = Locked(0)
    return try LoopbackServer { _ in
      let turn = next.withLock { next in
        defer { next += 1 }
        return min(next, responses.count - 1)
      }
      return responses[turn]
    }
  }

  deinit { stop() }

  /// Stops accepting connections, and breaks the open ones.
  package func stop() {
    listener.shutDown()
    log.breakConnections()
  }

  /// The address of a path, with user info if it is given.
  package func address(_ path: String, user: String? = nil) -> WebAddress? {
    WebAddress(
      "\(isSecure ? "https" : "http")://\(user.map { $0 + "@" } ?? "")\(host):\(port)\(path)"
    )
  }

  /// The requests that have been read, in order.
  package var requests: [LoopbackRequest] { log.requests }

  /// The time at which each request was read.
  package var arrivalTimes: [ContinuousClock.Instant] { log.arrivalTimes }

  /// The number of accepted connections.
  package var connections: Tally { log.connections }

  /// The number of requests that have been read.
  package var arrivals: Tally { log.arrivals }

  /// The number of bytes that the system accepted for clients.
  package var sentBytes: Tally { log.sentBytes }

  /// The number of tenths of a second in which a client accepted no bytes.
  package var blockedSends: Tally { log.blockedSends }

  /// The number of responses that could not be sent completely.
  package var brokenSends: Tally { log.brokenSends }
}

/// The differences between a loopback server and a plain one on 127.0.0.1.
package struct LoopbackWays: Sendable {
  static let usualHost = "127.0.0.1"

  package var family = LoopbackFamily.ipv4
  /// The IPv4 address on which it listens: one of 127.0.0.0/8, all of which belong to this machine.
  package var host = Self.usualHost
  /// The port; 0 for one that the system chooses.
  package var port = 0
  /// The steps on a connection before the server reads anything.
  package var welcome = LoopbackResponse([])
  /// The TLS settings; nil for a server without TLS.
  package var security: LoopbackSecurity?
  /// The steps on each stream of HTTP/2, if the client supports it.
  ///
  /// The numbers count the streams of all connections, from 1.
  package var streams: @Sendable (_ number: Int) -> [HTTP2Step] = { _ in [] }

  package init() {}

  package init(welcome: LoopbackResponse) { self.welcome = welcome }

  package init(
    security: LoopbackSecurity,
    streams: @escaping @Sendable (_ number: Int) -> [HTTP2Step] = { _ in [] }
  ) {
    self.security = security
    self.streams = streams
  }
}

/// Runs a closure on a separate thread, which may block for any time.
enum LoopbackThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, main, Unmanaged.passRetained(Work(body)).toOpaque())
    guard status == 0 else { fatalError("pthread_create: \(String(cString: strerror(status)))") }
    pthread_detach(thread)
  }

  private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    blockPipeSignal()
    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }

  /// A client that hangs up must not end the tests, and OpenSSL writes without MSG_NOSIGNAL.
  private static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
