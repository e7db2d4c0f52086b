import Glibc
package import Workers

/// Reads pictures out of packs, and keeps the packs open for the next ones.
///
/// The number of a pack is never used again, so an open file is the right one for as long as it is open.
package final class OpenPacks: Sendable {
  private let folder: LibraryFolder
  private let packs = Locked<[Int64: PackForReading]>([:])

  package init(_ folder: LibraryFolder) { self.folder = folder }

  /// A picture's bytes; nil when they are not all there as they were stored.
  package func bytes(at place: PackPlace) throws(StoreError) -> [UInt8]? {
    try pack(place.packID)?.bytes(at: place)
  }

  private func pack(_ id: Int64) throws(StoreError) -> PackForReading? {
    if let pack = packs.withLock({ $0[id] }) { return pack }
    guard let pack = try PackForReading.open(id, in: folder) else { return nil }
    packs.withLock { packs in
      if packs.count >= FileLimits.openPacks, let other = packs.keys.first { packs[other] = nil }
      packs[id] = pack
    }
    return pack
  }
}
