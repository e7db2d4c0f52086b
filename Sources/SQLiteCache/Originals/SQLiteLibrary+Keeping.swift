import GRDB
import Models
import Workers

extension SQLiteLibrary {
  /// Gives an original its name and ties it to its image.
  ///
  /// Both happen in one transaction, so that no other process can delete a file as unreferred
  /// between the look at it and the row. The name is on the disk before the row is.
  func keep(
    _ file: PartialFile,
    of imageID: Int64,
    sha256: String,
    _ receipt: OriginalReceipt
  ) throws(StoreError) -> StoredOriginal {
    try makeFolders(for: sha256)
    return try write { db in
      var receipt = receipt
      receipt.info.format = try OriginalQueries.format(sha256: sha256, db) ?? receipt.info.format
      try OriginalQueries.checkExists(imageID: imageID, in: folder, db)
      try place(file, sha256: sha256, receipt.info.format)
      try OriginalQueries.store(receipt, sha256: sha256, imageID: imageID, db)
      guard let row = try OriginalQueries.file(imageID: imageID, db) else {
        throw DatabaseError(message: "a row that was just written is not there")
      }
      return StoredOriginal(row, in: folder)
    }
  }

  /// Names the file that has arrived; one of this content that is there may have been damaged since.
  private func place(_ file: PartialFile, sha256: String, _ format: ImageFormat) throws {
    let path = folder.original(sha256: sha256, fileExtension: format.fileExtension)
    try FileSystem.removeEmptyFolder(path)
    try FileSystem.move(file.path, to: path)
    try FileSystem.sync(folder: folder.originalsFolder(sha256: sha256))
  }

  private func makeFolders(for sha256: String) throws(StoreError) {
    try makeFolders([folder.originals], in: folder.path)
    try makeFolders([folder.originalsFolder(sha256: sha256)], in: folder.originals)
  }

  /// Makes folders that are on the disk when this returns: whoever else has made them may have been
  /// killed before that.
  func makeFolders(_ paths: [String], in parent: String) throws(StoreError) {
    let known = syncedFolders.withLock { $0 }
    let missing = paths.filter { !known.contains($0) }
    if missing.isEmpty { return }
    for path in missing { _ = try FileSystem.makeFolder(path) }
    try FileSystem.sync(folder: parent)
    syncedFolders.withLock { $0.formUnion(missing) }
  }
}
