package import FoundationEssentials

/// Who is syncing a feed.
package struct LockHolder: Sendable, Equatable {
  /// The id of the process.
  package var process: Int
  /// When it began.
  package var since: Date

  package init(process: Int, since: Date) {
    self.process = process
    self.since = since
  }
}
