import GRDB
package import Models
package import Workers

/// A library that may be written: makes it, migrates it, and keeps what syncs bring.
///
/// It reads as `SQLiteReader` does, on a connection of its own, so that reading never waits for
/// what this process writes either.
package final class SQLiteLibrary: LibraryReading, OriginalReading {
  let folder: LibraryFolder
  let connection: LazyConnection
  let reader: SQLiteReader
  /// The folders for originals that are known to be on the disk.
  let syncedFolders = Locked<Set<String>>([])

  /// Takes the library's folder; it is made, and the file in it opened, with the first question.
  package init(folder path: String) {
    let folder = LibraryFolder(path)
    self.folder = folder
    connection = LazyConnection { () throws(StoreError) in try WriteConnection.open(folder) }
    reader = SQLiteReader(folder: path)
  }

  package func readImages(
    matching query: ImageQuery,
    batchSize: Int,
    _ body: ([WebImage]) -> Bool
  ) throws(StoreError) {
    try reader.readImages(matching: query, batchSize: batchSize, body)
  }

  package func image(id: Int64) throws(StoreError) -> WebImage? { try reader.image(id: id) }

  package func thumbnailBytes(imageID: Int64) throws(StoreError) -> [UInt8]? {
    try reader.thumbnailBytes(imageID: imageID)
  }

  package func feeds() throws(StoreError) -> [Feed] { try reader.feeds() }

  package func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    try reader.original(imageID: imageID)
  }

  /// Writes in one transaction, which waits for other processes' transactions.
  func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    let connection = try connection.opened()
    return try StoreError.catching(folder.database) { try connection.write(body) }
  }
}
