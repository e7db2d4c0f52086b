/// Every bound of a library's files, in one place.
enum FileLimits {
  /// Bytes that a sync leaves free of a disk with so many: other programs need some, and so does what makes room.
  ///
  /// A disk that is small was made for the library, and is used to its end.
  static func reserve(ofDiskWith bytes: Int) -> Int {
    bytes < smallDiskBytes ? 0 : min(bytes / reserveShare, longestReserve)
  }
  private static let smallDiskBytes = 1 << 30
  private static let reserveShare = 20
  private static let longestReserve = 1 << 30
  /// The largest block that file systems usually give room in.
  static let blockBytes = 64 << 10
  /// Packs that are kept open to be read.
  static let openPacks = 64
  /// Bytes of packs from an object store that stay on the disk.
  static let cachedPackBytes = 1 << 30
  /// Bytes that are written there before room is made.
  static let packBytesBetweenLooks = cachedPackBytes / 16
  /// Between two tries for a file that another process is fetching.
  static let lockRetry = Duration.milliseconds(100)
  /// Tries before a file that another process is fetching counts as not to be had: half a minute.
  static let lockTries = 300
  /// Bytes of an original that arrive before what is here is brought to the disk and noted.
  static let bytesBetweenNotes = 8 << 20
  /// Bytes of an original that arrive at most before those noted last are on the disk: where it is slow,
  /// the network waits for it.
  static let bytesAheadOfNote = 32 << 20
  /// Pieces of an original that may wait to be hashed.
  static let piecesUnhashed = 2
  /// First bytes of a stored original that are looked at whenever it is asked for.
  static let originalHeadBytes = 4 << 10
  /// Bytes of a partial file that are read back at a time.
  static let readBackBytes = 256 << 10
  /// Bytes of the note beside a partial file; a longer one is not ours.
  static let noteBytes = 64 << 10
}
