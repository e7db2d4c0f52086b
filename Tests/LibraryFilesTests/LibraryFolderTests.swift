import Foundation
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

struct LibraryFolderTests {
  @Test(arguments: [
    ("/home/ann/gallery", "/home/ann/gallery"),
    ("/home/ann/.local/share/..gallery/...", "/home/ann/.local/share/..gallery/..."),
    ("/home/ann/pictures/../gallery", "/home/ann/gallery"), ("/home/./ann", "/home/ann"),
    ("/home//ann", "/home/ann"), ("/home/ann/", "/home/ann"), ("/home/ann/.", "/home/ann"),
    ("/home/Zoë & 月/%20", "/home/Zoë & 月/%20"),
  ])
  func `has the shortest path that means it`(_ path: String, _ shortest: String) {
    #expect(LibraryFolder(path).path == shortest)
  }

  // MARK: Links

  @Test(arguments: [
    "originals", "originals/ab", "thumbnails", "partial", "packs", "locks", "trash",
  ])
  func `refuses a link in place of a folder to a copy, unless there is a library`(
    _ name: String
  ) throws {
    let folder = try folder("originals/cd/1", "other/1")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    try folder.checkNoLinksForCopy()
    let (link, target) = ("\(folder.path)/\(name)", "\(folder.path)/other")
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)

    let message = try #require(LibraryFolder.resolved(target))
    let expected = StoreError(reason: .linked, path: link, message: message)
    #expect(throws: expected) { try folder.checkNoLinksForCopy() }
    try Data().write(to: URL(filePath: folder.databaseFile))
    #expect(throws: expected) { try folder.checkNoLinksForCopy() }
    try Data([1]).write(to: URL(filePath: folder.databaseFile))
    try folder.checkNoLinksForCopy()
    #expect(throws: expected) { try folder.checkNoLinksForFirstCopy() }
  }

  @Test func `refuses a link to an empty database, or to none, to a copy`() throws {
    let folder = try folder("originals/cd/1")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let (link, target) = (folder.databaseFile, "\(folder.path)/other")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)

    let dangling = StoreError(reason: .linked, path: link, message: "")
    #expect(throws: dangling) { try folder.checkNoLinksForCopy() }
    try Data().write(to: URL(filePath: target))
    let message = try #require(LibraryFolder.resolved(target))
    let expected = StoreError(reason: .linked, path: link, message: message)
    #expect(throws: expected) { try folder.checkNoLinksForCopy() }
    try Data([1]).write(to: URL(filePath: target))
    try folder.checkNoLinksForCopy()
  }

  @Test func `allows a copy other links, a place that is a link, and one that is not there yet`()
    throws
  {
    let folder = try folder("originals/ab/1", "other/1")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    for name in ["pictures", "originals/mine"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(name)",
        withDestinationPath: "\(folder.path)/other"
      )
    }
    let link = "\(folder.path)/other/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)

    try folder.checkNoLinksForCopy()
    try LibraryFolder(link).checkNoLinksForCopy()
    try LibraryFolder("\(folder.path)/none").checkNoLinksForCopy()
    try LibraryFolder("\(folder.path)/other/1").checkNoLinksForCopy()
  }

  // MARK: What is left of a library

  private static let original = "originals/ab/\(String(repeating: "ab", count: 32)).jpg"

  /// A folder with some files.
  private func folder(_ files: String...) throws -> LibraryFolder {
    let path = FileManager.default.temporaryDirectory.path + "/gallery-\(UUID())"
    for file in files {
      let url = URL(filePath: "\(path)/\(file)")
      let parent = url.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      try Data([1]).write(to: url)
    }
    return LibraryFolder(path)
  }

  @Test(arguments: [
    (original, LibraryRemains(folder: "", originals: 1)),
    ("thumbnails/3.pack", LibraryRemains(folder: "", packs: 1)),
    ("library.key", LibraryRemains(folder: "", hasKey: true)),
  ])
  func `tells each file that is left of a library`(
    _ file: String,
    _ expected: LibraryRemains
  ) throws {
    let folder = try folder(file, "locks/1")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    var expected = expected
    expected.folder = folder.path

    #expect(try folder.remains() == expected)
  }

  @Test func `tells the places of backups, the newest first`() throws {
    let folder = try folder("locks/1")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    for (name, second) in [("/b/old", 1.0), ("/b/new", 3), ("/b/middle", 2)] {
      BackupNotes(of: folder, at: LibraryFolder(name)).add(Date(timeIntervalSince1970: second))
    }

    #expect(try folder.remains()?.backups == ["/b/new", "/b/middle", "/b/old"])
  }

  @Test func `takes no file of another kind for the rest of a library`() throws {
    let folder = try folder(
      "locks/1",
      "partial/7",
      "trash/1/a.jpg",
      "originals/readme.txt",
      "originals/ab/holiday.jpg",
      "thumbnails/x.pack",
      "packs/1",
      "gallery.sqlite-shm",
      "tokens.json"
    )
    defer { try? FileManager.default.removeItem(atPath: folder.path) }

    #expect(try folder.remains() == nil)
    #expect(try LibraryFolder(folder.path + "/none").remains() == nil)
  }
}
