/// Takes away what nothing refers to.
package protocol LibraryCleaning: Sendable {
  /// Deletes the images of removed feeds, and moves originals that no image has, files that no row refers
  /// to, and partial files that nobody has touched for a week to the library's trash; empties the trash
  /// of what has lain in it for a week.
  ///
  /// - Parameter plan: How.
  /// - Returns: What was taken away, or would be.
  /// - Throws: when the library cannot be read or written, fails the check of its tables, or has a link in the
  ///   place of a folder; what is needed stays in any case.
  func clean(_ plan: CleaningPlan) async throws(StoreError) -> CleanedLibrary
}

/// How a library is cleaned.
package struct CleaningPlan: Sendable, Equatable {
  /// Whether nothing is taken away, and only told.
  package var isRehearsal: Bool
  /// Whether files are deleted at once, those in the trash, too.
  package var isImmediate: Bool
  /// Whether the link in the place of the folder for originals is meant; the library remembers where it
  /// leads.
  package var meansLinkedOriginals: Bool

  package init(
    isRehearsal: Bool = false,
    isImmediate: Bool = false,
    meansLinkedOriginals: Bool = false
  ) {
    self.isRehearsal = isRehearsal
    self.isImmediate = isImmediate
    self.meansLinkedOriginals = meansLinkedOriginals
  }
}

/// What a cleaning took away, or would take away.
package struct CleanedLibrary: Sendable, Equatable {
  /// A number of files, and what they take in bytes.
  package struct Files: Sendable, Equatable {
    package var count: Int
    package var bytes: Int

    package init(count: Int = 0, bytes: Int = 0) {
      self.count = count
      self.bytes = bytes
    }
  }

  /// Removed feeds.
  package var feeds = 0
  /// Images of removed feeds.
  package var images = 0
  /// Originals that no image has.
  package var originals = 0
  /// Other files: partial ones, and those that no row refers to.
  package var files = 0
  /// What the originals and files take, in bytes; the database's own room is not counted.
  package var bytes = 0
  /// What was deleted of the trash.
  package var emptied = Files()
  /// What lies in the trash.
  package var trash = Files()

  package init() {}

  /// Whether there was nothing to take away.
  package var isEmpty: Bool { feeds + images + originals + files + emptied.count == 0 }
}
