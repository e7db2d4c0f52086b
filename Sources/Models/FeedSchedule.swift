/// When a program that keeps running asks for a feed.
package struct FeedSchedule: Sendable, Equatable {
  /// The seconds between two times that the user has fixed; nil to learn them from the feed's changes.
  package var givenInterval: Int?

  package init(givenInterval: Int? = nil) { self.givenInterval = givenInterval }
}
