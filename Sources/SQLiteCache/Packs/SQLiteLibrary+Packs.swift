import GRDB
import LibraryFiles
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
    _ note: (Database, [PackLocation]) throws -> Void
  ) throws(StoreError) {
    if pictures.isEmpty { return try write { db in try note(db, []) } }
    let result: Result<Void, StoreError> = openPack.withLock { openPack in
      do throws(StoreError) {
        let pack = if let openPack { openPack } else { try takePack() }
        // If anything fails from here on, the end of the pack is looked up again.
        openPack = nil
        openPack = try append(pictures, to: pack, note)
        // What is stored is stored: a pack without a hash is only fetched picture by picture.
        if openPack == nil { try? sealPacks() }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Answers with the pack as it is then; nil when it is full.
  private func append(
    _ pictures: [[UInt8]],
    to pack: OpenPack,
    _ note: (Database, [PackLocation]) throws -> Void
  ) throws(StoreError) -> OpenPack? {
    let locations = try stopwatch.measure(.storing) { () throws(StoreError) in
      try pack.file.write(pictures, at: pack.end)
    }
    let end = locations.last?.range.upperBound ?? pack.end
    try write { db in
      let id = pack.file.id
      guard try PackQueries.moveEnd(of: id, from: pack.end, to: end, db) else {
        // Some network file systems forget locks.
        let message = "another process has appended to it"
        throw StoreError(reason: .busy, path: folder.pack(id), message: message)
      }
      try note(db, locations)
    }
    return end < Limits.packBytes ? OpenPack(file: pack.file, end: end) : nil
  }

  /// A pack that no other process appends to, or a new one.
  private func takePack() throws(StoreError) -> OpenPack {
    // A reader may be in the middle of an earlier state.
    for id in try write(PackQueries.withRoom) {
      guard let file = try PackFile.open(id, in: folder) else { continue }
      // In a transaction that writes: it sees the commits of the process that had the pack before.
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

/// What becomes of the room of thumbnails that no row names any more.
extension SQLiteLibrary {
  /// The holes that a reader sees now: on the disk once what is committed by then is.
  func newHoles() throws(StoreError) -> [PackHole] {
    _ = try writeConnection.opened()
    return try read(PackQueries.newHoles)
  }

  /// Gives the room of holes back to the file system.
  ///
  /// - Parameter holes: By pack and offset; what made them is on the disk.
  /// - Throws: when the library cannot be written.
  func giveBack(_ holes: [PackHole]) throws(StoreError) {
    var rest = holes[...]
    while !rest.isEmpty {
      let step = rest.prefix(Limits.holesPerTransaction)
      rest = rest.dropFirst(Limits.holesPerTransaction)
      let empty = try write { db in
        // Another process may have been faster.
        let holes = PackHole.joined(try step.filter { try PackQueries.isNew($0, db) })
        return try holes.filter { try giveBack($0, db) }
      }
      for pack in empty { _ = try FileSystem.remove(folder.pack(pack.packID)) }
    }
  }

  /// Says whether it was the last of a pack, whose file can go.
  private func giveBack(_ hole: PackHole, _ db: Database) throws -> Bool {
    let whole = try PackQueries.giveBack(hole, db)
    if try PackQueries.delete(ifAllOf: whole, db) { return true }
    hole.punch(in: whole.range, of: folder)
    return false
  }
}
