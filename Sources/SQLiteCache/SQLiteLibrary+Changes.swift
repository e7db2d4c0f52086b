import FoundationEssentials
import LibraryFiles
package import Models
import Store
package import Workers

extension SQLiteLibrary: ChangeFollowing {
  package func prepareForFollowers() async throws(StoreError) {
    // A library that cannot be written cannot have been changed either.
    let isWritable = FileSystem.isWritable(folder.path)
    guard isWritable, try FileSystem.isThere(folder.database) else { return }
    try await onWrites { () throws(StoreError) in
      // Opening the connection checks whether a backup was restored.
      _ = try self.writeConnection.opened()
      try self.write { db in try ChangeLog.prune(db) }
      try self.sealPacks()
    }
  }

  package var changeMark: Int? {
    try? commits.opened().use { db in db.sqlite.commitMark() }
  }

  package func noteFollowed(_ version: LibraryVersion) async throws(StoreError) {
    let isNew = followed.withLock { followed in
      defer { followed = version }
      return followed != version
    }
    guard isNew, FileSystem.isWritable(folder.path) else { return }
    try await onWrites { () throws(StoreError) in
      if let note = FollowedState(in: self.folder), note.version.library == version.library,
        note.version.epoch == version.epoch, note.version.number > version.number
      {
        // A backup of the database was restored while this process was running.
        let connection = try self.writeConnection.opened()
        return try StoreError.catching(self.folder.database) {
          try connection.use { db in
            try FollowedState.noticeRestore(db, in: self.folder)
          }
        }
      }
      try FollowedState(version, in: self.folder).write(in: self.folder)
    }
  }

  package func pack(_ hash: SHA256Digest) async throws(StoreError) -> SealedPack? {
    try await onReads(.short) { () throws(StoreError) in try self.sealedPack(hash) }
  }
}
