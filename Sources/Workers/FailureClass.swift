/// How long a failure is likely to last; the raw value is what the store keeps.
package enum FailureClass: Int64, Sendable, Equatable, CaseIterable {
  /// Nothing says that the address is wrong: our own network may be away. It is tried with the next
  /// sync.
  case offline = 0
  /// The server was there and could not answer as it should: it is tried again before long.
  case transient = 1
  /// The server has said no, or what came is no picture: it is tried again after days.
  case permanent = 2
}
