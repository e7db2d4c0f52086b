import Glibc
import Models
package import Workers

/// Writes copies of stored pictures to files and to standard output.
///
/// A copy is written to a temporary file, flushed and renamed. So readers never see an incomplete file, and an existing
/// file is unchanged until the copy is complete. A pipe or a device such as `/dev/null` is not replaced; the copy is
/// written into it.
package struct PictureExporter: PictureExporting {
  package init() {}

  package func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) throws(ExportError) {
    let source = ExportSource(picture)
    switch destination {
    case .standardOutput:
      try source.copy(to: STDOUT_FILENO, named: "standard output")
    case .folder(let folder, let name, let isReplacing):
      do throws(SiteExportError) {
        try GuardedFolder.makeFolders(folder)
      } catch {
        throw .unwritable(path: folder, message: error.systemMessage)
      }
      try write(source, to: "\(folder)/\(name)", isReplacing: isReplacing)
    case .file(let path, let isReplacing):
      switch ExportPlace(path: path) {
      case .file: try write(source, to: path, isReplacing: isReplacing)
      case .stream: try write(source, into: path)
      case .other: throw .notAFile(path: path)
      }
    }
  }

  private func write(_ source: ExportSource, into path: String) throws(ExportError) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .unwritable(path: path) }
    defer { close(descriptor) }
    try source.copy(to: descriptor, named: path)
  }

  private func write(
    _ source: ExportSource,
    to path: String,
    isReplacing: Bool
  ) throws(ExportError) {
    if !isReplacing, access(path, F_OK) == 0 { throw .exists(path: path) }
    let beside = "\(path).\(UInt32.random(in: .min ... .max)).part"
    let descriptor = Glibc.open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .unwritable(path: path) }
    do throws(ExportError) {
      defer { close(descriptor) }
      try source.copy(to: descriptor, named: path, isFinal: false)
      guard fsync(descriptor) == 0 else { throw ExportError.unwritable(path: path) }
      try Self.move(beside, to: path, isReplacing: isReplacing)
    } catch {
      unlink(beside)
      throw error
    }
  }

  /// Renames the copy; link(2) rejects a name that another process has created since the check.
  ///
  /// On a file system without links, only the check protects an existing file.
  private static func move(
    _ beside: String,
    to path: String,
    isReplacing: Bool
  ) throws(ExportError) {
    if !isReplacing {
      if link(beside, path) == 0 {
        unlink(beside)
        return
      }
      if errno == EEXIST { throw .exists(path: path) }
    }
    guard rename(beside, path) == 0 else { throw .unwritable(path: path) }
  }
}

extension SiteExportError {
  /// The system's message about the folder.
  fileprivate var systemMessage: String {
    if case .folder(let error) = self { error.message } else { "" }
  }
}

extension ExportError {
  /// The system's last error, for a path that could not be written.
  static func unwritable(path: String) -> ExportError {
    .unwritable(path: path, message: String(cString: strerror(errno)))
  }
}

/// The kind of file at the path of a copy, after links are followed (inode(7)).
enum ExportPlace {
  /// A regular file, or no file yet.
  case file
  /// A pipe or a character device, which takes a stream of bytes.
  case stream
  /// A folder, a socket or a block device.
  case other

  init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .file
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFIFO, S_IFCHR: self = .stream
    default: self = .other
    }
  }
}

/// The source of a copy: bytes in memory, or a file.
enum ExportSource {
  case bytes([UInt8])
  case file(path: String, sha256: String)

  private static let chunk = 256 << 10

  init(_ picture: ExportedPicture) {
    switch picture {
    case .thumbnail(let bytes): self = .bytes(bytes)
    case .original(let original):
      self = .file(path: original.path, sha256: original.sha256)
    }
  }

  /// Writes all bytes; throws when their hash differs from the stored one.
  func copy(
    to descriptor: Int32,
    named name: String,
    isFinal: Bool = true
  ) throws(ExportError) {
    switch self {
    case .bytes(let bytes): try Self.write(bytes[...], to: descriptor, named: name)
    case .file(let path, let sha256):
      let copied = try Self.copyFile(path, to: descriptor, named: name)
      if copied != sha256 { throw .damaged(path: path, isSpilt: isFinal) }
    }
  }

  /// Copies a file, and returns the hash of its content.
  private static func copyFile(
    _ path: String,
    to descriptor: Int32,
    named name: String
  ) throws(ExportError) -> String {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw unreadable(path) }
    defer { close(source) }
    var buffer = [UInt8](repeating: 0, count: chunk)
    var hash = try hash(of: path)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { return hash.digits }
      hash.update(buffer.prefix(count))
      try write(buffer[..<count], to: descriptor, named: name)
    }
  }

  private static func hash(of path: String) throws(ExportError) -> SHA256 {
    do throws(StoreError) {
      return try SHA256(of: path)
    } catch {
      throw .unreadable(path: path, message: error.message)
    }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>,
    to descriptor: Int32,
    named name: String
  ) throws(ExportError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw .closed
      } else if errno != EINTR {
        throw .unwritable(path: name)
      }
    }
  }

  private static func unreadable(_ path: String) -> ExportError {
    .unreadable(path: path, message: String(cString: strerror(errno)))
  }
}
