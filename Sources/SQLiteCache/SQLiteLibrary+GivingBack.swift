import CLinux
import GRDB
import Glibc
import Workers

/// What becomes of the room of thumbnails that no row names any more.
extension SQLiteLibrary {
  /// The holes that whoever reads now sees: on the disk once what is committed by then is.
  func newHoles() throws(StoreError) -> [PackHole] {
    _ = try writeConnection.opened()
    return try read(PackQueries.newHoles)
  }

  /// Gives the room of holes back to the file system.
  ///
  /// - Parameter holes: By pack and position; what made them is on the disk.
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
    punch(hole, in: whole.range)
    return false
  }

  /// Takes the room out of the file, and with it that of the blocks which a neighbour has begun or ended.
  ///
  /// Where a file system cannot take room out of the middle of a file, it comes back with the file.
  private func punch(_ hole: PackHole, in whole: Range<Int>) {
    let file = open(folder.pack(hole.packID), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    let start = max(whole.lowerBound, hole.range.lowerBound - Limits.blockBytes)
    let end = min(whole.upperBound, hole.range.upperBound + Limits.blockBytes)
    _ = clinux_punch_hole(file, off_t(start), off_t(end - start))
  }
}
