import CLinux
import Glibc
package import Workers

/// A pack that this process alone appends to while it has it open (flock(2)).
///
/// What rows name of it is never written again. Behind that may lie what a transaction that failed, or
/// never came, has left: the next process to open the pack cuts it off.
package final class PackFile: Sendable {
  package let id: Int64
  private let file: Int32
  private let path: String

  private init(_ id: Int64, _ file: Int32, path: String) {
    self.id = id
    self.file = file
    self.path = path
  }

  deinit { close(file) }

  /// Opens a pack; nil when it is not there, when another process has it, or when it cannot be locked.
  package static func open(_ id: Int64, in folder: LibraryFolder) throws(StoreError) -> PackFile? {
    let file = Glibc.open(folder.pack(id), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    let pack = PackFile(id, file, path: folder.pack(id))
    return flock(file, LOCK_EX | LOCK_NB) == 0 && pack.isAtPath ? pack : nil
  }

  /// Makes the file of a new pack; nil when another process was faster to lock it.
  ///
  /// On a file system without locks no other process opens it.
  package static func make(_ id: Int64, in folder: LibraryFolder) throws(StoreError) -> PackFile? {
    if try FileSystem.makeFolder(folder.thumbnails) { try FileSystem.sync(folder: folder.path) }
    let path = folder.pack(id)
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    let pack = PackFile(id, file, path: path)
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
    try FileSystem.sync(folder: folder.thumbnails)
    return pack.isAtPath ? pack : nil
  }

  /// Whether the path still names this file: bytes written to another file are in no library.
  private var isAtPath: Bool { FileSystem.isAt(path, file) }

  /// Cuts off what is behind the last byte that a row names; says whether all up to it is there.
  package func cut(at end: Int) throws(StoreError) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0, case .file(let size) = FileKind(status), size >= end else {
      return false
    }
    guard size == end || ftruncate(file, off_t(end)) == 0 else {
      throw StoreError(errno: errno, path: path)
    }
    return true
  }

  /// Writes pictures one behind the other from a position on; they are on the disk when this returns.
  package func write(_ pictures: [[UInt8]], at position: Int) throws(StoreError) -> [PackLocation] {
    var locations: [PackLocation] = []
    locations.reserveCapacity(pictures.count)
    var end = position
    for bytes in pictures {
      let checksum = PictureChecksum.of(bytes)
      locations.append(
        PackLocation(packID: id, offset: end, count: bytes.count, checksum: checksum)
      )
      end += bytes.count
    }
    for start in stride(from: 0, to: pictures.count, by: Self.piecesAtOnce) {
      let pieces = pictures[start..<min(start + Self.piecesAtOnce, pictures.count)]
      try writePieces(pieces, at: locations[start].offset)
    }
    guard fdatasync(file) == 0 else { throw StoreError(errno: errno, path: path) }
    guard isAtPath else {
      let message = "it was deleted or replaced meanwhile"
      throw StoreError(reason: .readOnly, path: path, message: message)
    }
    return locations
  }

  /// How many pictures are written with one call: as many as are stored with one transaction, and no
  /// more than the system takes (IOV_MAX, writev(2)).
  private static let piecesAtOnce = 64

  /// Writes pieces one behind the other; what one call does not take goes in calls of its own.
  private func writePieces(_ pieces: ArraySlice<[UInt8]>, at position: Int) throws(StoreError) {
    var vectors: [iovec] = []
    vectors.reserveCapacity(pieces.count)
    var done = max(0, pwritev(pieces, &vectors, at: position))
    var start = position
    for piece in pieces {
      if done < piece.count { try write(piece[done...], at: start + done) }
      done = max(0, done - piece.count)
      start += piece.count
    }
  }

  /// pwritev(2), once there is a pointer to each piece.
  private func pwritev(
    _ pieces: ArraySlice<[UInt8]>,
    _ vectors: inout [iovec],
    at position: Int
  ) -> Int {
    guard let piece = pieces.first else {
      return Glibc.pwritev(file, vectors, Int32(vectors.count), off_t(position))
    }
    return piece.withUnsafeBytes { bytes in
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      vectors.append(iovec(iov_base: start, iov_len: bytes.count))
      return pwritev(pieces.dropFirst(), &vectors, at: position)
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>, at position: Int) throws(StoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let start = off_t(position + rest.startIndex - bytes.startIndex)
      let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, start) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      rest = rest.dropFirst(count)
    }
  }
}

