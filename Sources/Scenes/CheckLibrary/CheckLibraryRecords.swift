/// Something that verification found, or did about it, for scripts.
package struct CheckRecord: Equatable, Sendable {
  /// `damaged`, `missing`, `stray`, `unreadable`, `repaired` or `unrepaired`.
  package var event: String
  /// `database`, `thumbnail`, `original` or `file`.
  package var kind: String
  /// The images it belongs to; empty when it belongs to none.
  package var ids: [Int64]
  /// The file; nil when it is part of the database.
  package var file: String?
  /// Why, in words; nil when there is nothing to say.
  package var reason: String?
}

/// What a verification came to, for scripts.
package struct VerificationRecord: Equatable, Sendable {
  package var thumbnails: Int
  package var originals: Int
  package var damaged: Int
  package var missing: Int
  package var stray: Int
  package var unreadable: Int
  package var repaired: Int
  package var interrupted: Bool
}

/// What a cleaning took away, or would take away, for scripts.
package struct CleaningRecord: Equatable, Sendable {
  package var feeds: Int
  package var images: Int
  package var originals: Int
  package var files: Int
  package var bytes: Int
  package var dryRun: Bool
  /// What was deleted of the trash.
  package var emptied: Files
  /// What lies in the trash.
  package var trash: Files

  package struct Files: Equatable, Sendable {
    package var files: Int
    package var bytes: Int
  }
}
