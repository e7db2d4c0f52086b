package import Models

/// A fault that a check found in a library.
package struct CheckFinding: Sendable, Equatable {
  package enum Condition: Sendable, Equatable {
    case damaged(Damage)
    /// The library records it as stored, but it is missing.
    case missing
    /// Nothing refers to it. It takes up room and does no harm.
    case stray(bytes: Int)
    /// It could not be read.
    case unreadable(StoreError)
  }

  package var thing: CheckedThing
  package var condition: Condition

  package init(_ thing: CheckedThing, _ condition: Condition) {
    self.thing = thing
    self.condition = condition
  }
}

/// A part of a library that can be checked separately.
package enum CheckedThing: Sendable, Equatable {
  /// The database's file as a whole.
  case database
  case thumbnail(imageID: Int64)
  /// An original's file, and the images whose original it is.
  case original(path: String, imageIDs: [Int64])
  /// A file that no row of the library refers to.
  case file(path: String)
  /// An object of the object store, and the images whose original it is. Without images, the whole object store.
  case object(name: String, imageIDs: [Int64])
}

/// The damage of something stored.
package enum Damage: Sendable, Equatable {
  /// The content is not the one that was stored: its hash differs.
  case otherContent
  /// The file's length in bytes differs from the length that was stored.
  case otherLength(Int, expected: Int)
  /// The path of the file leads to a folder, a link or a pipe.
  case notAFile
  /// The stored bytes are not a picture; a noun with its article names what they look like.
  case notAPicture(looksLike: String)
  /// The picture has another format than the one recorded.
  case otherFormat(ImageFormat)
  /// The picture ends before its end marker.
  case cut(ImageFormat)
  /// The picture cannot be decoded; the text is the decoding library's message.
  case undecodable(String)
  /// The library's database is damaged; the text is the store's message.
  case database(String)
}

/// Why a repair does not restore a damaged or missing picture before something else changes.
package enum RepairObstacle: Sendable, Equatable {
  /// No followed feed names its images any more.
  case removedFeed
  /// It comes from a file that its folder has no longer, or has with other content.
  case lostFile
  /// It could not be fetched or made when that was last tried.
  case failed
}

/// A fact about a running verification; all of them are delivered, and `ended` is the last.
package enum CheckFact: Sendable, Equatable {
  /// The verification continues where an interrupted one stopped.
  case resumed
  case found(CheckFinding)
  /// A damaged or missing picture has been restored.
  case repaired(CheckedThing)
  /// A picture could not be restored; its stored data stays.
  case notRepaired(CheckedThing, Failure)
  case ended(VerificationCounts, isInterrupted: Bool)
}

/// A stored thumbnail with the library's record of it.
package struct StoredThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// The library's record of it; nil for a thumbnail without a record.
  package var info: PictureInfo?
  package var bytes: [UInt8]
  /// Whether the bytes are as they were stored; if not, `bytes` is empty.
  package var isIntact: Bool
  /// Whether the library has marked it as damaged.
  package var isMarked: Bool

  package init(
    imageID: Int64,
    info: PictureInfo?,
    bytes: [UInt8],
    isIntact: Bool = true,
    isMarked: Bool = false
  ) {
    self.imageID = imageID
    self.info = info
    self.bytes = bytes
    self.isIntact = isIntact
    self.isMarked = isMarked
  }
}

/// The row of an original's file.
package struct FiledOriginal: Sendable, Equatable {
  package var id: Int64
  /// The absolute path of its file.
  package var path: String
  /// SHA-256 of the stored content, in lower-case hexadecimal digits.
  package var sha256: String
  /// The stored length, in bytes.
  package var bytes: Int
  /// The images whose original it is.
  package var imageIDs: [Int64]
  /// Whether the library has marked it as damaged or missing for one of these images.
  package var isMarked: Bool

  package init(
    id: Int64,
    path: String,
    sha256: String,
    bytes: Int,
    imageIDs: [Int64],
    isMarked: Bool = false
  ) {
    self.id = id
    self.path = path
    self.sha256 = sha256
    self.bytes = bytes
    self.imageIDs = imageIDs
    self.isMarked = isMarked
  }
}

/// A file in the library's folder that no row refers to.
package struct StrayFile: Sendable, Equatable {
  /// Its absolute path.
  package var path: String
  /// Its length.
  package var bytes: Int
  /// Whether its place and its name are those of an original.
  package var isOriginal: Bool
  /// When an original last changed, in seconds since 1970; 0 for another file.
  package var changed: Int

  package init(path: String, bytes: Int, isOriginal: Bool = false, changed: Int = 0) {
    self.path = path
    self.bytes = bytes
    self.isOriginal = isOriginal
    self.changed = changed
  }
}
