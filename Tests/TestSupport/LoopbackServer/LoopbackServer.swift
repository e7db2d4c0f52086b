import Glibc
package import Models
import Workers

/// An HTTP server on loopback, inside the test's process, that can misbehave: HTTP/1.1 on 127.0.0.1
/// unless it is given other ways.
///
/// Each connection has a thread of its own and is kept alive.
package final class LoopbackServer: Sendable {
  package typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

  /// The address it listens on, as it stands in an address of the web.
  package let host: String
  package let port: Int
  private let isSecure: Bool
  private let listener: LoopbackSocket
  private let log: LoopbackLog

  /// Starts a server; on a port the system chooses, unless its ways say which.
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

  /// Starts a server on an address of 127.0.0.0/8, all of which is this machine.
  package convenience init(on host: String, handler: @escaping Handler) throws(LoopbackError) {
    var ways = LoopbackWays()
    ways.host = host
    try self.init(ways, handler: handler)
  }

  /// Starts a server that gives one response after another, and the last one from then on.
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

  /// Takes no more connections and breaks those there are.
  package func stop() {
    listener.shutDown()
    log.breakConnections()
  }

  /// The address of a path, with user-info when it is given.
  package func address(_ path: String, user: String? = nil) -> WebAddress? {
    WebAddress(
      "\(isSecure ? "https" : "http")://\(user.map { $0 + "@" } ?? "")\(host):\(port)\(path)"
    )
  }

  /// The requests read so far, in order.
  package var requests: [LoopbackRequest] { log.requests }

  /// When each of them was read.
  package var arrivalTimes: [ContinuousClock.Instant] { log.arrivalTimes }

  /// Connections accepted so far.
  package var connections: Tally { log.connections }

  /// Requests read so far.
  package var arrivals: Tally { log.arrivals }

  /// Bytes the system took from us for clients.
  package var sentBytes: Tally { log.sentBytes }

  /// How often a tenth of a second passed in which a client took nothing.
  package var blockedSends: Tally { log.blockedSends }

  /// Responses that could not be sent to their end.
  package var brokenSends: Tally { log.brokenSends }
}

/// What is different about a loopback server than about a plain one on 127.0.0.1.
package struct LoopbackWays: Sendable {
  static let usualHost = "127.0.0.1"

  package var family = LoopbackFamily.ipv4
  /// The address that it listens on over IPv4: of 127.0.0.0/8, all of which is this machine.
  package var host = Self.usualHost
  /// 0 for one that the system chooses.
  package var port = 0
  /// What it does with a connection before it reads anything.
  package var welcome = LoopbackResponse([])
  /// How it speaks TLS; nil when it does not.
  package var security: LoopbackSecurity?
  /// What it does with each stream of HTTP/2, where that was agreed on; streams are counted over all
  /// connections, from 1 on.
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

/// Runs a closure on a thread of its own, which may block as long as it likes.
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

  /// A client that hangs up must not end the tests: OpenSSL writes without MSG_NOSIGNAL.
  private static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
