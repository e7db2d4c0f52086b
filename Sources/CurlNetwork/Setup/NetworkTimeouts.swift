/// How long a transfer may take before it counts as failed.
package struct NetworkTimeouts: Sendable, Equatable {
  /// Looking up the name, connecting and agreeing on TLS.
  package var connecting: Duration = .seconds(30)
  /// Without a single byte; libcurl counts whole seconds, of which there is at least one.
  package var stall: Duration = .seconds(30)

  package init() {}
}
