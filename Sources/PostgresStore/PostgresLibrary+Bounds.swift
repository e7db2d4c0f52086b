import Dispatch
package import FoundationEssentials
import Glibc
import LibraryFiles
import Models
import Store
import Workers

/// Keeps the originals on this machine within a bound.
///
/// New originals displace those that the object store has, least recently read first. Each machine has its own files,
/// so the library counts the files on the disk. It counts again after a minute, which includes the changes of other
/// programs.
extension PostgresLibrary {
  /// The number of files in one query.
  private static let filesAtOnce = 256
  /// An eviction also frees this fraction of the bound (1/100), beside the missing bytes.
  private static let spareShare = 100
  /// The access time of an original is set at most once in this time.
  private static let secondsBetweenLooks = 600

  /// Reserves bytes for an original that arrives, and evicts others for the bytes that it needs now.
  ///
  /// The whole length is reserved if it is free.
  func makeRoom(for bytes: Int, of total: Int?, imageID: Int64) async throws(StoreError) -> Int {
    if bounds.isNone { return .max }
    let total = max(bytes, total ?? 0)
    if let keep = bounds.keep, total > keep {
      throw StoreError(reason: .tooLarge(bound: keep), path: folder.originals, message: "")
    }
    return try await room.queue.run { () throws(StoreError) in
      while true {
        let lacking = try self.room.reserve(total, imageID: imageID, self.bounds)
        if lacking <= 0 { return total }
        // Nothing gives way to an original that would not have room as a whole.
        let victims = try self.victims(for: lacking)
        let missing =
          bytes < total ? try self.room.reserve(bytes, imageID: imageID, self.bounds) : lacking
        if missing <= 0 { return bytes }
        try self.evict(victims, toFree: missing + (self.bounds.keep ?? 0) / Self.spareShare)
      }
    }
  }

  /// The files to evict, somewhat more than are missing.
  private func victims(for missing: Int) throws(StoreError) -> [OriginalRoom.File] {
    let bytes = missing + (bounds.keep ?? 0) / Self.spareShare
    var (victims, found) = ([OriginalRoom.File](), 0)
    var files = try room.files()[...]
    while found < bytes, !files.isEmpty {
      let some = Array(files.prefix(Self.filesAtOnce))
      files = files.dropFirst(some.count)
      for file in try askingNow({ db in try Self.free(some, db) }) where found < bytes {
        victims.append(file)
        found += file.bytes
      }
    }
    guard found >= missing else {
      throw StoreError(
        reason: .bounded(bytes: bounds.keep),
        path: folder.originals,
        message: ""
      )
    }
    return victims
  }

  /// Deletes the first of these files, until so many bytes are free.
  private func evict(_ files: [OriginalRoom.File], toFree bytes: Int) throws(StoreError) {
    var rest = bytes
    let victims = files.prefix { file in
      defer { rest -= file.bytes }
      return rest > 0
    }
    let freed = try writingNow { db in
      // The lock keeps `forgetPut` from changing the rows before the files are deleted.
      try Self.free(Array(victims), isLocking: true, db).reduce(0) { freed, file in
        try FileSystem.remove(file.path) ? freed + file.bytes : freed
      }
    }
    room.note(-freed)
  }

  /// The files that may be deleted: the object store has them, and no image that has them is pinned.
  private static func free(
    _ files: [OriginalRoom.File],
    isLocking: Bool = false,
    _ db: Connection
  ) throws -> [OriginalRoom.File] {
    let sql = """
      SELECT sha256 FROM original WHERE sha256 = ANY($1::text[]) AND put_at IS NOT NULL
        AND NOT EXISTS (
          SELECT 1 FROM image_original AS held JOIN pin ON pin.image_id = held.image_id
          WHERE held.original_id = original.id
        )\(isLocking ? " FOR UPDATE" : "")
      """
    let free: Set<String> = Set(try db.column(sql, files.map(\.sha256)))
    return files.filter { free.contains($0.sha256) }
  }

  /// Adds the facts about an original's file on this machine.
  func addFile(
    of sha256: String,
    _ format: ImageFormat,
    to storage: inout ImageStorage,
    _ db: Connection
  ) throws {
    let file = OriginalRoom.File(at: folder.original(sha256: sha256, format))
    storage.isAway = storage.isPut && file == nil
    storage.originalUsed = file.map { Date(storedSeconds: Int64($0.read)) }
    if bounds.isNone || file == nil { return }
    let files = try room.files().prefix { $0.sha256 != sha256 }
    let free = try Self.free(files + [file].compactMap(\.self), db)
    storage.originalsBefore = free.last?.sha256 == sha256 ? free.count - 1 : nil
  }

