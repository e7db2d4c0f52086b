import Models

/// The separate host of a fault.
package struct FaultHost: Sendable {
  /// The address where the picture should be.
  package let address: String
  /// The number of requests, or of connections if none gets as far as a request.
  package let requests: @Sendable () -> Int
  /// An object that keeps the host running.
  private let keeper: any AnyObject & Sendable

  /// A host that counts its requests.
  init(_ server: LoopbackServer, name: String? = nil) {
    self.init(server, name: name) { server.arrivals.count }
  }

  /// A host that counts its connections; `scheme` replaces the scheme of the address, whatever the server uses.
  init(connectionsTo server: LoopbackServer, scheme: String? = nil) {
    let host = FaultHost(server, name: nil) { server.connections.count }
    let rest = host.address.drop { $0 != ":" }
    self.init(
      address: scheme.map { $0 + rest } ?? host.address,
      requests: host.requests,
      keeper: server
    )
  }

  /// A host that cannot count its requests.
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
