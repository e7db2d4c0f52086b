import Foundation
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

struct BackupNotesTests {
  private let scratch: ScratchFolder
  private var library: LibraryFolder { LibraryFolder(scratch.path + "/library") }

  init() throws { scratch = try ScratchFolder() }

  private func notes(_ name: String) -> BackupNotes {
    BackupNotes(of: library, at: LibraryFolder("\(scratch.path)/\(name)"))
  }

  private func make(_ name: String) throws {
    let folder = LibraryFolder("\(scratch.path)/\(name)")
    try folder.make()
    try Data([1]).write(to: URL(filePath: folder.path + "/gallery.sqlite"))
  }

  @Test func `a first backup needs no note`() throws {
    try notes("disk").check()

    try make("other")
    try notes("other").check()
  }

  @Test func `a folder with other files is no place for a backup`() throws {
    let path = scratch.path + "/disk"
    for name in ["lost+found", ".hidden", "originals"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try notes("disk").check()

    try Data([1]).write(to: URL(filePath: path + "/holiday.jpg"))

    let message = "holiday.jpg"
    #expect(throws: StoreError(reason: .otherFiles, path: path, message: message)) {
      try notes("disk").check()
    }
  }

  @Test func `a backup that is gone is missed, and only in its own folder`() throws {
    try make("disk")
    notes("disk").add(Date(timeIntervalSince1970: 1_800_000_000.4))
    notes("second").add(Date(timeIntervalSince1970: 1_700_000_000))
    try notes("disk").check()

    try FileManager.default.removeItem(atPath: scratch.path + "/disk/gallery.sqlite")

    let date = Date(timeIntervalSince1970: 1_800_000_000)
    let path = scratch.path + "/disk"
    #expect(throws: StoreError(reason: .backupGone(since: date), path: path, message: "")) {
      try notes("disk").check()
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: StoreError.self) { try notes("disk").check() }
    #expect(throws: StoreError.self) { try notes("second").check() }
    try notes("third").check()
  }

  @Test func `a backup is set aside without its originals, and only one that was noted`() throws {
    try make("disk")
    let path = scratch.path + "/disk"
    for name in ["thumbnails", "originals"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)",
        withIntermediateDirectories: false
      )
    }
    try Data([2]).write(to: URL(filePath: path + "/gallery.sqlite-wal"))
    func names(_ folder: String = "") throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: path + folder).sorted()
    }
    let before = try names()

    try notes("disk").setAside(Date(timeIntervalSince1970: 9))
    #expect(try names() == before)
    notes("disk").add(Date(timeIntervalSince1970: 1))
    try notes("disk").setAside(Date(timeIntervalSince1970: 9))

    #expect(try names() == ["former-9", "originals"])
    #expect(try names("/former-9") == ["gallery.sqlite", "gallery.sqlite-wal", "thumbnails"])
    try notes("disk").setAside(Date(timeIntervalSince1970: 10))
    #expect(try names() == ["former-9", "originals"])
  }

  @Test(arguments: ["", "[]", "{\"a\":"])
  func `notes that cannot be read are as none, and are written again`(content: String) throws {
    try library.make()
    try Data(content.utf8).write(to: URL(filePath: library.backups))

    try notes("disk").check()
    notes("disk").add(Date(timeIntervalSince1970: 1))

    #expect(throws: StoreError.self) { try notes("disk").check() }
  }

  @Test func `a name with any characters is one folder`() throws {
    for name in ["a b", "ä\n", "\"'\\", "%20"] { notes(name).add(Date(timeIntervalSince1970: 1)) }

    for name in ["a b", "ä\n", "\"'\\", "%20"] {
      #expect(throws: StoreError.self) { try notes(name).check() }
    }
    try notes("a%20b").check()
  }
}
