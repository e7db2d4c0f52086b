/// One way in which a server misbehaves when it is asked for a picture, and what is to come of it.
package struct Fault: Sendable, CustomStringConvertible {
  /// Answers a request under an address of the fault's; beside it, the picture that should come.
  package typealias Answer = @Sendable (LoopbackRequest, _ picture: [UInt8]) -> LoopbackResponse

  package enum Place: Sendable {
    /// An address of a host whose other addresses answer as they should.
    case address(Answer)
    /// A host of its own.
    case host(@Sendable (_ picture: [UInt8]) throws(LoopbackError) -> FaultHost)
  }

  package var name: String
  /// What the server does, as the rest of "a server that …".
  package var summary: String
  package var place: Place
  package var outcome: FaultOutcome

  package var description: String { name }

  /// A fault of an address.
  init(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    answer: @escaping Answer
  ) {
    self.name = name
    self.summary = summary
    self.outcome = outcome
    place = .address(answer)
  }

  /// A fault of a host.
  init(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    host: @escaping @Sendable (_ picture: [UInt8]) throws(LoopbackError) -> FaultHost
  ) {
    self.name = name
    self.summary = summary
    self.outcome = outcome
    place = .host(host)
  }

  /// A fault of an address that always answers the same.
  static func response(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    _ response: LoopbackResponse
  ) -> Fault {
    Fault(name, summary, outcome) { _, _ in response }
  }

  /// Every fault there is, by family.
  package static let all =
    connections + bodies + headers + chunks + codings + redirects + statuses + pauses + contents
    + secureConnections + streams + families
}
