package import Dispatch
package import FoundationEssentials
import Glibc
package import LibraryFiles
import Models
package import Workers

/// Keeps the originals on this machine within their bounds (`StorageBounds`): the room that they take, and when one of
/// them gives way.
///
/// Room for an original is reserved before its bytes are written. It counts what is on the disk: the files in
/// `originals/` and `partial/`, and the locks on the partial files that say how many bytes will follow. So it needs no
/// record that several processes would have to keep, or that a killed process could leave wrong.
///
/// The database says which originals may give way, and in which order (`BoundQueries`). In SQLite, it also knows when
/// each of them was viewed. With PostgreSQL, each machine has files of its own, and their access times tell.
package final class OriginalRoom: Sendable {
  /// An original that may give way.
  package struct Victim: Sendable {
    package var id: Int64
    package var path: String
    package var bytes: Int

    package init(id: Int64, path: String, bytes: Int) {
      (self.id, self.path, self.bytes) = (id, path, bytes)
    }
  }

  /// The bytes of the files in one folder, which are right as long as the folder has not changed since.
  private struct Count {
    var changed: timespec
    var bytes: Int
  }

  /// Originals give way for the missing bytes and for this fraction of the bound (1/100).
  ///
  /// So many new originals share one wait for the disk.
  private static let spareShare = 100
  /// Another view of an original is recorded after so many seconds.
  package static let secondsBetweenLooks = 600
  /// Within this time, a folder may change twice and have the same date, in nanoseconds: ticks of the kernel's clock.
  private static let tick = 100_000_000

  package let bounds: StorageBounds
  /// Makes room for one original at a time.
  package let queue = DispatchQueue(label: "gallery.library.room")
  private let folder: LibraryFolder
  /// The last counts, by the paths of the folders in `originals/`.
  private let counts = Locked<[String: Count]>([:])

  package init(_ folder: LibraryFolder, _ bounds: StorageBounds) {
    (self.folder, self.bounds) = (folder, bounds)
  }

  // MARK: Making room

  /// Reserves room for an original that arrives; others give way for the bytes that it needs now.
  ///
  /// The whole length is reserved if it is free. Another process may reserve the freed bytes first. Then more originals
  /// give way.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes it needs now.
  ///   - total: How many bytes it will have; nil if that is unknown.
  ///   - file: Its partial file.
  ///   - victims: The originals that give way first, with so many bytes together, or fewer when there are no more.
  ///   - evict: Deletes their files.
  /// - Returns: How many bytes are reserved.
  /// - Throws: `tooLarge` and `bounded`; then nothing has given way.
  package func make(
    for bytes: Int,
    of total: Int?,
    in file: PartialFile,
    victims: (_ bytes: Int) throws(StoreError) -> [Victim],
    evict: ([Victim]) throws(StoreError) -> Void
  ) throws(StoreError) -> Int {
    if bounds.isNone { return .max }
    let total = max(bytes, total ?? 0)
    if let keep = bounds.keep, total > keep {
      throw StoreError(reason: .tooLarge(bound: keep), path: folder.originals, message: "")
    }
    while true {
      let lacking = try reserve(total, for: file)
      if lacking <= 0 { return total }
      // Nothing gives way to an original that would not have room as a whole.
      _ = try enough(victims, for: lacking)
      let missing = bytes < total ? try reserve(bytes, for: file) : lacking
      if missing <= 0 { return bytes }
      try evict(enough(victims, for: missing))
    }
  }

  /// The most bytes, and the most originals, that give way in one step.
  private static let step = (bytes: 256 << 20, originals: 64)

  /// Lets originals give way, step by step, until the rest is within the bounds.
  ///
  /// - Parameters:
  ///   - isStopped: Whether to end before the next step.
  ///   - run: Runs a step where nothing else makes room.
  ///   - victims: As in `make`.
  ///   - evict: As in `make`.
  /// - Returns: The originals that gave way.
  /// - Throws: when the library cannot be read or written.
  package func giveWay(
    until isStopped: () -> Bool,
    on run: (@escaping @Sendable () throws(StoreError) -> GivenWay?) async throws(StoreError) ->
      GivenWay?,
    victims: @escaping @Sendable (_ bytes: Int) throws(StoreError) -> [Victim],
    evict: @escaping @Sendable ([Victim]) throws(StoreError) -> Void
  ) async throws(StoreError) -> GivenWay {
    var given = GivenWay()
    while !bounds.isNone, !isStopped() {
      let step = try await run { () throws(StoreError) in
        try self.giveWayOnce(victims: victims, evict: evict)
      }
      guard let step, step.originals > 0 else {
        given.excess = step?.excess ?? 0
        break
      }
      given.originals += step.originals
      given.bytes += step.bytes
    }
    return given
  }

  /// One step; nil when everything is within the bounds.
  private func giveWayOnce(
    victims: (_ bytes: Int) throws(StoreError) -> [Victim],
    evict: ([Victim]) throws(StoreError) -> Void
  ) throws(StoreError) -> GivenWay? {
    var last: Int64?
    while true {
      let excess = try excess()
      guard excess > 0 else { return nil }
      let some = try victims(min(excess, Self.step.bytes)).prefix(Self.step.originals)
      let there = some.filter { FileSystem.size(of: $0.path) != nil }
      try evict(Array(some))
      // One that was pinned in the meantime stays.
      let gone = there.filter { FileSystem.size(of: $0.path) == nil }
      if gone.isEmpty, there.count < some.count, let first = some.first?.id, first != last {
        // The files were missing, so the next ones have to give way.
        last = first
        continue
      }
      return GivenWay(
        originals: gone.count,
        bytes: gone.reduce(0) { $0.adding($1.bytes) },
        excess: excess
      )
    }
  }

  /// The bytes beyond the bounds; 0 or less for none.
  private func excess() throws(StoreError) -> Int {
    try folder.holdingRoom { () throws(StoreError) in
      let partial = try folder.partialBytes().values.reduce(0) { $0.adding($1) }
      // Without all originals, the disk would still be too small.
      let bounds = folder.meetable(bounds)
      return folder.missing(for: 0, beside: try used().adding(partial), bounds)
    }
  }

  /// The originals that give way for missing bytes, and somewhat more than these.
  private func enough(
    _ victims: (_ bytes: Int) throws(StoreError) -> [Victim],
    for missing: Int
  ) throws(StoreError) -> [Victim] {
    let victims = try victims(missing + (bounds.keep ?? 0) / Self.spareShare)
    if victims.reduce(0, { $0.adding($1.bytes) }) >= missing { return victims }
    throw StoreError(reason: .bounded(bytes: bounds.keep), path: folder.originals, message: "")
  }

  /// Reserves bytes if there is room for them.
  ///
  /// - Returns: The number of missing bytes; 0 or less when the bytes are reserved.
  private func reserve(_ bytes: Int, for file: PartialFile) throws(StoreError) -> Int {
    try folder.holdingRoom { () throws(StoreError) in
      let partial = try folder.partialBytes()
      var (taken, more) = (try used(), 0)
      for (id, length) in partial {
        let path = folder.partial(imageID: id)
        let reserved = path == file.path ? bytes : PartialFile.reservedBytes(at: path)
        taken = taken.adding(length)
        more = more.adding(max(0, reserved - length))
      }
      let missing = folder.missing(for: more, beside: taken, bounds)
      if missing <= 0 { try file.reserve(bytes) }
      return missing
    }
  }

  /// The images whose originals are being fetched, by any process.
  package func arriving() throws(StoreError) -> [Int64] {
    try folder.partialBytes().keys.filter { id in
      PartialFile.isBeingWritten(folder.partial(imageID: id))
    }.sorted()
  }

  // MARK: Counting

  /// The bytes of the files in `originals/`.
  ///
  /// A folder is read again only when its date has changed.
  package func used() throws(StoreError) -> Int {
    var bytes = 0
    for path in try FolderListing(folder).originalsFolders() {
      bytes = bytes.adding(try self.bytes(inFolder: path))
    }
    return bytes
  }

  private func bytes(inFolder path: String) throws(StoreError) -> Int {
    var (status, now) = (stat(), timespec())
    guard lstat(path, &status) == 0 else { return 0 }
    let changed = status.st_mtim
    let known = counts.withLock { $0[path] }
    if let known, changed.tv_sec == known.changed.tv_sec, changed.tv_nsec == known.changed.tv_nsec {
      return known.bytes
    }
    clock_gettime(CLOCK_REALTIME, &now)
    let files = try FileSystem.names(inFolder: path).compactMap { File(at: "\(path)/\($0)") }
    let bytes = files.reduce(0) { $0.adding($1.bytes) }
    let age = (now.tv_sec - changed.tv_sec) * 1_000_000_000 + now.tv_nsec - changed.tv_nsec
    if age > Self.tick { counts.withLock { $0[path] = Count(changed: changed, bytes: bytes) } }
    return bytes
  }
}

