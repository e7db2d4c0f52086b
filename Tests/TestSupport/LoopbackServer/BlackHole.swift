/// A port of ::1 that neither takes connections nor refuses them.
///
/// The system drops what asks for a connection while as many wait as may (listen(2)), and nobody
/// accepts those that do.
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
