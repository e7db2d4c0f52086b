import Foundation

/// A folder for one test's library, gone with the test.
final class TestLibrary {
  let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = url.path
  }

  deinit {
    // A folder that stays behind in the system's temporary one harms no test.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The library's place inside: it does not exist until the program makes it.
  var path: String { "\(folder)/library" }

  /// The program with this library, at work in the folder.
  var program: Program { Program(library: path, workingFolder: folder) }
}
