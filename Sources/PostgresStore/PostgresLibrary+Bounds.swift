package import FoundationEssentials
import LibraryFiles
import Models
import Store
package import Workers

/// Evicts originals to make room for new ones, before these are written.
///
/// New originals displace those that the object store has, least recently read first.
extension PostgresLibrary: LibraryBounding {
  /// The number of files in one query.
  private static let filesAtOnce = 256

  /// The originals to evict, least recently read first.
  func victims(for bytes: Int) throws(StoreError) -> [OriginalRoom.Victim] {
    var (victims, found) = ([OriginalRoom.Victim](), 0)
    let arriving = try room.arriving()
    var files = try room.files()[...]
    while found < bytes, !files.isEmpty {
      let some = Array(files.prefix(Self.filesAtOnce))
      files = files.dropFirst(some.count)
      let free = try askingNow { db in try BoundQueries.free(some, besides: arriving, db) }
      for victim in free where found < bytes {
        victims.append(victim)
        found = found.adding(victim.bytes)
      }
    }
    return victims
  }

  func evict(_ victims: [OriginalRoom.Victim]) throws(StoreError) {
    let arriving = try room.arriving()
    try writingNow { db in
      // The lock keeps `forgetPut` from changing the rows before the files are deleted.
      let files = victims.compactMap { OriginalRoom.File(at: $0.path) }
      let free = try BoundQueries.free(files, besides: arriving, isLocking: true, db)
      for victim in free { _ = try FileSystem.remove(victim.path) }
      try BoundQueries.forgetUnreferred(free.map(\.id), db)
    }
  }

  package func giveWay(
    until isStopped: @escaping @Sendable () -> Bool
  ) async throws(StoreError) -> GivenWay {
    try await room.giveWay(
      until: isStopped,
      on: { step throws(StoreError) in try await self.room.queue.run(step) },
      victims: { bytes throws(StoreError) in try self.victims(for: bytes) },
      evict: { victims throws(StoreError) in try self.evict(victims) }
    )
  }

  /// Adds the facts about an original's file on this machine.
  func addFile(
    of original: StorageQueries.FileName,
    to storage: inout ImageStorage,
    _ db: Connection
  ) throws {
    let file = OriginalRoom.File(
      at: folder.original(sha256: original.sha256, original.format)
    )
    storage.isAway = storage.isPut && file == nil
    storage.originalUsed = file.map { Date(storedSeconds: Int64($0.read)) }
    guard let file, !room.bounds.isNone else { return }
    let files = try room.files().prefix { $0.sha256 != original.sha256 }
    let free = try BoundQueries.free(files + [file], besides: room.arriving(), db)
    storage.originalsBefore = free.last?.path == file.path ? free.count - 1 : nil
  }

  package func noteLook(atOriginal sha256: String, now: Date) async {
    if room.bounds.isNone { return }
    // The note only helps evictions to choose, so errors are ignored.
    let format = try? await asking { db in try OriginalQueries.format(sha256: sha256, db) }
    guard let format else { return }
    room.noteLook(at: folder.original(sha256: sha256, format), now: now)
  }
}
