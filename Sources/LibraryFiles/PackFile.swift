import CLinux
import Glibc
import Models
package import Workers

/// A pack that only this process appends to while it has the pack open (flock(2)).
///
/// Bytes that rows name are never overwritten. A transaction that failed or was never committed may leave bytes after
/// them; the next process to open the pack cuts them off.
package final class PackFile: Sendable {
  package let id: Int64
  private let file: Int32
  private let path: String

  private init(_ id: Int64, _ file: Int32, path: String) {
    self.id = id
    self.file = file
    self.path = path
  }

  deinit { FileSystem.unlock(file) }

  /// Opens a pack; nil when it does not exist, another process has locked it, or it cannot be locked.
  package static func open(_ id: Int64, in folder: LibraryFolder) throws(StoreError) -> PackFile? {
    let file = Glibc.open(folder.pack(id), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    let pack = PackFile(id, file, path: folder.pack(id))
    return flock(file, LOCK_EX | LOCK_NB) == 0 && pack.isAtPath ? pack : nil
  }

  /// Makes the file of a new pack; nil when another process locked it first.
  ///
  /// On a file system without locks, no other process opens the pack.
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

  /// Whether the path still names this file; bytes written to another file are lost to the library.
  private var isAtPath: Bool { FileSystem.isAt(path, file) }

  /// Truncates the pack after the last byte that a row names; returns whether all bytes up to there exist.
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

  /// Writes pictures one after another from a position; they are flushed when this returns.
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

  /// The number of pictures that one call writes: as many as one transaction stores, and at most as many as the system
  /// allows (IOV_MAX, writev(2)).
  private static let piecesAtOnce = 64

  /// Writes pieces one after another; separate calls write the bytes that the first call does not take.
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

  /// Calls pwritev(2) once there is a pointer to each piece; recursion keeps the pointers valid.
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

/// The position, length and checksum of a picture in a pack.
package struct PackLocation: Equatable {
  package var packID: Int64
  /// The position of the first byte, from the start of the file.
  package var offset: Int
  /// The number of bytes.
  package var count: Int
  /// A `PictureChecksum`.
  package var checksum: Int64

  package init(packID: Int64, offset: Int, count: Int, checksum: Int64) {
    self.packID = packID
    self.offset = offset
    self.count = count
    self.checksum = checksum
  }

  package var range: Range<Int> { offset..<offset.adding(max(count, 0)) }
}

/// The pack that pictures are appended to, and the end of the last picture that a row names.
package struct OpenPack {
  package let file: PackFile
  package var end: Int

  package init(file: PackFile, end: Int) {
    self.file = file
    self.end = end
  }
}

/// A range of bytes in a pack that no row names any more.
package struct PackHole: Equatable {
  package var packID: Int64
  /// From the start of the file.
  package var range: Range<Int>

  package init(packID: Int64, range: Range<Int>) {
    self.packID = packID
    self.range = range
  }

  /// Joins holes that follow one another without a gap.
  ///
  /// - Parameter holes: The holes, sorted by pack, then by offset.
  /// - Returns: The joined holes, in the same order.
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

  /// Frees the hole's space on the disk, and the rest of blocks that it shares with adjacent holes.
  ///
  /// On a file system that cannot free space within a file, the space is freed when the file is deleted.
  ///
  /// - Parameters:
  ///   - whole: The range around the hole that no row names.
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

/// A 64-bit checksum of a picture's bytes; it is the same in every run and on every machine.
///
/// It detects damage by a disk, not deliberate changes. Each step is invertible, so a change within eight bytes always
/// changes the checksum. Four sums are computed side by side, over eight bytes each, because each step of a sum depends
/// on the step before it.
package enum PictureChecksum {
  /// The number of bytes that the four sums take together.
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

  /// The constants are those of FNV-1a; the shift carries changes of high bits down to the low bits.
  @inlinable package static func add(_ word: UInt64, to sum: inout UInt64) {
    sum = (sum ^ word) &* 0x0000_0100_0000_01b3
    sum ^= sum >> 32
  }
}
