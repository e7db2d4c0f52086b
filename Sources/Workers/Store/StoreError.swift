package import FoundationEssentials

/// The reason why the library cannot read or store something.
package struct StoreError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Hashable {
    /// The library does not exist yet.
    case noLibrary
    /// The database of the library is missing, or has no library, and a folder still has files of one.
    case lostDatabase(LibraryRemains)
    /// The library was made by a later version of the program.
    case newer
    /// The library was made by a development version that no later program reads.
    case older
    /// The file belongs to another program.
    case foreign
    /// The folder for a new library has other files; the message is the name of one.
    case otherFiles
    /// The file is not a library, or is damaged.
    case unreadable
    /// A check has found damage; the message is the first fault.
    case unsound
    /// A folder has been replaced by a link; the message is its target.
    case linked
    /// No library can be there: a part of the path is not a folder, or the address of the database cannot be read.
    case unusablePlace
    /// The user may not read the library.
    case forbidden
    /// The library's log has changes that cannot be read, because its folder is not writable.
    case unfinishedLog
    /// The file system has no space left.
    case full
    /// The file system has only the space that a sync leaves free, in bytes.
    case reserved(bytes: Int)
    /// Originals take up as many bytes as they may, and no other original can be removed.
    ///
    /// Nil for a limit of the disk.
    case bounded(bytes: Int?)
    /// An original is larger than the limit for all originals, in bytes.
    case tooLarge(bound: Int)
    /// The disk has no room for an original beside the bytes that must stay free, and nothing gives way to it.
    case noFreeRoom(keepFree: Int)
    /// The library is read-only, or writing to it fails.
    case readOnly
    /// Another process held a lock for too long.
    case busy
    /// The server of the database cannot be reached; the message is the reason.
    case databaseUnreachable
    /// The object store cannot be reached; the message is the reason.
    case objectsUnreachable
    /// The object store refuses with a status of HTTP; the message is its code, such as `AccessDenied`.
    case objectsRefused(status: Int)
    /// The object store refuses, and the clock of this machine is so many seconds ahead of the store's, or behind it.
    case objectsRefusedClock(ahead: Int)
    /// The user has set no credentials for the object store.
    case noCredentials
    /// The objects belong to another library.
    case otherLibrary
    /// The object store ignores the conditions of writes, and another library has begun there at the same time.
    case ignoredConditions
    /// The originals of the library are in another object store; the message is its name.
    case otherObjects
    /// It is an incomplete copy of another library.
    case unfinishedCopy
    /// A copy would replace another library, which the message describes.
    case occupied
    /// A copy of this library has been changed since it was made.
    case changedSince
    /// It is a backup, to which only the next backup writes.
    case backup
    /// It is not a backup of this library, or not a backup at all.
    case notBackup
    /// A backup that was made there is not there now.
    case backupGone(since: Date)
    /// A copy would lose so many of its images that the user has to accept it.
    case removals(Int, of: Int)
    /// A restored library would replace the one that is there, which the message describes.
    case notEmpty
    /// The file cannot be moved to the trash, which is on another file system.
    case trashElsewhere
    /// The key pair of the library is missing, or cannot be used; the message is the reason.
    case unusableKey
    /// A search has more words than the limit.
    case tooManyWords(limit: Int)
    /// A search has neither a letter nor a digit.
    case nothingToSearch
    case other
  }

  /// Whether further writing would fail in the same way.
  package var endsWriting: Bool {
    switch reason {
    case .full, .reserved, .readOnly: true
    default: false
    }
  }

  /// Whether the same request may succeed later without a repair.
  package var mayPass: Bool {
    switch reason {
    case .busy, .databaseUnreachable: true
    default: endsWriting
    }
  }

  /// Whether only the limits of originals caused the error (`StorageBounds`).
  package var isOfBounds: Bool {
    switch reason {
    case .bounded, .tooLarge, .noFreeRoom: true
    default: false
    }
  }

  /// Whether the library is in order, and only the request was wrong.
  package var isOfRequest: Bool {
    switch reason {
    case .tooManyWords, .nothingToSearch: true
    default: false
    }
  }

  package var reason: Reason
  /// The file or folder that the error is about.
  package var path: String
  /// Details of the reason, in the words of the store or the system; not an error message of SQLite.
  package var message: String

  package init(reason: Reason, path: String, message: String) {
    self.reason = reason
    self.path = path
    self.message = message
  }
}

/// The files that a folder still has of a library whose database is lost.
package struct LibraryRemains: Sendable, Hashable {
  package var folder: String
  package var originals: Int
  /// The number of packs of thumbnails.
  package var packs: Int
  /// Whether the key pair of the library is there.
  package var hasKey: Bool
  /// The folders to which backups of the library were made, the newest backup first.
  package var backups: [String]

  package init(
    folder: String,
    originals: Int = 0,
    packs: Int = 0,
    hasKey: Bool = false,
    backups: [String] = []
  ) {
    self.folder = folder
    self.originals = originals
    self.packs = packs
    self.hasKey = hasKey
    self.backups = backups
  }

  package var isEmpty: Bool { originals + packs + backups.count == 0 && !hasKey }
}
