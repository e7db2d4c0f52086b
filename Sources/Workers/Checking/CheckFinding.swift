package import Models

/// Something of a library that is not as it should be.
package struct CheckFinding: Sendable, Equatable {
  package enum Condition: Sendable, Equatable {
    case damaged(Damage)
    /// The library says that it is stored, and it is not there.
    case missing
    /// Nothing refers to it: it takes room and does no harm.
    case stray(bytes: Int)
    /// It could not be looked at.
    case unreadable(StoreError)
  }

  package var thing: CheckedThing
  package var condition: Condition

  package init(_ thing: CheckedThing, _ condition: Condition) {
    self.thing = thing
    self.condition = condition
  }
}

/// A part of a library that can be looked at on its own.
package enum CheckedThing: Sendable, Equatable {
  /// The database's file as a whole.
  case database
  case thumbnail(imageID: Int64)
  /// An original's file, and the images whose original it is.
  case original(path: String, imageIDs: [Int64])
  /// A file that no row of the library refers to.
  case file(path: String)
  /// An original in the object store, and the images whose original it is; all of it when there are no images.
  case object(name: String, imageIDs: [Int64])
}

/// What is wrong with something that is stored.
package enum Damage: Sendable, Equatable {
  /// The content is not the one that was stored: its hash differs.
  case otherContent
  /// The file has another length, in bytes, than was stored.
  case otherLength(Int, expected: Int)
  /// A folder, a link or a pipe stands where the file was.
  case notAFile
  /// What is stored is no picture; what it looks like, as a noun with its article.
  case notAPicture(looksLike: String)
  /// The picture is of another format than the library says.
  case otherFormat(ImageFormat)
  /// The picture ends before its end marker.
  case cut(ImageFormat)
  /// The picture cannot be decoded; the decoding library's words.
  case undecodable(String)
  /// The library's database; what is wrong with it, in the store's words.
  case database(String)
}

/// What a verification says while it runs; none is dropped, and `ended` is the last.
package enum CheckFact: Sendable, Equatable {
  /// It goes on from where an interrupted one stopped.
  case resumed
  case found(CheckFinding)
  /// A picture that was damaged or missing is right again.
  case repaired(CheckedThing)
  /// A picture could not be had again; what was stored of it stays.
  case notRepaired(CheckedThing, Failure)
  case ended(VerificationCounts, isInterrupted: Bool)
}

/// A thumbnail as the library has it.
package struct StoredThumbnail: Sendable, Equatable {
  package var imageID: Int64
  /// What the library says of it; nil when it says nothing of a thumbnail that is there.
  package var info: PictureInfo?
  package var bytes: [UInt8]
  /// Whether the library found the bytes as it put them there; otherwise there are none.
  package var isIntact: Bool
  /// Whether it is remembered as damaged.
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
  /// SHA-256 of the content that was stored, in lower-case hexadecimal digits.
  package var sha256: String
  /// The length that was stored, in bytes.
  package var bytes: Int
  /// The images whose original it is.
  package var imageIDs: [Int64]
  /// Whether one of them is remembered as having it damaged, or not having it.
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

  package init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }
}
