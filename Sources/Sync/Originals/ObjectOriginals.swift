package import FoundationEssentials
package import Models
package import Workers

/// The originals of a library in its object store: puts them there, brings them back, checks and deletes them.
///
/// An original is put when it is whole on the disk, and then the library notes that. After an interruption it is put
/// again, and the object store may have it already.
package struct ObjectOriginals: Sendable {
  /// The result of putting all waiting originals and thumbnails.
  struct PutResult {
    var count = 0
    var bytes = 0
    var failed = 0
    var packed = PackedThumbnails()
    var error: StoreError?

    /// Whether more originals may be put.
    fileprivate var mayGoOn: Bool { failed < ObjectOriginals.mostFailures }

    fileprivate mutating func add(_ original: ObjectOriginal, _ put: Result<Void, StoreError>) {
      switch put {
      case .success: (count, bytes) = (count + 1, bytes + original.bytes)
      case .failure(let error): (failed, self.error) = (failed + 1, error)
      }
    }
  }

  /// More than the connections to one host, so that no connection waits for the library.
  private static let putsAtOnce = 16
  private static let objectsPerPage = 1_000
  /// The number of failures after which the rest waits for the next sync.
  private static let mostFailures = 8
  /// The time for which the address of an original to bring back is valid.
  private static let returnTime = Duration.seconds(3_600)
  /// The age below which an unknown object is kept: another program may have put it and not noted it yet.
  private static let grace: TimeInterval = 86_400

  package let objects: any ObjectStoring
  private let library: any ObjectRecording
  private let now: @Sendable () -> Date
  private let isClaimed = Locked(false)

  package init(
    _ objects: any ObjectStoring,
    of library: any ObjectRecording,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.objects = objects
    self.library = library
    self.now = now
  }

  // MARK: Putting and bringing back

  /// The copy of an image's original in the object store; nil if the store does not have the original that the feed
  /// names.
  func copy(of imageID: Int64) async -> OriginalCopy? {
    guard let stored = try? await library.putOriginal(imageID: imageID),
      !stored.isStale || stored.isDamaged, let hash = SHA256Digest(hexadecimal: stored.sha256),
      let address = try? objects.address(of: hash, for: Self.returnTime)
    else { return nil }
    return OriginalCopy(address: address, hash: hash, reach: objects.reach, stored: stored)
  }

  /// An address from which anyone can get an original for a limited time; nil without credentials.
  package func address(of hash: SHA256Digest, for time: Duration) -> WebAddress? {
    try? objects.address(of: hash, for: time)
  }

  /// The stored original of an image, if it is not on this disk; nil otherwise.
  func awayOriginal(imageID: Int64) async -> StoredOriginal? {
    guard let stored = try? await library.putOriginal(imageID: imageID), stored.isAway else {
      return nil
    }
    return stored
  }

  func put(_ original: ObjectOriginal) async throws(StoreError) {
    try await claim()
    try await objects.put(original)
    try await library.notePut(original.hash, in: objects.name)
  }

  /// Puts all waiting originals, and then thumbnails.
  func putAll() async -> PutResult {
    var result = await putWaiting()
    guard result.error == nil, !Task.isCancelled else { return result }
    do throws(StoreError) {
      try await claim()
      result.packed = try await library.packThumbnails()
    } catch {
      result.error = error
    }
    return result
  }

  /// Puts all waiting originals, several at once.
  func putWaiting() async -> PutResult {
    var (result, waiting) = (PutResult(), WaitingOriginals(library))
    await workConcurrently(
      atOnce: Self.putsAtOnce,
      next: { result.mayGoOn ? await waiting.next(&result.error) : nil },
      work: { original async -> (ObjectOriginal, Result<Void, StoreError>) in
        (original, await Result(of: try await put(original)))
      },
      handle: { result.add($0.0, $0.1) }
    )
    return result
  }

  /// Makes sure, once, that the objects belong to this library.
  private func claim() async throws(StoreError) {
    if isClaimed.withLock({ $0 }) { return }
    try await objects.claim(for: library.version().library)
    isClaimed.withLock { $0 = true }
  }

  // MARK: Checks

  /// Compares the originals that were put with the objects of the store.
  ///
  /// - Returns: The number of originals, and those whose objects are missing or damaged.
  func check() async throws(StoreError) -> (
    count: Int, faults: [(ObjectOriginal, CheckFinding.Condition)]
  ) {
    var listing = ObjectListing(objects)
    var last: SHA256Digest?
    var (count, faults): (Int, [(ObjectOriginal, CheckFinding.Condition)]) = (0, [])
    while !Task.isCancelled {
      // The library is read first, so everything that it names was put before the store is listed.
      let page = try await library.putOriginals(after: last, limit: Self.objectsPerPage)
      guard let end = page.last else { break }
      if last == nil { try await checkOwner() }
      last = end.hash
      for original in page {
        var length = try await listing.length(of: original.hash)
        // The page of the store may be older than that of the library, or wrong.
        if length != original.bytes { length = try await objects.length(of: original.hash) }
        count += 1
        switch length {
        case original.bytes?: break
        case let other?:
          faults.append((original, .damaged(.otherLength(other, expected: original.bytes))))
        case nil: faults.append((original, .missing))
        }
      }
    }
    return (count, faults)
  }

  /// Throws unless the objects are known to be those of this library.
  ///
  /// Another store under the same name, as with another endpoint, says nothing about what the library has.
  private func checkOwner(orNone allowsNone: Bool = false) async throws(StoreError) {
    let owner = try await objects.owner()
    if allowsNone, owner == nil { return }
    guard try await library.version().library != owner else { return }
    throw StoreError(reason: .otherLibrary, path: objects.name, message: owner ?? "")
  }

  /// Finds objects of originals that the library had to forget, and gives them back to their images.
  func findAgain() async throws(StoreError) -> [ObjectOriginal] {
    var (found, last): ([ObjectOriginal], SHA256Digest?) = ([], nil)
    while !Task.isCancelled {
      let page = try await library.lostOriginals(after: last, limit: Self.objectsPerPage)
      guard let end = page.last else { break }
      if last == nil { try await checkOwner() }
      last = end.hash
      for original in page where original.isAway {
        guard try await objects.length(of: original.hash) == original.bytes else { continue }
        try await library.noteFound(original, in: objects.name)
        found.append(original)
      }
    }
    return found
  }

  /// Repairs a fault that a check has found: an original that is here is put again, and one that is away is wanted
  /// again.
  ///
  /// The object is asked for once more, because what is forgotten may be the only record of it.
  func repair(_ original: ObjectOriginal) async throws(StoreError) {
    if try await objects.length(of: original.hash) == original.bytes { return }
    try await library.forgetPut(original.hash)
    if !original.isAway { try await put(original) }
  }

  /// Deletes the objects that the library does not know, and that were put at least a day ago.
  func deleteUnnamed(isRehearsal: Bool) async throws(StoreError) -> CleanedLibrary.Files {
    if isRehearsal {
      try await checkOwner(orNone: true)
    } else {
      try await claim()
      try await library.compactPacks()
    }
    var deleted = CleanedLibrary.Files()
    for kind in ObjectKind.allCases {
      try await deleteUnnamed(kind, isRehearsal: isRehearsal, counting: &deleted)
    }
    return deleted
  }

  private func deleteUnnamed(
    _ kind: ObjectKind,
    isRehearsal: Bool,
    counting deleted: inout CleanedLibrary.Files
  ) async throws(StoreError) {
    var pages = ObjectPages(objects, kind)
    while !Task.isCancelled, let page = try await pages.next() {
      let unknown = Set(try await library.unknown(page.objects.map(\.hash), kind))
      if unknown.count < page.objects.count { pages.noteKnown() }
      // The store has given the objects their dates, so its own clock tells their ages.
      let newest = (page.date ?? now()) - Self.grace
      let old = page.objects.filter { $0.changed < newest && unknown.contains($0.hash) }
      // A store that ignores conditions may have the note of another library by now.
      if !isRehearsal, !old.isEmpty { try await checkOwner() }
      for object in old {
        if !isRehearsal { try await delete(object.hash, kind) }
        deleted.count += 1
        deleted.bytes += object.bytes
      }
    }
  }

  /// Deletes an object that the library does not know.
  ///
  /// A sync may have stored the same original in the meantime, and found the object in the store. Then the original is
  /// put again. Packs need no such check, because no two packs are the same.
  private func delete(_ hash: SHA256Digest, _ kind: ObjectKind) async throws(StoreError) {
    try await objects.delete(hash, kind)
    if kind == .original, try await library.unknown([hash], kind).isEmpty {
      try await library.forgetPut(hash)
    }
  }
}

