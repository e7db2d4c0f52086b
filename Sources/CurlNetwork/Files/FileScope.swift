import FoundationEssentials
import Glibc
import Models
import Workers

/// The files that a request may read: those below its folder, after symbolic links are resolved.
struct FileScope {
  let request: NetworkRequest

  /// Opens the file of the request's address.
  ///
  /// - Returns: A descriptor, which the caller closes, and the facts about the file.
  func open() throws(NetworkError) -> (descriptor: Int32, facts: FileFacts) {
    let path = try resolvedPath()
    // The path contains no links, and O_NOFOLLOW rejects one created since. Opening a pipe must not wait for its
    // writer.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw request.failure(.unreadableFile, "not a regular file")
    }
    return (descriptor, FileFacts(status))
  }

  private func resolvedPath() throws(NetworkError) -> String {
    guard let folder = request.fileFolder else {
      throw request.failure(.refused, "files are not asked for here")
    }
    guard let path = request.address.filePath, path.utf8.first == UInt8(ascii: "/"),
      !path.utf8.contains(0)
    else {
      throw request.failure(.refused, "not the address of a file of this machine")
    }
    guard let file = Self.resolved(path), let scope = Self.resolved(folder) else {
      throw unreadable(errno)
    }
    guard Self.isBelow(scope, file) else {
      throw request.failure(.unreadableFile, "outside the folder it may lie in")
    }
    return file
  }

  /// Whether a file is below a folder; compares bytes, as the system does.
  ///
  /// Compared as characters, a slash followed by a combining mark would not match.
  private static func isBelow(_ folder: String, _ file: String) -> Bool {
    let isRoot = folder == "/"
    return file.utf8.starts(with: isRoot ? folder.utf8 : (folder + "/").utf8)
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func unreadable(_ code: Int32) -> NetworkError {
    request.failure(.unreadableFile, String(cString: strerror(code)))
  }
}

/// The facts about a file when it was opened.
struct FileFacts: Sendable, Equatable {
  let length: Int
  /// When the content was last written.
  let modified: Date
  /// A strong entity tag, made of the file's length, inode number and modification time in nanoseconds.
  let entityTag: String

  init(_ status: stat) {
    let written = status.st_mtim
    length = Int(status.st_size)
    modified = Date(timeIntervalSince1970: TimeInterval(written.tv_sec))
    let parts = [
      Int(status.st_size), Int(truncatingIfNeeded: status.st_ino), written.tv_sec, written.tv_nsec,
    ]
    entityTag = "\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\""
  }

  /// The part of the file to read for a request; nil for a response without a body (304, 416).
  func part(for request: NetworkRequest) -> Range<Int>? {
    if request.validators.entityTag == entityTag { return nil }
    guard let range = request.range, range.validator == entityTag else { return 0..<length }
    return (0..<length).contains(range.offset) ? range.offset..<length : nil
  }

  /// The header of the response to a request.
  func header(for request: NetworkRequest) -> NetworkHeader {
    var header = NetworkHeader(
      status: 200,
      address: request.address,
      validators: Validators(entityTag: entityTag),
      contentLength: length,
      modified: modified
    )
    guard let part = part(for: request) else { return withoutBody(header, request) }
    if part.lowerBound > 0 {
      header.status = 206
      header.contentLength = part.count
      header.contentRange = ContentRange(bytes: ClosedRange(part), total: length)
    }
    return header
  }

  private func withoutBody(_ header: NetworkHeader, _ request: NetworkRequest) -> NetworkHeader {
    var header = header
    header.contentLength = nil
    header.status = 304
    if request.validators.entityTag != entityTag {
      header.status = 416
      header.contentRange = ContentRange(bytes: nil, total: length)
    }
    return header
  }
}