  package func noteLook(atOriginal sha256: String, now: Date) async {
    if bounds.isNone { return }
    // The note only helps evictions to choose, so errors are ignored.
    let format = try? await asking { db in try OriginalQueries.format(sha256: sha256, db) }
    guard let format else { return }
    let path = folder.original(sha256: sha256, format)
    room.noteLook(at: path, now: now, unlessWithin: Self.secondsBetweenLooks)
  }
}

/// The disk space that the originals on this machine take.
final class OriginalRoom: Sendable {
  struct File {
    var path: String
    var sha256: String
    var bytes: Int
    /// The time of the last read, in seconds since 1970.
    var read: Int

    /// Nil when the path is not that of an original.
    init?(at path: String) {
      var status = stat()
      sha256 = LibraryFolder.sha256(ofOriginalAt: path)
      guard lstat(path, &status) == 0, sha256.isSHA256 else { return nil }
      self.path = path
      (bytes, read) = (Int(status.st_size), status.st_atim.tv_sec)
    }
  }

  private struct State {
    /// The bytes of all files at the last count, and the changes by this process since then.
    var used = 0
    var counted: ContinuousClock.Instant?
    /// The bytes that are reserved for originals that arrive, by image.
    var reserved: [Int64: Int] = [:]
  }

  private static let longestCount = Duration.seconds(60)
  /// Leaves a time unchanged (utimensat(2), UTIME_OMIT).
  private static let omitted = (1 << 30) - 2

  /// The queue makes room for one original at a time.
  let queue = DispatchQueue(label: "gallery.library.room")
  private let folder: LibraryFolder
  private let state = Locked(State())

  init(_ folder: LibraryFolder) { self.folder = folder }

  /// Reserves bytes if there is room for them.
  ///
  /// - Returns: The number of missing bytes; 0 or less when the bytes are reserved.
  func reserve(
    _ bytes: Int,
    imageID: Int64,
    _ bounds: StorageBounds
  ) throws(StoreError) -> Int {
    let partial = try folder.partialBytes()
    let used = try used()
    let reserved = state.withLock { state in
      // A reservation lasts while its file is being written.
      state.reserved = state.reserved.filter { id, _ in
        id != imageID && PartialFile.isBeingWritten(folder.partial(imageID: id))
      }
      let outstanding = state.reserved.map { max(0, $1 - (partial[$0] ?? 0)) }
      return outstanding.reduce(0, +)
    }
    let more = reserved + max(0, bytes - (partial[imageID] ?? 0))
    let missing = folder.missing(for: more, beside: used + partial.values.reduce(0, +), bounds)
    if missing <= 0 { state.withLock { $0.reserved[imageID] = bytes } }
    return missing
  }

  /// The bytes of all files at the last count, which was not long ago, and the changes by this process since then.
  func used() throws(StoreError) -> Int {
    let (used, isCounted) = state.withLock { state in
      (state.used, state.counted.map { ContinuousClock.now - $0 < Self.longestCount } ?? false)
    }
    return isCounted ? used : try count()
  }

  /// Counts the bytes of all files.
  func count() throws(StoreError) -> Int {
    let used = try files().reduce(0) { $0 + $1.bytes }
    state.withLock { ($0.used, $0.counted) = (used, .now) }
    return used
  }

  /// Adds the bytes of stored files to the count; a negative number is for deleted files.
  func note(_ bytes: Int) { state.withLock { $0.used += bytes } }

  /// The files of originals, least recently read first.
  func files() throws(StoreError) -> [File] {
    try FolderListing(folder).originals().compactMap(File.init)
      .sorted { ($0.read, $0.sha256) < ($1.read, $1.sha256) }
  }

  /// Sets the access time of a file to `now`, unless it is at most `seconds` older.
  func noteLook(at path: String, now: Date, unlessWithin seconds: Int) {
    var status = stat()
    let time = Int(now.timeIntervalSince1970)
    guard lstat(path, &status) == 0, time - status.st_atim.tv_sec > seconds else { return }
    let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: Self.omitted)]
    _ = utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
  }
}
