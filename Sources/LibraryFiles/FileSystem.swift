import CLinux
package import FoundationEssentials
import Glibc
import Models
package import Workers

/// The system calls for a library's files; their errors become a `StoreError`.
package enum FileSystem {
  /// Whether a readable file exists.
  ///
  /// - Throws: when the file must not be read, or its folder must not be searched.
  package static func isThere(_ path: String) throws(StoreError) -> Bool {
    if faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw StoreError.lastError(.forbidden, path: path)
  }

  /// Throws when a file or folder is not writable because of its mode or its medium.
  package static func checkWritable(_ path: String) throws(StoreError) {
    if !isWritable(path) { throw StoreError(errno: errno, path: path) }
  }

  /// Whether a file or folder can be written.
  package static func isWritable(_ path: String) -> Bool {
    faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The kind of the file at a path; does not follow a link there, and is nil when the path does not exist.
  ///
  /// - Throws: when the folder of the path must not be searched.
  package static func kind(of path: String) throws(StoreError) -> FileKind? {
    var status = stat()
    if lstat(path, &status) == 0 { return FileKind(status) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw StoreError.lastError(.forbidden, path: path)
  }

  /// Whether a path still names an open file, and not another file that has replaced it.
  static func isAt(_ path: String, _ file: Int32) -> Bool {
    var opened = stat()
    return fstat(file, &opened) == 0 && FileIdentity(path) == FileIdentity(opened)
  }

  /// The names in a folder, sorted so that two calls return the same order; empty when there is no folder.
  package static func names(inFolder path: String) throws(StoreError) -> [String] {
    guard let folder = opendir(path) else {
      if errno == ENOENT { return [] }
      let reason: StoreError.Reason = errno == ENOTDIR ? .unusablePlace : .forbidden
      throw StoreError.lastError(reason, path: path)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether there is a folder that can be read and is not empty.
  static func hasNames(inFolder path: String) -> Bool {
    guard let folder = opendir(path) else { return false }
    defer { closedir(folder) }
    // Each folder has `.` and `..`, and other names only if it is not empty.
    for _ in 0..<3 where readdir(folder) == nil { return false }
    return true
  }

  /// Flushes a folder's list of names to the disk.
  package static func sync(folder path: String) throws(StoreError) {
    try sync(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Flushes a file's content to the disk.
  package static func sync(file path: String) throws(StoreError) {
    try sync(path, flags: O_RDONLY | O_CLOEXEC)
  }

  private static func sync(_ path: String, flags: Int32) throws(StoreError) {
    let file = open(path, flags)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw StoreError(errno: errno, path: path) }
  }

  /// Writes bytes to an open file, at its current position.
  package static func write(_ bytes: [UInt8], to file: Int32, path: String) throws(StoreError) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      start += count
    }
  }

  /// Atomically replaces a file with a small new file, which only its owner can read.
  ///
  /// The new file has a name of its own, because another task or program may replace the same file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytes: Its new content.
  ///   - isFlushed: Whether the new file is on the disk when the function returns.
  /// - Throws: when it cannot be written; then the old file stays.
  package static func replace(
    _ path: String,
    with bytes: [UInt8],
    isFlushed: Bool = false
  ) throws(StoreError) {
    let temporary = "\(path).\(UInt64.random(in: .min ... .max))"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: temporary) }
    defer { close(file) }
    do throws(StoreError) {
      try write(bytes, to: file, path: temporary)
      if isFlushed, fsync(file) != 0 { throw StoreError(errno: errno, path: temporary) }
      try move(temporary, to: path)
    } catch {
      unlink(temporary)
      throw error
    }
    if isFlushed { try sync(folder: URL(filePath: path).deletingLastPathComponent().path) }
  }

  /// The first bytes of a file, fewer if it is shorter; empty when it cannot be read.
  package static func beginning(of path: String, count: Int) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
      read = max(0, Glibc.read(file, bytes.baseAddress, count))
    }
  }

  /// Makes a folder for its owner only, unless it exists; returns whether it made the folder.
  package static func makeFolder(_ path: String) throws(StoreError) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw StoreError(errno: errno, path: path) }
    guard isFolder(path) else { throw StoreError(errno: ENOTDIR, path: path) }
    return false
  }

  /// Renames a file within its file system.
  package static func move(_ path: String, to target: String) throws(StoreError) {
    guard rename(path, target) == 0 else { throw StoreError(errno: errno, path: target) }
  }

  /// Deletes an empty folder at the path of a file; throws when the folder is not empty.
  package static func removeEmptyFolder(_ path: String) throws(StoreError) {
    if rmdir(path) == 0 || errno == ENOENT || errno == ENOTDIR { return }
    throw StoreError(errno: errno, path: path)
  }

  /// Deletes a file; returns whether there was one.
  package static func remove(_ path: String) throws(StoreError) -> Bool {
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else { throw StoreError(errno: errno, path: path) }
    return false
  }

  /// Leaves a time of a file unchanged (utimensat(2), UTIME_OMIT).
  package static let omittedTime = (1 << 30) - 2

  /// How many seconds ago a file was last changed; nil if it is missing.
  package static func age(of path: String, now: Date) -> Double? {
    changed(path).map { now.timeIntervalSince1970 - Double($0) }
  }

  /// When a file was last changed, in seconds since 1970; nil if it is missing.
  static func changed(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
  }

  /// The free bytes for this user and the total bytes of the disk that contains a path; nil when the system does not
  /// report them.
  package static func disk(of path: String) -> (free: Int, total: Int)? {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return nil }
    // A file system over a network may report any number.
    let block = Int(clamping: disk.f_frsize)
    let (free, total) = (Int(clamping: disk.f_bavail), Int(clamping: disk.f_blocks))
    return (free.multiplied(by: block), total.multiplied(by: block))
  }

  /// The length of a file; nil if it is missing.
  package static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}

/// The kind of file that a path names (inode(7)).
package enum FileKind: Equatable {
  /// A regular file, with its length in bytes.
  case file(bytes: Int)
  case folder
  /// A link, a pipe, a socket or a device.
  case other

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file(bytes: Int(status.st_size))
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}

/// Identifies the file that a path names, whatever its name (inode(7)).
package struct FileIdentity: Equatable {
  private let device: dev_t
  private let node: ino_t

  /// Nil when the path does not exist.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = status.st_dev
    node = status.st_ino
  }
}

/// Distinguishes a file from a copy of it, by its inode number and its creation time.
///
/// The inode number alone is reused after the file is deleted. File systems without creation times give only that.
package enum FileOrigin {
  /// A text without blanks; nil when the path does not exist.
  package static func of(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    var (seconds, nanoseconds): (Int64, Int64) = (0, 0)
    guard clinux_birth(path, &seconds, &nanoseconds) == 0 else { return "\(status.st_ino)" }
    return "\(status.st_ino)-\(seconds)-\(nanoseconds)"
  }
}

extension StoreError {
  /// Makes an error from the error number of a failed system call.
  package init(errno code: Int32, path: String) {
    self.init(reason: Reason(errno: code), path: path, message: String(cString: strerror(code)))
  }

  /// Makes an error with a given reason and the message of the last failed system call.
  static func lastError(_ reason: Reason, path: String) -> StoreError {
    StoreError(reason: reason, path: path, message: String(cString: strerror(errno)))
  }
}

extension StoreError.Reason {
  fileprivate init(errno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .full
    case EROFS, EACCES, EPERM, EFBIG: self = .readOnly
    case ENOTDIR: self = .unusablePlace
    default: self = .other
    }
  }
}
