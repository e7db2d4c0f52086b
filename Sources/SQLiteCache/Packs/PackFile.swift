import Glibc
import Workers

/// A pack that this process alone appends to while it has it open (flock(2)).
///
/// What rows name of it is never written again. Behind that may lie what a transaction that failed, or
/// never came, has left: whoever opens the pack next cuts it off.
final class PackFile: Sendable {
  let id: Int64
  private let file: Int32
  private let path: String

  private init(_ id: Int64, _ file: Int32, path: String) {
    self.id = id
    self.file = file
    self.path = path
  }

  deinit { close(file) }

  /// Opens a pack; nil when it is not there, when another process has it, or when it cannot be locked.
  static func open(_ id: Int64, in folder: LibraryFolder) throws(StoreError) -> PackFile? {
    let file = Glibc.open(folder.pack(id), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    let pack = PackFile(id, file, path: folder.pack(id))
    return flock(file, LOCK_EX | LOCK_NB) == 0 && pack.isAtPath ? pack : nil
  }

  /// Makes the file of a new pack; nil when another process was faster to lock it.
  ///
  /// On a file system without locks nobody else opens it.
  static func make(_ id: Int64, in folder: LibraryFolder) throws(StoreError) -> PackFile? {
    if try FileSystem.makeFolder(folder.thumbnails) { try FileSystem.sync(folder: folder.path) }
    let path = folder.pack(id)
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    let pack = PackFile(id, file, path: path)
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
    try FileSystem.sync(folder: folder.thumbnails)
    return pack.isAtPath ? pack : nil
  }

  /// Whether the path still names this file: what is written to another is in nobody's library.
  private var isAtPath: Bool {
    var status = stat()
    return fstat(file, &status) == 0 && FileIdentity(path) == FileIdentity(status)
  }

  /// Cuts off what is behind the last byte that a row names; says whether all up to it is there.
  func cut(at end: Int) throws(StoreError) -> Bool {
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
  func write(_ pictures: [[UInt8]], at position: Int) throws(StoreError) -> [PackPlace] {
    var places: [PackPlace] = []
    places.reserveCapacity(pictures.count)
    var end = position
    for bytes in pictures {
      let checksum = PictureChecksum.of(bytes)
      places.append(PackPlace(packID: id, position: end, count: bytes.count, checksum: checksum))
      end += bytes.count
    }
    for start in stride(from: 0, to: pictures.count, by: Self.piecesAtOnce) {
      let pieces = pictures[start..<min(start + Self.piecesAtOnce, pictures.count)]
      try writePieces(pieces, at: places[start].position)
    }
    guard fdatasync(file) == 0 else { throw StoreError(errno: errno, path: path) }
    guard isAtPath else {
      let message = "it was deleted or replaced meanwhile"
      throw StoreError(reason: .readOnly, path: path, message: message)
    }
    return places
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
      let place = off_t(position + rest.startIndex - bytes.startIndex)
      let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, place) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      rest = rest.dropFirst(count)
    }
  }
}