/// The originals that an object store lacks, read a page at a time.
private struct WaitingOriginals {
  private static let perPage = 64

  private let library: any ObjectRecording
  private var page = ArraySlice<ObjectOriginal>()
  private var last: Int64 = 0

  init(_ library: any ObjectRecording) { self.library = library }

  /// The next original; nil at the end, and when the library cannot be read.
  mutating func next(_ failure: inout StoreError?) async -> ObjectOriginal? {
    if page.isEmpty {
      do throws(StoreError) {
        page = try await library.originalsToPut(after: last, limit: Self.perPage)[...]
      } catch {
        failure = error
      }
    }
    guard let original = page.popFirst() else { return nil }
    last = original.id
    return original
  }
}

/// Cleans a library, and then its object store.
///
/// A backup may share the object store with its library, and does not know what the library has put there since.
package struct ObjectCleaner: LibraryCleaning {
  private let library: any LibraryCleaning & LibraryCopying
  private let originals: ObjectOriginals

  package init(_ library: any LibraryCleaning & LibraryCopying, _ originals: ObjectOriginals) {
    self.library = library
    self.originals = originals
  }

  package func clean(_ plan: CleaningPlan) async throws(StoreError) -> CleanedLibrary {
    var cleaned = try await library.clean(plan)
    if try await library.isBackup() { return cleaned }
    cleaned.objects = try await originals.deleteUnnamed(isRehearsal: plan.isRehearsal)
    return cleaned
  }
}
