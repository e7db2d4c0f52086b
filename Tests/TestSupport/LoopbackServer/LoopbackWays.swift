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
