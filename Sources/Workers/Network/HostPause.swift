package import FoundationEssentials
package import Models

/// A host that asked for a pause, and the end of that pause.
package struct HostPause: Sendable, Equatable {
  /// Its name, and its port unless that is the default.
  package var host: String
  package var end: Date

  package init(host: String, end: Date) {
    self.host = host
    self.end = end
  }
}

extension HostPausing {
  /// The pauses of the hosts of some addresses that are not over, each host once, by name.
  package func pauses(
    of addresses: [WebAddress],
    at now: Date = Date()
  ) throws(StoreError) -> [HostPause] {
    let hosts = Set(addresses.filter(\.isWeb).map(\.hostKey)).sorted()
    var pauses: [HostPause] = []
    for host in hosts {
      if let end = try pause(of: host), end > now { pauses.append(HostPause(host: host, end: end)) }
    }
    return pauses
  }
}
