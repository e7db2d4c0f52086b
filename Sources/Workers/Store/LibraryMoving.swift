package import Models

/// Copies a library to another place, of the same kind or another.
package protocol LibraryMoving: Sendable {
  func move() -> MoveRun
}

/// A running copy; if it is stopped, the next one continues from there.
package typealias MoveRun = FactRun<MoveFact, Locked<MoveCounts>>

/// A fact about a running copy.
package enum MoveFact: Sendable, Equatable {
  /// A thumbnail that is not copied, because it is damaged.
  case damagedThumbnail(imageID: Int64)
  /// An original whose file is missing in the library, and missing or damaged in the copy.
  case missingOriginal(SHA256Digest)
  /// An original whose file is damaged in the library, and missing or damaged in the copy.
  case damagedOriginal(SHA256Digest)
  /// A file of settings or tokens that a restored library does not get, because there is another one at its path.
  case keptFile(path: String)
  /// Everything is copied and compared.
  case ended(MoveCounts)
  /// The copy was interrupted; copied data stays, and the next copy continues from there.
  case interrupted(MoveCounts)
  case failed(StoreError)
}

/// A folder that is a feed, with the number of its pictures, whose originals are not in the library.
package struct PictureFolderCount: Sendable, Equatable {
  package var path: String
  package var pictures: Int

  package init(path: String, pictures: Int) { (self.path, self.pictures) = (path, pictures) }
}

/// The amounts of data that a copy has processed.
package struct MoveCounts: Sendable, Equatable {
  package var images = 0
  package var thumbnails = 0
  package var originals = 0
  /// Rows of all tables that were missing, different or superfluous.
  package var changedRows = 0
  /// Files of originals that the copy did not have.
  package var newFiles = 0
  /// The size of the originals' files that were copied, in bytes; other files are links, or existed already.
  package var copiedBytes = 0
  /// Thumbnails and originals that were not copied, because they are missing or damaged.
  package var missing = 0
  /// Thumbnails and originals of the copy that were damaged, cut or lost, and were copied again.
  package var renewed = 0
  /// Images and originals that the copy had, and that the library has no longer.
  package var removedImages = 0
  package var removedOriginals = 0
  /// Faults of the copy's database, which were repaired.
  package var databaseFaults = 0
  /// The folders whose pictures are not in the copy.
  package var folders: [PictureFolderCount] = []
  /// Originals that were uploaded to the object store of the destination.
  package var objects = 0
  /// Originals that are not yet in the object store of the destination.
  package var waitingObjects = 0

  package init() {}
}

/// The files in the folder of a library with the tokens for access to its server.
package enum TokenFile {
  /// The server's own token, in clear text.
  package static let ofServer = "server-token"
  /// The hashes of the tokens that the user has named.
  package static let named = "tokens.json"
}

/// Copies the files of originals from one library's folder to another's.
package protocol OriginalCopying: Sendable {
  /// Links the file of an original, or copies it if it cannot be linked.
  ///
  /// - Parameters:
  ///   - hash: Its hash, which is compared with that of a copy.
  ///   - format: Its format.
  ///   - bytes: Its length.
  /// - Returns: The way in which it was copied; `.missing` or `.damaged` when this folder does not have the whole file,
  ///   and then the copy stays as it is.
  /// - Throws: when it cannot be written.
  func copy(
    _ hash: SHA256Digest,
    _ format: ImageFormat,
    bytes: Int
  ) throws(StoreError) -> CopiedOriginal

  /// Flushes the names of new files to the disk.
  func settle() throws(StoreError)
}

/// The way in which the file of an original got into another folder.
package enum CopiedOriginal: Sendable {
  case wasThere
  case linked
  case copied
  /// Copied in place of a damaged or cut file.
  case renewed
  case missing
  case damaged

  /// Whether the copy has the whole file now.
  package var isWhole: Bool { self != .missing && self != .damaged }
}
