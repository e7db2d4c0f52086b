/// All limits of the store, in one place.
enum Limits {
  /// How long a writer waits for another process's transaction: as long as a sync waits for a feed.
  ///
  /// A transaction is short, but a busy machine or a slow disk may hold up its process for some seconds.
  static let busyMilliseconds: Int32 = 60_000
  /// How long a task of many transactions waits between them, so that other processes can write.
  static let pauseMicroseconds: UInt32 = 2_000
  /// Images that one transaction may change, depending on how long the last one took.
  static let imagesPerTransaction = 50...500
  /// Images of a document that one transaction may write.
  static let documentImagesPerTransaction = 125...1_000
  /// Bytes of texts that one transaction of a document may index: words that are all different take half of
  /// `transactionWriting`, and as long again when it ends.
  static let documentTextPerTransaction = 512 << 10
  /// Images that one transaction may delete, with their thumbnails and their words, or originals with their files.
  static let deletionsPerTransaction = 15...150
  /// The target time for the writes of a transaction, which leaves as long for its commit.
  static let transactionWriting = Duration.milliseconds(25)
  /// Rows of a table that a repair tries to correct.
  static let rowsCorrected = 1_000
  /// Pages of the write-ahead log before a commit moves them into the database.
  static let logPages = 2_000
  /// The same while a long document is written, so that a page that several transactions change is moved once.
  ///
  /// Each of these transactions alone would make the log as long as `logPages`.
  static let longLogPages = 8_000
  /// The number of images from which a document counts as long.
  static let imagesOfLongDocument = 10_000
  /// Bytes of the write-ahead log's file that stay after a checkpoint.
  ///
  /// To truncate the rest takes time, for which a user waits at the end of a sync.
  static let logBytesKept = 1 << 20
  /// Bytes of a page of a new database, twice SQLite's default.
  ///
  /// Each page takes one system call to be written to the log, and another to be moved out of it.
  static let pageBytes = 8_192
  /// Connections that read at the same time.
  static let readConnections = 4
  /// How many of these connections long reads may use together.
  static let longReads = 3
  /// Page cache of a connection that writes or verifies, in KiB.
  static let cacheKiB = 16_384
  /// The same for a connection that reads: the system's page cache, too, has the pages that it reads again.
  static let readCacheKiB = 2_048
  /// The length in bytes from which a pack is full, and nothing more is appended to it.
  static let packBytes = 64 << 20
  /// Full packs that are hashed in one pass.
  static let packsSealed = 8
  /// How many packs are tried for one that no other process appends to, before a new one is made.
  static let packsTried = 16
  /// Holes in packs whose room one transaction gives back to the file system.
  static let holesPerTransaction = 500
  /// Free pages that one transaction gives back to the file system.
  static let vacuumPages = 2_000
}
