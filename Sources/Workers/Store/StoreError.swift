/// Why the library cannot answer or keep something.
package struct StoreError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Hashable {
    /// Nothing has been synced into this place yet.
    case noLibrary
    /// Made by a later version of the program.
    case newer
    /// Another program's file.
    case foreign
    /// Not a library, or damaged.
    case unreadable
    /// Its check has found damage; the first fault is the message.
    case unsound
    /// A link stands in the place of a folder; the message says where it leads.
    case linked
    /// The user of the program may not read it.
    case forbidden
    /// It has changes in its log that cannot be read where nothing can be written beside it.
    case unfinishedLog
    /// The file system has no space left.
    case full
    /// The file system has no more space left than a sync leaves free: so many bytes.
    case reserved(bytes: Int)
    /// Originals take as much as they may, so many bytes, and no other one gives way; nil for a bound of the disk.
    case bounded(bytes: Int?)
    /// An original is larger than all originals may be together: so many bytes.
    case tooLarge(bound: Int)
    /// The place cannot be written to, or does not take what is written.
    case readOnly
    /// Another process held a lock for too long.
    case busy
    /// The server of the database cannot be asked; the message says why.
    case databaseUnreachable
    /// The object store cannot be asked; the message says why.
    case objectsUnreachable
    /// The object store refuses, with a status of HTTP; the message is its code, such as `AccessDenied`.
    case objectsRefused(status: Int)
    /// The user has set no credentials for the object store.
    case noCredentials
    /// The objects are those of another library.
    case otherLibrary
    /// The library has its originals in another object store, which the message names.
    case otherObjects
    /// It is the copy of another library, whose making was interrupted.
    case unfinishedCopy
    /// There is another library, which a copy would replace; the message says what it has.
    case occupied
    /// A copy of this library has changed by itself since it was made.
    case changedSince
    /// A search for more words than one may have.
    case tooManyWords(limit: Int)
    /// A search without a letter or digit to look for.
    case nothingToSearch
    case other
  }

  /// Whether writing more is bound to fail the same way.
  package var endsWriting: Bool {
    switch reason {
    case .full, .reserved, .readOnly: true
    default: false
    }
  }

  /// Whether an original only has no room among the others (`StorageBounds`).
  package var isOfBounds: Bool {
    switch reason {
    case .bounded, .tooLarge: true
    default: false
    }
  }

  /// Whether the library is well, and could not be asked for that.
  package var isOfRequest: Bool {
    switch reason {
    case .tooManyWords, .nothingToSearch: true
    default: false
    }
  }

  package var reason: Reason
  /// The file or folder it is about.
  package var path: String
  /// What is known beyond the reason, in the store's or the system's words; none of SQLite's own.
  package var message: String

  package init(reason: Reason, path: String, message: String) {
    self.reason = reason
    self.path = path
    self.message = message
  }
}
