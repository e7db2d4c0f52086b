package import FoundationEssentials
import Glibc
package import Workers

/// Removes files in a cleaning: moves them to the library's trash, or deletes them permanently.
///
/// Each cleaning has a folder in the trash, named by the second in which it began. Files in it keep their paths within
/// the library, so that they can be moved back. An object serves one cleaning or one removal.
package final class Trash {
  /// How long files stay in the trash: a week, in seconds.
  private static let age = 7 * 86_400

  private let folder: LibraryFolder
  private let now: Int
  private let isImmediate: Bool
  /// The folder for this cleaning's files; nil before the first file.
  private var target: String?

  package init(_ folder: LibraryFolder, now: Date = Date(), isImmediate: Bool) {
    self.folder = folder
    self.now = Int(now.timeIntervalSince1970)
    self.isImmediate = isImmediate
  }

  /// Moves a file of the library's folder to the trash, or deletes it; returns whether there was one.
  package func take(_ path: String) throws(StoreError) -> Bool {
    if isImmediate { return try FileSystem.remove(path) }
    guard try FileSystem.kind(of: path) != nil else { return false }
    let name = String(path.utf8.dropFirst(folder.path.utf8.count)) ?? path
    let parts = name.split(separator: "/")
    var place = try makeTarget()
    for part in parts.dropLast() {
      place += "/" + part
      _ = try FileSystem.makeFolder(place)
    }
    place += "/" + (parts.last ?? "")
    if rename(path, place) == 0 { return true }
    guard errno == EXDEV else { throw StoreError(errno: errno, path: path) }
    throw StoreError(reason: .trashElsewhere, path: path, message: "")
  }

  /// Makes a separate folder, even if another cleaning began in the same second.
  private func makeTarget() throws(StoreError) -> String {
    if let target { return target }
    _ = try FileSystem.makeFolder(folder.trash)
    for second in now... {
      let path = "\(folder.trash)/\(second)"
      guard try FileSystem.makeFolder(path) else { continue }
      target = path
      return path
    }
    return folder.trash
  }

  /// The files in the trash, and those among them that are due to be deleted.
  package func content() throws(StoreError) -> (
    all: CleanedLibrary.Files, due: CleanedLibrary.Files
  ) {
    var (all, due) = (CleanedLibrary.Files(), CleanedLibrary.Files())
    for second in try seconds() {
      let files = try Self.files(below: "\(folder.trash)/\(second)")
      all.add(files)
      if isDue(second) { due.add(files) }
    }
    return (all, due)
  }

  /// Deletes the files that have been in the trash for long enough; with immediate deletion, all files.
  package func empty() throws(StoreError) {
    for second in try seconds() where isDue(second) {
      try Self.remove("\(folder.trash)/\(second)")
    }
  }

  private func isDue(_ second: Int) -> Bool { isImmediate || now - second > Self.age }

  /// The folders of cleanings; other files in the trash are ignored.
  private func seconds() throws(StoreError) -> [Int] {
    var seconds: [Int] = []
    for name in try FileSystem.names(inFolder: folder.trash) {
      guard let second = Int(name), String(second) == name, second > 0 else { continue }
      if try FileSystem.kind(of: "\(folder.trash)/\(name)") == .folder { seconds.append(second) }
    }
    return seconds
  }

  private static func files(below path: String) throws(StoreError) -> CleanedLibrary.Files {
    var files = CleanedLibrary.Files()
    for name in try FileSystem.names(inFolder: path) {
      switch try FileSystem.kind(of: "\(path)/\(name)") {
      case .folder: files.add(try Self.files(below: "\(path)/\(name)"))
      case .file(let bytes): files.add(CleanedLibrary.Files(count: 1, bytes: bytes))
      case .other: files.add(CleanedLibrary.Files(count: 1))
      case nil: break
      }
    }
    return files
  }

  /// Deletes a folder with its content; of a link, it deletes only the link.
  private static func remove(_ path: String) throws(StoreError) {
    for name in try FileSystem.names(inFolder: path) {
      let item = "\(path)/\(name)"
      if try FileSystem.kind(of: item) == .folder {
        try remove(item)
      } else {
        _ = try FileSystem.remove(item)
      }
    }
    try FileSystem.removeEmptyFolder(path)
  }
}

extension CleanedLibrary.Files {
  fileprivate mutating func add(_ other: Self) {
    count += other.count
    bytes += other.bytes
  }
}