/// Where a picture's bytes lie in a pack, and what they add up to.
package struct PackLocation: Equatable {
  package var packID: Int64
  /// Of its first byte, from the file's start.
  package var offset: Int
  /// How many bytes it has.
  package var count: Int
  /// A `PictureChecksum`.
  package var checksum: Int64

  package init(packID: Int64, offset: Int, count: Int, checksum: Int64) {
    self.packID = packID
    self.offset = offset
    self.count = count
    self.checksum = checksum
  }

  package var range: Range<Int> { offset..<offset + count }
}

/// The pack that is appended to, and where the last picture in it that a row names ends.
package struct OpenPack {
  package let file: PackFile
  package var end: Int

  package init(file: PackFile, end: Int) {
    self.file = file
    self.end = end
  }
}

/// Bytes of a pack that no row names any more.
package struct PackHole: Equatable {
  package var packID: Int64
  /// From the file's start.
  package var range: Range<Int>

  package init(packID: Int64, range: Range<Int>) {
    self.packID = packID
    self.range = range
  }

  /// Makes one of those that follow one another without a gap.
  ///
  /// - Parameter holes: By pack, then by offset.
  /// - Returns: The holes, in the same order.
  package static func joined(_ holes: [PackHole]) -> [PackHole] {
    var joined: [PackHole] = []
    for hole in holes {
      if let last = joined.last, last.packID == hole.packID,
        last.range.upperBound == hole.range.lowerBound
      {
        joined[joined.count - 1].range = last.range.lowerBound..<hole.range.upperBound
      } else {
        joined.append(hole)
      }
    }
    return joined
  }

  /// Takes the room out of the file, and with it that of the blocks which a neighbour has begun or ended.
  ///
  /// Where a file system cannot take room out of the middle of a file, it comes back with the file.
  ///
  /// - Parameters:
  ///   - whole: The range around it that no row names.
  ///   - folder: The library's folder.
  package func punch(in whole: Range<Int>, of folder: LibraryFolder) {
    let file = open(folder.pack(packID), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    let start = max(whole.lowerBound, range.lowerBound - FileLimits.blockBytes)
    let end = min(whole.upperBound, range.upperBound + FileLimits.blockBytes)
    _ = clinux_punch_hole(file, off_t(start), off_t(end - start))
  }
}

/// A 64-bit checksum of a picture's bytes, the same in every run and on every machine.
///
/// It finds what a disk does to a file, not what somebody does who wants it to go unseen. Each step
/// can be undone, so that a change within eight bytes never leaves the sum as it was. Four sums go
/// side by side, eight bytes each, since a step waits for the one before it.
package enum PictureChecksum {
  /// Bytes that the four sums take together.
  private static let stripe = 32

  package static func of(_ bytes: [UInt8]) -> Int64 {
    bytes.withUnsafeBytes { bytes in
      let end = bytes.count - bytes.count % stripe
      var (first, second, third, fourth) = (seed, seed, seed, seed)
      for start in stride(from: 0, to: end, by: stripe) {
        add(word(of: bytes, at: start), to: &first)
        add(word(of: bytes, at: start + 8), to: &second)
        add(word(of: bytes, at: start + 16), to: &third)
        add(word(of: bytes, at: start + 24), to: &fourth)
      }
      var sum = seed ^ UInt64(bytes.count)
      for part in [first, second, third, fourth] { add(part, to: &sum) }
      for byte in bytes[end...] { add(UInt64(byte), to: &sum) }
      return Int64(bitPattern: sum)
    }
  }

  @inlinable package static var seed: UInt64 { 0xcbf2_9ce4_8422_2325 }

  @inlinable package static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The numbers are those of FNV-1a; the shift brings what changes high bits down to the low ones.
  @inlinable package static func add(_ word: UInt64, to sum: inout UInt64) {
    sum = (sum ^ word) &* 0x0000_0100_0000_01b3
    sum ^= sum >> 32
  }
}
