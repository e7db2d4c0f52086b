import Glibc
package import Workers

/// Writes copies of stored pictures to files and to standard output.
///
/// A file is written beside its place, brought to the disk and renamed, so that nobody ever sees half
/// of it and an existing file stays as it is until the copy is whole. A pipe or a device, as
/// `/dev/null`, is no file to be replaced: what is written goes into it.
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

  /// link(2) refuses a name that has come up since; where a file system has no links, the look
  /// before has to do.
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

extension ExportError {
  /// The system's last error, about a path that was to be written.
  static func unwritable(path: String) -> ExportError {
    .unwritable(path: path, message: String(cString: strerror(errno)))
  }
}
