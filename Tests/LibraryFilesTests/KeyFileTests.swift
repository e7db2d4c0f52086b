import Foundation
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// The file that keeps the private half of a library's key pair.
struct KeyFileTests {
  private let folder: ScratchFolder
  private let file: KeyFile
  private let key: SigningKey

  init() throws {
    folder = try ScratchFolder()
    file = KeyFile(in: LibraryFolder(folder.path))
    key = try .random()
  }

  private func expectUnusable(_ reason: String, of library: String = "one") {
    do throws(StoreError) {
      _ = try file.key(of: library)
      Issue.record("it can be used")
    } catch {
      #expect(error.reason == .unusableKey && error.path == file.path)
      #expect(error.message.contains(reason), "\(error)")
    }
  }

  @Test func `is readable only by its owner, and gives the pair back`() throws {
    #expect(try file.key(of: "one") == nil)

    try file.write(key, library: "one")

    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try file.key(of: "one")?.secret == key.secret)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names == ["library.key"])
    let message = """
      it is the key of the library one, and this is two, which makes a key of its own once that one is moved away
      """
    expectUnusable(message, of: "two")
  }

  @Test(arguments: [0o640, 0o604, 0o700 + 0o010])
  func `is refused when other users may use it`(mode: Int) throws {
    try file.write(key, library: "one")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)

    expectUnusable("other users may read it")
  }

  @Test(arguments: [
    "", "ed25519 one", "ed25519 one 00\n", "rsa one \(String(repeating: "0", count: 64))",
  ])
  func `is refused when it is damaged`(text: String) throws {
    try FileSystem.replace(file.path, with: Array(text.utf8))

    expectUnusable("it is damaged, or no key")
  }

  @Test func `is refused when it is a link`() throws {
    try file.write(key, library: "one")
    try FileManager.default.moveItem(atPath: file.path, toPath: file.path + ".real")
    try FileManager.default.createSymbolicLink(
      atPath: file.path,
      withDestinationPath: file.path + ".real"
    )

    expectUnusable("symbolic links")
  }
}
