/// What a cleaning deleted, or would delete.
package struct CleanedLibrary: Sendable, Equatable {
  /// Removed feeds.
  package var feeds = 0
  /// Images of removed feeds.
  package var images = 0
  /// Originals that no image has.
  package var originals = 0
  /// Other files: partial ones, and those that no row refers to.
  package var files = 0
  /// What the deleted files take, in bytes; the database's own room is not counted.
  package var bytes = 0

  package init() {}

  /// Whether there was nothing to delete.
  package var isEmpty: Bool { feeds + images + originals + files == 0 }
}
