import Models

/// A host that is a fault's own.
package struct FaultHost: Sendable {
  /// Where the picture should be.
  package let address: String
  /// How often it was asked: requests, or connections where none gets as far as a request.
  package let requests: @Sendable () -> Int
  /// What keeps it running.
  private let keeper: any AnyObject & Sendable

  /// A host whose requests are counted.
  init(_ server: LoopbackServer, name: String? = nil) {
    self.init(server, name: name) { server.arrivals.count }
  }

  /// A host to which connections are counted; with a scheme, it is asked with that whatever it speaks.
  init(connectionsTo server: LoopbackServer, scheme: String? = nil) {
    let host = FaultHost(server, name: nil) { server.connections.count }
    let rest = host.address.drop { $0 != ":" }
    self.init(
      address: scheme.map { $0 + rest } ?? host.address,
      requests: host.requests,
      keeper: server
    )
  }

  /// A host of which nobody can tell how often it was asked.
  init(_ keeper: any AnyObject & Sendable, address: String) {
    self.init(address: address, requests: { 0 }, keeper: keeper)
  }

  private init(
    address: String,
    requests: @escaping @Sendable () -> Int,
    keeper: any AnyObject & Sendable
  ) {
    self.address = address
    self.requests = requests
    self.keeper = keeper
  }

  private init(
    _ server: LoopbackServer,
    name: String?,
    requests: @escaping @Sendable () -> Int
  ) {
    let address = server.address("/picture.jpg")?.text ?? ""
    self.init(
      address: name.map { address.replacing(server.host, with: $0) } ?? address,
      requests: requests,
      keeper: server
    )
  }
}
