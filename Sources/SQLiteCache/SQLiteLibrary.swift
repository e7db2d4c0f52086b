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
  /// What its own file is read with.
  private let ownReader: SQLiteReader
  /// The library that is read until this one is first written; nil for one that is no rehearsal.
  let rehearsed: SQLiteReader?
  /// The pack that thumbnails are appended to; nil before the first.
  let openPack = Locked<OpenPack?>(nil)
  /// The folders for originals that are known to be on the disk.
  let syncedFolders = Locked<Set<String>>([])
  /// Whether something was written that a power cut could still take.
  let isUnflushed = Locked(false)
  /// The folder, where it goes with the library.
  private let scratch: ScratchFolder?
  /// What sums up where time goes; nil when nobody wants to know.
  let stopwatch: Stopwatch?

  /// Takes the library's folder; it is made, and the file in it opened, with the first question.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - reader: What it reads with, when others read the same folder; nil for one of its own.
  ///   - stopwatch: Sums up what writing takes; nil when nobody wants to know.
  package convenience init(
    folder path: String,
    reader: SQLiteReader? = nil,
    stopwatch: Stopwatch? = nil
  ) {
    self.init(path, reader: reader, scratch: nil, rehearsed: nil, stopwatch: stopwatch)
  }

  /// Takes a folder that is deleted with it, and what is read until it is first written: then `prepare` makes of
  /// its file what that one is.
  convenience init(
    _ scratch: ScratchFolder,
    rehearsing library: SQLiteReader,
    prepare: @escaping @Sendable (DatabaseQueue) throws(StoreError) -> Void
  ) {
    self.init(
      scratch.path,
      reader: nil,
      scratch: scratch,
      rehearsed: library,
      stopwatch: nil,
      prepare: prepare
    )
  }

  private init(
    _ path: String,
    reader: SQLiteReader?,
    scratch: ScratchFolder?,
    rehearsed: SQLiteReader?,
    stopwatch: Stopwatch?,
    prepare: @escaping @Sendable (DatabaseQueue) throws(StoreError) -> Void = { _ in }
  ) {
    let folder = LibraryFolder(path)
    self.folder = folder
    self.scratch = scratch
    self.stopwatch = stopwatch
    connection = LazyConnection(keeping: folder.database) { () throws(StoreError) in
      let queue = try WriteConnection.open(folder)
      try prepare(queue)
      return queue
    }
    ownReader = reader ?? SQLiteReader(folder: path)
    self.rehearsed = rehearsed
  }

  var reader: SQLiteReader {
    guard let rehearsed, !connection.isOpen else { return ownReader }
    return rehearsed
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
