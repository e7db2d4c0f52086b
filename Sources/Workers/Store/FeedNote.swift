package import Models

/// How a feed's sync ended when no document was read.
package struct FeedNote: Sendable, Equatable {
  package var status: Feed.Status
  /// Why it failed, in words; nil when it did not.
  package var problem: String?
  package var answer: FeedAnswer
  /// Whether the server says that the feed is gone (410).
  package var isGone: Bool
  /// How far its content may lead; nil leaves what there is.
  package var reach: FeedReach?

  package init(
    status: Feed.Status,
    problem: String? = nil,
    answer: FeedAnswer = FeedAnswer(),
    isGone: Bool = false,
    reach: FeedReach? = nil
  ) {
    self.status = status
    self.problem = problem
    self.answer = answer
    self.isGone = isGone
    self.reach = reach
  }
}
