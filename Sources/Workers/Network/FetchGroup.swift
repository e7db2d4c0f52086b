/// Requests of which many are under way at once, by numbers that whoever asks gives them.
///
/// It is for what is small and much: nobody waits for each by itself.
package protocol FetchGroup: Sendable {
  /// Asks for addresses; each is answered once, even when the group is cancelled.
  func ask(_ requests: [(number: Int, request: NetworkRequest)])

  /// Ends what is under way, and what is asked from here on, as cancelled.
  func cancel()
}
