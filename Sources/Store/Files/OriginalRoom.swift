package import Dispatch
package import LibraryFiles
import Models
package import Workers

/// Keeps the originals on this machine within their bounds (`StorageBounds`): the room that they take, and when one of
/// them gives way.
///
/// Room for an original is reserved before its bytes are written. It counts what is on the disk: the files in
/// `originals/` and `partial/`, and the locks on the partial files that say how many bytes will follow. So it needs no
/// record that several processes would have to keep, or that a killed process could leave wrong. A *passing* original is
/// fetched for its thumbnail only, and does not count in `StorageBounds.keep`; a lock marks its partial file. In the same
/// way, an original that is shown has a lock (`OriginalHold`), and does not give way.
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

  /// An original that this process shows, with the lock that keeps it in other processes.
  struct Held: Sendable {
    var lock: OriginalHold?
    var time: OriginalHoldTime
  }

  /// Originals give way for the missing bytes and for this fraction of the bound (1/100).
  ///
  /// So many new originals share one wait for the disk.
  private static let spareShare = 100
  /// Another view of an original is recorded after so many seconds.
  package static let secondsBetweenLooks = 600

  package let bounds: StorageBounds
  /// Makes room for one original at a time.
  package let queue = DispatchQueue(label: "gallery.library.room")
  let folder: LibraryFolder
  /// The originals that this process shows, by the paths of their files.
  let holds = Locked<[String: Held]>([:])
  package let size: OriginalsSize

  package init(_ folder: LibraryFolder, _ bounds: StorageBounds) {
    (self.folder, self.bounds) = (folder, bounds)
    size = OriginalsSize(folder)
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
  ///   - purpose: Why it is fetched. For its thumbnail, it needs only the free room of the disk, and none gives way.
  ///   - victims: The originals that give way first, with so many bytes together, or fewer when there are no more.
  ///   - evict: Deletes their files.
  /// - Returns: How many bytes are reserved.
  /// - Throws: `tooLarge`, `bounded` and `noFreeRoom`; then nothing has given way.
  package func make(
    for bytes: Int,
    of total: Int?,
    in file: PartialFile,
    for purpose: OriginalPurpose,
    victims: (_ bytes: Int) throws(StoreError) -> [Victim],
    evict: ([Victim]) throws(StoreError) -> Void
  ) throws(StoreError) -> Int {
    if bounds.isNone { return .max }
    let total = max(bytes, total ?? 0)
    if purpose == .thumbnail { return try makePassing(total, in: file) }
    if let keep = bounds.keep, total > keep {
      throw StoreError(reason: .tooLarge(bound: keep), path: folder.originals, message: "")
    }
    while true {
      let lacking = try reserve(total, for: file)
      if lacking.bytes <= 0 { return total }
      if try folder.dropPassingParts(besides: file.path) { continue }
      // Nothing gives way to an original that would not have room as a whole.
      _ = try enough(victims, for: lacking)
      let missing = bytes < total ? try reserve(bytes, for: file) : lacking
      if missing.bytes <= 0 { return bytes }
      var some = try enough(victims, for: missing)[...]
      while !some.isEmpty {
        try delete(Array(some.prefix(Self.step.originals)), evict)
        some = some.dropFirst(Self.step.originals)
      }
    }
  }

  /// Reserves room for an original that is here only until its thumbnail is made.
  private func makePassing(_ bytes: Int, in file: PartialFile) throws(StoreError) -> Int {
    let missing = try reserve(bytes, for: file, isPassing: true)
    // Whatever is missing in `keep`, no part of it is kept for a later attempt.
    file.noteBeyond(missing.keep > 0)
    if missing.free <= 0 { return bytes }
    let keepFree = bounds.keepFree ?? 0
    throw StoreError(reason: .noFreeRoom(keepFree: keepFree), path: folder.originals, message: "")
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
        (given.excess, given.shown) = (step?.excess ?? 0, step?.shown ?? 0)
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
      if try folder.dropPassingParts() { continue }
      let (some, shown) = try unshown(
        victims,
        for: min(excess, Self.step.bytes),
        atMost: Self.step.originals
      )
      let there = some.filter { FileSystem.size(of: $0.path) != nil }
      try delete(some, evict)
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
        excess: excess,
        shown: shown
      )
    }
  }

  /// The bytes beyond the bounds; 0 or less for none.
  private func excess() throws(StoreError) -> Int {
    try folder.holdingRoom { () throws(StoreError) in
      var (taken, passing) = (try size.bytes(), 0)
      for (id, length) in try folder.partialBytes() {
        let isPassing = PartialFile.isPassing(folder.partial(imageID: id))
        if isPassing { passing = passing.adding(length) } else { taken = taken.adding(length) }
      }
      // Without all originals, the disk would still be too small.
      let bounds = folder.meetable(bounds)
      // Passing originals soon leave the disk.
      return missing(for: 0, onDisk: -passing, beside: taken, bounds).bytes
    }
  }

  /// The originals that give way for missing bytes, and somewhat more than these.
  private func enough(
    _ victims: (_ bytes: Int) throws(StoreError) -> [Victim],
    for missing: Missing
  ) throws(StoreError) -> [Victim] {
    let spare = (bounds.keep ?? 0) / Self.spareShare
    let victims = try unshown(victims, for: missing.bytes.adding(spare)).free
    if victims.reduce(0, { $0.adding($1.bytes) }) >= missing.bytes { return victims }
    let bytes = missing.keep > 0 ? bounds.keep : nil
    throw StoreError(reason: .bounded(bytes: bytes), path: folder.originals, message: "")
  }

  /// The originals that give way for some bytes, without those that are being shown.
  ///
  /// - Returns: Enough of them, or all, or `limit` of them; and the number of those before them that are being shown.
  private func unshown(
    _ victims: (_ bytes: Int) throws(StoreError) -> [Victim],
    for bytes: Int,
    atMost limit: Int = .max
  ) throws(StoreError) -> (free: [Victim], shown: Int) {
    var held = 0
    while true {
      var (free, shown, all, shownBytes) = ([Victim](), 0, 0, 0)
      for victim in try victims(bytes.adding(held)) where free.count < limit {
        all = all.adding(victim.bytes)
        if isShown(victim.path) {
          (shown, shownBytes) = (shown + 1, shownBytes.adding(victim.bytes))
        } else {
          free.append(victim)
        }
      }
      // Otherwise those that are shown stand for others, which are asked for.
      let isEnough = shown == 0 || free.count >= limit || all.subtracting(shownBytes) >= bytes
      if isEnough || all < bytes.adding(held) { return (free, shown) }
      held = shownBytes
    }
  }

  /// The bytes that an original lacks: in the bound, and on the disk; 0 or less for none.
  private struct Missing {
    var keep: Int
    var free: Int

    var bytes: Int { max(keep, free) }
  }

  /// What is missing for more bytes beside those that are taken; `onDisk` bytes of the disk will be used.
  private func missing(
    for bytes: Int,
    onDisk: Int,
    beside taken: Int,
    _ bounds: StorageBounds
  ) -> Missing {
    Missing(
      keep: folder.missing(for: bytes, beside: taken, StorageBounds(keep: bounds.keep)),
      free: folder.missing(for: onDisk, beside: 0, StorageBounds(keepFree: bounds.keepFree))
    )
  }

  /// Reserves bytes if there is room for them.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes the file will have.
  ///   - file: The partial file of an original.
  ///   - isPassing: Whether it may have them without room in `StorageBounds.keep`.
  /// - Returns: The missing bytes; none when the bytes are reserved.
  /// - Throws: when the files cannot be listed.
  private func reserve(
    _ bytes: Int,
    for file: PartialFile,
    isPassing: Bool = false
  ) throws(StoreError) -> Missing {
    try folder.holdingRoom { () throws(StoreError) in
      // The bytes of files that count, and those that will follow: of these files, and of passing ones.
      var (taken, more, passing) = (try size.bytes(), 0, 0)
      for (id, length) in try folder.partialBytes() {
        let path = folder.partial(imageID: id)
        let isOwn = path == file.path
        let rest = max(0, (isOwn ? bytes : PartialFile.reservedBytes(at: path)) - length)
        if !isOwn, PartialFile.isPassing(path) {
          passing = passing.adding(rest)
        } else {
          (taken, more) = (taken.adding(length), more.adding(rest))
        }
      }
      let missing = missing(for: more, onDisk: more.adding(passing), beside: taken, bounds)
      if (isPassing ? missing.free : missing.bytes) <= 0 { try file.reserve(bytes) }
      return missing
    }
  }

  /// The images whose originals are being fetched, by any process.
  package func arriving() throws(StoreError) -> [Int64] {
    try folder.partialBytes().keys.filter { id in
      PartialFile.isBeingWritten(folder.partial(imageID: id))
    }.sorted()
  }
}
