/// One way in which the server of a picture misbehaves, and the expected outcome.
package struct Fault: Sendable, CustomStringConvertible {
  /// Answers a request for an address of the fault; `picture` is the picture that should arrive.
  package typealias Answer = @Sendable (LoopbackRequest, _ picture: [UInt8]) -> LoopbackResponse

  package enum Place: Sendable {
    /// An address on a host whose other addresses work normally.
    case address(Answer)
    /// A separate host.
    case host(@Sendable (_ picture: [UInt8]) throws(LoopbackError) -> FaultHost)
  }

  package var name: String
  /// A description of the server, as the rest of "a server that …".
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

  /// A fault of an address with a constant response.
  static func response(
    _ name: String,
    _ summary: String,
    _ outcome: FaultOutcome,
    _ response: LoopbackResponse
  ) -> Fault {
    Fault(name, summary, outcome) { _, _ in response }
  }

  /// All faults, by family.
  package static let all =
    connections + bodies + headers + chunks + codings + redirects + statuses + pauses + contents
    + secureConnections + streams + families
}

/// The expected outcome for a picture whose server has a fault.
package enum FaultOutcome: Sendable, Equatable {
  /// The picture is stored nevertheless, after this many requests.
  case stored(requests: Int)
  /// The picture is not stored, and the problem's reason contains one of these texts, separated by bars.
  ///
  /// The number counts requests, or connections if none gets as far as a request. A range up to `upTo` is right if the
  /// number depends on how quickly a connection breaks.
  case refused(String, requests: Int, upTo: Int? = nil)
  /// As refused, but only because a time limit of the program expires: the server itself does not end.
  case outlasted(String)

  /// Whether the transfer ends without a time limit of the program.
  package var endsByItself: Bool {
    if case .outlasted = self { false } else { true }
  }

  /// The allowed numbers of requests; nil if the time limit decides.
  package var requests: ClosedRange<Int>? {
    switch self {
    case .stored(let requests): requests...requests
    case .refused(_, let requests, let most): requests...(most ?? requests)
    case .outlasted: nil
    }
  }

  /// Whether the picture is stored nevertheless.
  package var isStored: Bool {
    if case .stored = self { true } else { false }
  }

  /// Whether a problem contains an expected reason, in upper or lower case.
  package func isReason(_ problem: some StringProtocol) -> Bool {
    switch self {
    case .stored: false
    case .refused(let words, _, _), .outlasted(let words):
      words.lowercased().split(separator: "|").contains { problem.lowercased().contains($0) }
    }
  }
}
