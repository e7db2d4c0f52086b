import FoundationEssentials
import Glibc
package import Workers

/// The small files that belong to a library but not to its database: the tokens of the server, and the user's settings.
package struct CompanionFiles: Sendable {
  /// The files, each with its path in the copy.
  private var paths: [(from: String, to: String)] = []
  private let source: LibraryFolder
  private let target: LibraryFolder
  private let isRestored: Bool

  /// - Parameters:
  ///   - source: The library that is copied.
  ///   - target: The copy.
  ///   - isRestored: Whether the library is a backup, from which these files return to their places.
  package init(from source: LibraryFolder, to target: LibraryFolder, isRestored: Bool) {
    (self.source, self.target, self.isRestored) = (source, target, isRestored)
  }

  /// Adds the tokens of the server.
  package mutating func addTokens() {
    for name in [TokenFile.ofServer, TokenFile.named] {
      paths.append(("\(source.path)/\(name)", "\(target.path)/\(name)"))
    }
  }

  /// Adds the user's settings; `path` is their file on this machine.
  package mutating func addSettings(_ path: String) {
    paths.append(isRestored ? (source.settings, path) : (path, target.settings))
  }

  /// Makes the files of the copy equal to those of the library; a restored one never replaces or deletes a file.
  ///
  /// - Returns: The paths of files that stay because of that, although they differ.
  /// - Throws: when a file cannot be read or written.
  package func copy() throws(StoreError) -> [String] {
    var kept: [String] = []
    for (from, to) in paths {
      switch try Self.content(of: from) {
      case .bytes(let bytes):
        if case .bytes(let there) = try Self.content(of: to), there == bytes { continue }
        if isRestored, try FileSystem.kind(of: to) != nil {
          kept.append(to)
          continue
        }
        try LibraryFolder(URL(filePath: to).deletingLastPathComponent().path).make()
        try FileSystem.replace(to, with: bytes, isFlushed: true)
      case .none: if !isRestored { _ = try FileSystem.remove(to) }
      case .other: break
      }
    }
    return kept
  }

  private enum Content {
    case bytes([UInt8])
    case none
    /// No regular file, such as /dev/null, which stands for no settings.
    case other
  }

  private static func content(of path: String) throws(StoreError) -> Content {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return .none }
      throw StoreError(errno: errno, path: path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw StoreError(errno: errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw StoreError(errno: errno, path: path) }
      if count == 0 { return .bytes(bytes) }
      bytes += buffer[..<count]
    }
  }
}
