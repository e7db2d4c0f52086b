/// The limits for a library's files, in one place.
enum FileLimits {
  /// The number of bytes that a sync leaves free on a disk of a given size.
  ///
  /// Other programs need some space, and so does the work of freeing space. A small disk is assumed to be for the
  /// library only, and is used completely.
  static func reserve(ofDiskWith bytes: Int) -> Int {
    bytes < smallDiskBytes ? 0 : min(bytes / reserveShare, longestReserve)
  }
  private static let smallDiskBytes = 1 << 30
  private static let reserveShare = 20
  private static let longestReserve = 1 << 30
  /// The largest block size that file systems usually have.
  static let blockBytes = 64 << 10
  /// The maximum number of packs that stay open for reading.
  static let openPacks = 64
  /// The bytes of packs from an object store that are cached on the disk.
  static let cachedPackBytes = 1 << 30
  /// The bytes that are written to that cache before it is trimmed.
  static let packBytesBetweenLooks = cachedPackBytes / 16
  /// The delay between attempts to lock a file that another process is fetching.
  static let lockRetry = Duration.milliseconds(100)
  /// The maximum number of these attempts; together they take half a minute.
  static let lockTries = 300
  /// The bytes of an original that arrive before the partial file is flushed and noted.
  static let bytesBetweenNotes = 8 << 20
  /// The maximum number of bytes of an original that arrive while an earlier note is still being written.
  ///
  /// On a slow disk, the network waits then.
  static let bytesAheadOfNote = 32 << 20
  /// The number of pieces of an original that may wait to be hashed.
  static let piecesUnhashed = 2
  /// The number of first bytes of a stored original that are checked whenever it is requested.
  static let originalHeadBytes = 4 << 10
  /// The number of bytes of a partial file that are read back at a time.
  static let readBackBytes = 256 << 10
  /// The folders below one another that a feed of a folder has, and the names in all of them together.
  static let folderDepth = 32
  static let folderNames = 1_000_000
  /// The files and folders that an explanation says to be left out.
  static let explainedNames = 10_000
  /// The number of first bytes that tell whether a file of a folder is a picture.
  static let pictureHeadBytes = 64 << 10
  /// The maximum size of the note beside a partial file; this program does not write longer notes.
  static let noteBytes = 64 << 10
}
