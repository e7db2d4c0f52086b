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
  /// The pack that thumbnails are appended to; nil before the first.
  let openPack = Locked<OpenPack?>(nil)
  /// The folders for originals that are known to be on the disk.
  let syncedFolders = Locked<Set<String>>([])
  /// Whether something was written that a power cut could still take.
  let isUnflushed = Locked(false)
  /// How many images of a document the next transaction may write.
  let lengths = Locked(TransactionLength())
  /// How long the log may become.
  let logLength = Locked(Database.LogLength.short)
  /// What sums up where time goes; nil when nobody wants to know.
  let stopwatch: Stopwatch?

  /// Takes the library's folder; it is made, and the file in it opened, with the first question.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - reader: What it reads with, when others read the same folder; nil for one of its own.
  ///   - stopwatch: Sums up what writing takes; nil when nobody wants to know.
  package init(folder path: String, reader: SQLiteReader? = nil, stopwatch: Stopwatch? = nil) {
    let folder = LibraryFolder(path)
    self.folder = folder
    self.stopwatch = stopwatch
    connection = LazyConnection(keeping: folder.database) { () throws(StoreError) in
      try WriteConnection.open(folder)
    }
    self.reader = reader ?? SQLiteReader(folder: path)
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

  package func manifests(at address: WebAddress?) throws(StoreError) -> [FeedManifest] {
    try reader.manifests(at: address)
  }

  package func failures() throws(StoreError) -> [Int64: [FailureGroup]] { try reader.failures() }

  package func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    try reader.original(imageID: imageID)
  }

  /// Writes in one transaction, which waits for other processes' transactions.
  func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    let connection = try connection.opened()
    let result = try StoreError.catching(folder.database) {
      try connection.write(timedBy: stopwatch, body)
    }
    isUnflushed.withLock { $0 = true }
    return result
  }
}
