/// Requests of which many are under way at once, by numbers that whoever asks gives them.
///
/// It is for what is small and much: nobody waits for each by itself.
package protocol FetchGroup: Sendable {
  /// Asks for addresses, any number of them; each is answered once, even when the group is cancelled.
  func ask(_ requests: [NumberedRequest])

  /// Says that bodies that have come are out of the way.
  ///
  /// What has come and was not taken is held in memory; when it is much, nothing more is begun.
  ///
  /// - Parameter bytes: What they have together.
  func took(bytes: Int)

  /// Ends what is under way, and what is asked from here on, as cancelled.
  func cancel()
}
