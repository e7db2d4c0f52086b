import GRDB
import Workers

/// Thumbnails lie one behind the other in files of their own, the packs, and not in the database: what goes
/// through its log is written twice, and looked at once more.
///
/// The order is what keeps them whole. Bytes are appended and on the disk before a row names them; what a
/// row names is never written again; and the room of what no row names any more is given back only once
/// that, too, is on the disk.
extension SQLiteLibrary {
  /// Appends pictures to a pack, and notes in one transaction where they are.
  ///
  /// - Parameters:
  ///   - pictures: Their bytes.
  ///   - note: Writes the rows that name them.
  /// - Throws: when they cannot be kept; then no row names any of them.
  func pack(
    _ pictures: [[UInt8]],
    _ note: (Database, [PackPlace]) throws -> Void
  ) throws(StoreError) {
    if pictures.isEmpty { return try write { db in try note(db, []) } }
    let result: Result<Void, StoreError> = openPack.withLock { openPack in
      do throws(StoreError) {
        let pack = if let openPack { openPack } else { try takePack() }
        // Whatever fails from here on, where the pack ends is found out anew.
        openPack = nil
        openPack = try append(pictures, to: pack, note)
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Answers with the pack as it is then; nil when it is full.
  private func append(
    _ pictures: [[UInt8]],
    to pack: OpenPack,
    _ note: (Database, [PackPlace]) throws -> Void
  ) throws(StoreError) -> OpenPack? {
    let places = try stopwatch.measure(.storing) { () throws(StoreError) in
      try pack.file.write(pictures, at: pack.end)
    }
    let end = places.last?.range.upperBound ?? pack.end
    try write { db in
      let id = pack.file.id
      guard try PackQueries.moveEnd(of: id, from: pack.end, to: end, db) else {
        // Some network file systems forget locks.
        let message = "another process has appended to it"
        throw StoreError(reason: .busy, path: folder.pack(id), message: message)
      }
      try note(db, places)
    }
    return end < Limits.packBytes ? OpenPack(file: pack.file, end: end) : nil
  }

  /// A pack that nobody else appends to, or a new one.
  private func takePack() throws(StoreError) -> OpenPack {
    // A reader may be in the middle of an earlier state.
    for id in try write(PackQueries.withRoom) {
      guard let file = try PackFile.open(id, in: folder) else { continue }
      // In a transaction that writes: it sees what whoever had the pack before has committed.
      let end = try write { db in try PackQueries.end(of: id, db) }
      guard let end, end < Limits.packBytes, try file.cut(at: end) else { continue }
      return OpenPack(file: file, end: end)
    }
    return try makePack()
  }

  private func makePack() throws(StoreError) -> OpenPack {
    for _ in 0..<Limits.packsTried {
      let id = try write(PackQueries.add)
      guard let file = try PackFile.make(id, in: folder), try file.cut(at: 0) else { continue }
      return OpenPack(file: file, end: 0)
    }
    throw StoreError(reason: .busy, path: folder.thumbnails, message: "no pack can be had")
  }
}
