import LibraryFiles
import Store
import Workers

/// Stores thumbnails in packs, outside the database: bytes that pass through its log are written twice and read once
/// more.
///
/// The order of the steps keeps thumbnails whole. Bytes are appended and flushed before a row names them. Bytes that a
/// row names are never overwritten. The room of a hole is given back only after the change that made the hole is on the
/// disk.
extension SQLiteLibrary {
  /// Appends pictures to a pack, and writes their locations in one transaction.
  ///
  /// - Parameters:
  ///   - pictures: Their bytes.
  ///   - note: Writes the rows that name them.
  /// - Throws: when they cannot be stored; then no row names any of them.
  func pack(
    _ pictures: [[UInt8]],
    _ note: (Connection, [PackLocation]) throws -> Void
  ) throws(StoreError) {
    if pictures.isEmpty { return try write { db in try note(db, []) } }
    let result: Result<Void, StoreError> = openPack.withLock { openPack in
      do throws(StoreError) {
        let pack = if let openPack { openPack } else { try takePack() }
        // If anything fails from here on, the end of the pack is looked up again.
        openPack = nil
        openPack = try append(pictures, to: pack, note)
        // An error is ignored: the thumbnails are stored, and mirrors fetch a pack without a hash picture by picture.
        if openPack == nil { try? sealPacks() }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Appends pictures to a pack; returns the pack with its new end, or nil when it is full.
  private func append(
    _ pictures: [[UInt8]],
    to pack: OpenPack,
    _ note: (Connection, [PackLocation]) throws -> Void
  ) throws(StoreError) -> OpenPack? {
    let locations = try stopwatch.measure(.storing) { () throws(StoreError) in
      try pack.file.write(pictures, at: pack.end)
    }
    let end = locations.last?.range.upperBound ?? pack.end
    try write { db in
      let id = pack.file.id
      guard try PackQueries.moveEnd(of: id, from: pack.end, to: end, db) else {
        // Some network file systems lose locks.
        let message = "another process has appended to it"
        throw StoreError(reason: .busy, path: folder.pack(id), message: message)
      }
      try note(db, locations)
    }
    return end < Limits.packBytes ? OpenPack(file: pack.file, end: end) : nil
  }

  /// Opens a pack that no other process appends to, or makes a new one.
  private func takePack() throws(StoreError) -> OpenPack {
    // In a transaction that writes, since a reader may still see an earlier state.
    for id in try write(PackQueries.withRoom) {
      guard let file = try PackFile.open(id, in: folder) else { continue }
      // In a transaction that writes, which sees the commits of the process that had the pack before.
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

/// Gives the room of holes in packs back to the file system.
extension SQLiteLibrary {
  /// The holes as a reader sees them now; they are on the disk as soon as all current commits are.
  func newHoles() throws(StoreError) -> [PackHole] {
    _ = try writeConnection.opened()
    return try read(PackQueries.newHoles)
  }

  /// Gives the room of holes back to the file system.
  ///
  /// - Parameter holes: The holes by pack and offset; the changes that made them are on the disk.
  /// - Throws: when the library cannot be written.
  func giveBack(_ holes: [PackHole]) throws(StoreError) {
    var rest = holes[...]
    while !rest.isEmpty {
      let step = rest.prefix(Limits.holesPerTransaction)
      rest = rest.dropFirst(Limits.holesPerTransaction)
      let empty = try write { db in
        // Another process may have given some of them back first.
        let holes = PackHole.joined(try step.filter { try PackQueries.isNew($0, db) })
        return try holes.filter { try giveBack($0, db) }
      }
      for pack in empty { _ = try FileSystem.remove(folder.pack(pack.packID)) }
    }
  }

  /// Gives the room of a hole back; says whether the whole pack is one hole now, so that its file can be deleted.
  private func giveBack(_ hole: PackHole, _ db: Connection) throws -> Bool {
    let whole = try PackQueries.giveBack(hole, db)
    if try PackQueries.delete(ifAllOf: whole, db) { return true }
    hole.punch(in: whole.range, of: folder)
    return false
  }
}
