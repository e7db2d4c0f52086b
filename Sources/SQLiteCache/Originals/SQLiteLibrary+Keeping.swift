import FoundationEssentials
import GRDB
import Models
import Workers

extension SQLiteLibrary {
  /// Gives an original its name and ties it to its image.
  ///
  /// Both happen in one transaction, so that no other process can delete a file as unreferred
  /// between the look at it and the row. The name is on the disk before the row is.
  func keep(_ arrived: ArrivedOriginal, now: Date) throws(StoreError) -> StoredOriginal {
    try makeFolders(for: arrived.sha256)
    return try write { db in
      let named = try OriginalQueries.address(imageID: arrived.imageID, db)
      let info = try placed(arrived, db)
      let original = StoredOriginal(
        path: path(arrived.sha256, info.format),
        sha256: arrived.sha256,
        info: info,
        isStale: named.map { $0.identity != arrived.address.identity } ?? true
      )
      try OriginalQueries.store(original, of: arrived, now: now, db)
      return original
    }
  }

  /// Names the file that has arrived; one of this content that is there may have been damaged since.
  private func placed(_ arrived: ArrivedOriginal, _ db: Database) throws -> PictureInfo {
    var info = arrived.info
    info.format = try OriginalQueries.format(sha256: arrived.sha256, db) ?? info.format
    let path = path(arrived.sha256, info.format)
    try FileSystem.move(arrived.file.path, to: path)
    try FileSystem.sync(folder: folder.originalsFolder(sha256: arrived.sha256))
    return info
  }

  private func makeFolders(for sha256: String) throws(StoreError) {
    try makeFolder(folder.originals, in: folder.path)
    try makeFolder(folder.originalsFolder(sha256: sha256), in: folder.originals)
  }

  /// Makes a folder that is on the disk when this returns: whoever else has made it may have been
  /// killed before that.
  private func makeFolder(_ path: String, in parent: String) throws(StoreError) {
    if syncedFolders.withLock({ $0.contains(path) }) { return }
    _ = try FileSystem.makeFolder(path)
    try FileSystem.sync(folder: parent)
    syncedFolders.withLock { _ = $0.insert(path) }
  }

  private func path(_ sha256: String, _ format: ImageFormat) -> String {
    folder.original(sha256: sha256, fileExtension: format.fileExtension)
  }
}
