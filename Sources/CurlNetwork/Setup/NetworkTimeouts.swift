/// How long a transfer may take before it counts as failed.
package struct NetworkTimeouts: Sendable, Equatable {
  /// Looking up the name, connecting and agreeing on TLS.
  package var connecting: Duration = .seconds(30)
  /// Without as many bytes of body as `leastSpeed` asks for; libcurl counts whole seconds, of which
  /// there is at least one.
  package var stall: Duration = .seconds(30)
  /// Bytes a second, with fewer of which a transfer counts as stalled.
  ///
  /// A server that sends one now and then would otherwise hold its place for ever; on a slow line
  /// that 64 transfers share, each of them has more.
  package var leastSpeed = 200
  /// From the start of a response that is collected whole to its end.
  package var reply: Duration = .seconds(600)
  /// From the start of a response that is read as it arrives to its end: what arrived of an original
  /// is kept, and the next request goes on from there.
  package var stream: Duration = .seconds(86_400)

  package init() {}
}
