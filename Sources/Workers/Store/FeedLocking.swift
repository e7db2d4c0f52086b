package import FoundationEssentials
package import Models

/// Keeps two syncs of one feed apart, whichever processes they are in.
///
/// Reading never asks for a lock.
package protocol FeedLocking: Sendable {
  /// Takes the lock of a feed, known or not, unless another has it; never waits.
  ///
  /// - Parameters:
  ///   - address: The address that the feed is stored under, or is to be.
  ///   - now: When this sync begins, for others to be told.
  /// - Returns: The lock, or who has it.
  /// - Throws: when the library cannot be written.
  func lockFeed(at address: WebAddress, now: Date) throws(StoreError) -> FeedLockResult
}
