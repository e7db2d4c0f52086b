import Glibc
import Models
import Workers

/// The files a request may read: those below its folder once links are resolved.
struct FileScope {
  let request: NetworkRequest

  /// Opens the file of the request's address.
  ///
  /// - Returns: a descriptor the caller closes, and what the file is like.
  func open() throws(NetworkError) -> (descriptor: Int32, facts: FileFacts) {
    let path = try resolvedPath()
    // The path holds no link any more; one put there since is not followed. Opening a pipe must
    // not wait for its writer.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw failure(.unreadableFile, "not a regular file")
    }
    return (descriptor, FileFacts(status))
  }

  private func resolvedPath() throws(NetworkError) -> String {
    guard let folder = request.fileFolder else {
      throw failure(.refused, "files are not asked for here")
    }
    guard let path = request.address.filePath, path.utf8.first == UInt8(ascii: "/"),
      !path.utf8.contains(0)
    else {
      throw failure(.refused, "not the address of a file of this machine")
    }
    guard let file = Self.resolved(path), let scope = Self.resolved(folder) else {
      throw unreadable(errno)
    }
    guard Self.isBelow(scope, file) else {
      throw failure(.unreadableFile, "outside the folder it may lie in")
    }
    return file
  }

  /// By bytes, as the system compares names: a combining mark at a name's beginning would make
  /// another character of the slash before it.
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
    failure(.unreadableFile, String(cString: strerror(code)))
  }

  private func failure(_ reason: NetworkError.Reason, _ message: String) -> NetworkError {
    NetworkError(reason: reason, address: request.address, message: message)
  }
}