// MARK: - Access times

extension OriginalRoom {
  /// The file of an original.
  package struct File: Sendable {
    package var path: String
    package var sha256: String
    package var bytes: Int
    /// The time of the last read, in seconds since 1970.
    package var read: Int

    /// Nil when the path is not that of an original.
    package init?(at path: String) {
      var status = stat()
      sha256 = LibraryFolder.sha256(ofOriginalAt: path)
      guard lstat(path, &status) == 0, sha256.isSHA256 else { return nil }
      self.path = path
      (bytes, read) = (Int(status.st_size), status.st_atim.tv_sec)
    }
  }

  /// Leaves a time unchanged (utimensat(2), UTIME_OMIT).
  private static let omitted = (1 << 30) - 2

  /// The files of originals, least recently read first.
  package func files() throws(StoreError) -> [File] {
    try FolderListing(folder).originals().compactMap(File.init)
      .sorted { ($0.read, $0.sha256) < ($1.read, $1.sha256) }
  }

  /// Makes a file the first to give way.
  package func noteUnneeded(_ path: String) {
    let times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: Self.omitted)]
    _ = utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
  }

  /// Sets the access time of a file to `now`, unless it is at most `seconds` older.
  package func noteLook(
    at path: String,
    now: Date,
    unlessWithin seconds: Int = OriginalRoom.secondsBetweenLooks
  ) {
    var status = stat()
    let time = Int(now.timeIntervalSince1970)
    guard lstat(path, &status) == 0, time - status.st_atim.tv_sec > seconds else { return }
    let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: Self.omitted)]
    _ = utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
  }
}
