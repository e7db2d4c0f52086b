import Foundation
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// The tokens and settings in a backup, and in a library that is restored from it.
final class CompanionFilesTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, to path: String) throws {
    let url = URL(filePath: "\(folder)/\(path)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  /// The texts of the files below a folder, by path.
  private func texts(_ name: String) throws -> [String: String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(name)")
    let pairs = paths.compactMap { path in
      FileManager.default.contents(atPath: "\(folder)/\(name)/\(path)")
        .map { (path, String(decoding: $0, as: UTF8.self)) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private func files(from source: String, to target: String, isRestored: Bool) -> CompanionFiles {
    var files = CompanionFiles(
      from: LibraryFolder("\(folder)/\(source)"),
      to: LibraryFolder("\(folder)/\(target)"),
      isRestored: isRestored
    )
    files.addTokens()
    files.addSettings("\(folder)/config/config.toml")
    return files
  }

  @Test func `a backup has the tokens and settings, and loses those that are gone`() throws {
    try write("secret", to: "library/server-token")
    try write("[]", to: "library/tokens.json")
    try write("quiet = true", to: "config/config.toml")
    let files = files(from: "library", to: "backup", isRestored: false)

    #expect(try files.copy() == [])
    let all = ["server-token": "secret", "tokens.json": "[]", "config.toml": "quiet = true"]
    #expect(try texts("backup") == all)
    let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/backup/server-token")
    #expect(mode[.posixPermissions] as? Int == 0o600)

    try write("[1]", to: "library/tokens.json")
    try FileManager.default.removeItem(atPath: "\(folder)/library/server-token")
    #expect(try files.copy() == [])
    #expect(try texts("backup") == ["tokens.json": "[1]", "config.toml": "quiet = true"])
  }

  @Test func `settings that are no file leave those of the backup`() throws {
    try write("old", to: "backup/config.toml")
    var files = CompanionFiles(
      from: LibraryFolder("\(folder)/library"),
      to: LibraryFolder("\(folder)/backup"),
      isRestored: false
    )
    files.addSettings("/dev/null")

    #expect(try files.copy() == [])

    #expect(try texts("backup") == ["config.toml": "old"])
  }

  @Test func `a restored library gets what is missing, and replaces nothing`() throws {
    try write("secret", to: "backup/server-token")
    try write("[]", to: "backup/tokens.json")
    try write("quiet = true", to: "backup/config.toml")
    try write("other", to: "library/server-token")
    let files = files(from: "backup", to: "library", isRestored: true)

    #expect(try files.copy() == ["\(folder)/library/server-token"])

    #expect(try texts("library") == ["server-token": "other", "tokens.json": "[]"])
    #expect(try texts("config") == ["config.toml": "quiet = true"])
    try write("quiet = false", to: "config/config.toml")
    #expect(try files.copy().count == 2)
    #expect(try texts("config") == ["config.toml": "quiet = false"])
  }

  @Test func `a restored library keeps its files when the backup has none`() throws {
    try write("", to: "backup/other")
    try write("[]", to: "library/tokens.json")

    #expect(try files(from: "backup", to: "library", isRestored: true).copy() == [])

    #expect(try texts("library") == ["tokens.json": "[]"])
  }

  @Test func `a file that cannot be written is an error`() throws {
    try write("[]", to: "library/tokens.json")
    try write("", to: "backup/tokens.json/inside")

    #expect(throws: StoreError.self) {
      try files(from: "library", to: "backup", isRestored: false).copy()
    }
  }
}
