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

/// What is to come of a picture whose server has a fault.
package enum FaultOutcome: Sendable, Equatable {
  /// The picture is stored all the same, after so many requests.
  case stored(requests: Int)
  /// It is not, and the problem's reason holds these words, or others behind a bar; after so many
  /// requests, or connections where none gets as far as a request.
  ///
  /// More of them, up to a number, are right where it depends on how quickly a connection breaks.
  case refused(String, requests: Int, upTo: Int? = nil)
  /// As refused, but only because a time limit of ours runs out: by itself the server does not end.
  case outlasted(String)

  /// Whether it ends without a time limit of ours.
  package var endsByItself: Bool {
    if case .outlasted = self { false } else { true }
  }

  /// How many requests are right; nil where the time limit decides.
  package var requests: ClosedRange<Int>? {
    switch self {
    case .stored(let requests): requests...requests
    case .refused(_, let requests, let most): requests...(most ?? requests)
    case .outlasted: nil
    }
  }

  /// Whether the picture is stored all the same.
  package var isStored: Bool {
    if case .stored = self { true } else { false }
  }

  /// Whether a problem gives the reason that is right, in upper or lower case.
  package func isReason(_ problem: some StringProtocol) -> Bool {
    switch self {
    case .stored: false
    case .refused(let words, _, _), .outlasted(let words):
      words.lowercased().split(separator: "|").contains { problem.lowercased().contains($0) }
    }
  }
}
