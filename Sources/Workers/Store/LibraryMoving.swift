package import Models

/// Copies a library to another place, of the same kind or another.
package protocol LibraryMoving: Sendable {
  func move() -> MoveRun
}

/// A copy that is under way; the next one goes on from where it is stopped.
package typealias MoveRun = FactRun<MoveFact, Locked<MoveCounts>>

/// What becomes of a copy.
package enum MoveFact: Sendable, Equatable {
  /// A thumbnail that is damaged, so that it is not copied.
  case damagedThumbnail(imageID: Int64)
  /// An original whose file is neither here nor there.
  case missingOriginal(SHA256Digest)
  /// All is copied and compared.
  case ended(MoveCounts)
  /// What was copied stays, and the next copy goes on from it.
  case interrupted(MoveCounts)
  case failed(StoreError)
}

/// What a copy has done.
package struct MoveCounts: Sendable, Equatable {
  package var images = 0
  package var thumbnails = 0
  package var originals = 0
  /// Rows that were missing, different or too many, of all tables.
  package var changedRows = 0
  /// Bytes of the originals' files that were copied: others are links, or were there.
  package var copiedBytes = 0
  /// Thumbnails and originals that the other place does not get.
  package var missing = 0
  /// Originals that have been put into the object store of the other place.
  package var objects = 0
  /// Originals that the object store of the other place does not have yet.
  package var waitingObjects = 0

  package init() {}
}

/// Brings the files of originals from one library's folder to another's.
package protocol OriginalCopying: Sendable {
  /// Links the file of an original, or copies it where no link can be made.
  ///
  /// - Parameters:
  ///   - hash: Its hash, which a copy is compared with.
  ///   - format: Its format.
  ///   - bytes: Its length.
  /// - Returns: What was done; `.missing` when no whole file is here.
  /// - Throws: when it cannot be written.
  func copy(
    _ hash: SHA256Digest,
    _ format: ImageFormat,
    bytes: Int
  ) throws(StoreError) -> CopiedOriginal

  /// Brings the names of new files to the disk.
  func settle() throws(StoreError)
}

/// How the file of an original came to another folder.
package enum CopiedOriginal: Sendable {
  case wasThere
  case linked
  case copied
  case missing
}
