/// Every bound of the database, in one place.
enum Limits {
  /// How long a writer waits for another process's transaction.
  static let busyMilliseconds: Int32 = 5_000
  /// How long a task of many transactions waits between them, so that other processes can write.
  static let pauseMicroseconds: UInt32 = 2_000
  /// Images that one transaction may change, by how long the last one took.
  static let imagesPerTransaction = 50...500
  /// Images of a document that one transaction may write.
  static let documentImagesPerTransaction = 125...1_000
  /// Images that one transaction may delete, with their thumbnails and their words, or originals with their files.
  static let deletionsPerTransaction = 15...150
  /// For how long a transaction is to write, so that there is as long for its commit.
  static let transactionWriting = Duration.milliseconds(25)
  /// How many stored images behind new ones are looked at, lest one of them be added again.
  static let neighboursLookedAt = 16
  /// Rows of a table that a repair tries to bring back.
  static let rowsCorrected = 1_000
  /// Different words of a search: the index takes a time for them that grows with their square.
  static let searchWords = 100
  /// Images with the words of a search from which on these are common (`SearchExpression.isCommon`).
  static let commonImages = 5_000
  /// The part of a bound of originals that gives way at once, beside what is needed: so that the disk is waited for
  /// once for many.
  static let evictedShare = 100
  /// How long an original is not noted again as looked at.
  static let secondsBetweenLooks: Int64 = 600
  /// Pages of the write-ahead log before a commit moves them into the database.
  static let logPages = 2_000
  /// The same while a long document is written, of which each transaction would make the log that long: a page
  /// that several of them have changed is moved once.
  static let longLogPages = 8_000
  /// Images of a document from which on it counts as long.
  static let imagesOfLongDocument = 10_000
  /// Bytes of the write-ahead log's file that stay when what was in it has been moved: to cut the rest off
  /// takes time, which at the end of a sync somebody waits for.
  static let logBytesKept = 1 << 20
  /// Bytes of a page of a new database: twice as many as SQLite takes by itself, since each page is written by
  /// a call of its own, to the log and out of it.
  static let pageBytes = 8_192
  /// Connections that read at the same time.
  static let readConnections = 4
  /// Of these, the ones that long questions may take together.
  static let longReads = 3
  /// Thumbnails with the same bytes that are looked at for one that is whole.
  static let samePictures = 8
  /// Memory for the pages of a connection that writes or verifies, in KiB.
  static let cacheKiB = 16_384
  /// The same for one that reads: what it reads again is in the system's memory, too.
  static let readCacheKiB = 2_048
  /// Bytes of a pack from which on nothing more is appended to it.
  static let packBytes = 64 << 20
  /// Full packs that are hashed together, before clients see them.
  static let packsSealed = 8
  /// Packs that are looked at for one that no process appends to, before another is made.
  static let packsTried = 16
  /// Holes in packs that are noted as given back in one transaction.
  static let holesPerTransaction = 500
  /// Free pages given back to the file system in one transaction.
  static let vacuumPages = 2_000
  /// How long a tombstone is kept: a client that was away for longer compares everything.
  static let tombstoneDays = 90
  /// Tombstones that are looked at together for their age.
  static let tombstonesPruned = 1_000
  /// Changes that a summary of what is new counts.
  static let changesCounted = 1_000
}
