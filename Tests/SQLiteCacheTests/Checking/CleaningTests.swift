import Foundation
import Glibc
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct CleaningTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
  }

  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: store.path)
      .filter { $0.contains("originals/") && $0.contains(".") || $0.hasPrefix("partial/") }.sorted()
  }

  private func cleaned(
    feeds: Int = 0,
    images: Int = 0,
    originals: Int = 0,
    files: Int = 0,
    bytes: Int = 0
  ) -> CleanedLibrary {
    var cleaned = CleanedLibrary()
    cleaned.feeds = feeds
    cleaned.images = images
    cleaned.originals = originals
    cleaned.files = files
    cleaned.bytes = bytes
    return cleaned
  }

  @Test func `finds nothing to delete where everything is needed`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")

    #expect(try await store.library.clean(.now).isEmpty)
    #expect(try await store.library.original(imageID: 1) != nil)
  }

  @Test func `deletes what a removed feed has left`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    _ = try await store.library.removeFeed(id: 1, purging: false)
    let expected = cleaned(feeds: 1, images: 2, originals: 1, bytes: 3)

    #expect(try await store.library.clean(.rehearsal) == expected)
    #expect(try files().count == 1)
    #expect(try await store.library.clean(.now) == expected)
    #expect(try files() == [])
    #expect(try store.numbers("SELECT count(*) FROM image") == [0])
    #expect(try await store.library.clean(.now).isEmpty)
  }

  @Test func `keeps an original that a followed feed has, too`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    try await store.sync([.sample("c", id: "3")], to: .otherFeed)
    try await store.storeOriginal([1, 2, 3], imageID: 3, from: "c")
    _ = try await store.library.removeFeed(id: 1, purging: false)

    #expect(try await store.library.clean(.rehearsal) == cleaned(feeds: 1, images: 2))
    #expect(try await store.library.clean(.now) == cleaned(feeds: 1, images: 2))
    #expect(try await store.library.original(imageID: 3) != nil)
  }

  @Test func `deletes originals that were replaced by newer ones`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    try await store.storeOriginal([4, 5], imageID: 1, from: "a")

    #expect(try await store.library.clean(.now) == cleaned(originals: 1, bytes: 3))
    #expect(try files().count == 1)
    #expect(try await store.library.original(imageID: 1)?.info.bytes == 2)
  }

  @Test func `deletes files that no row refers to`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    let folder = store.path + "/originals/00"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data([7, 7]).write(to: URL(fileURLWithPath: folder + "/strange.jpg"))

    #expect(try await store.library.clean(.now) == cleaned(files: 1, bytes: 2))
    #expect(try files().count == 1)
  }

  // MARK: The trash

  private func write(_ name: String, in folder: String) throws {
    let folder = "\(store.path)/\(folder)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data([7, 7]).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  @Test func `moves files to the trash, below the names that they had`() async throws {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    try await store.storeOriginal([4, 5], imageID: 1, from: "a")
    try write("strange.jpg", in: "originals/00")
    try write("mine.txt", in: "trash")
    let before = try files().filter { !$0.hasPrefix("trash") }

    var expected = cleaned(originals: 1, files: 1, bytes: 5)
    expected.trash = .init(count: 2, bytes: 5)
    #expect(try await store.library.clean(CleaningPlan()) == expected)

    let trash = try files().filter { $0.hasPrefix("trash/") }
      .map { $0.split(separator: "/").dropFirst(2).joined(separator: "/") }
    #expect(Set(before).subtracting(try files()) == Set(trash))
    #expect(trash.count == 2)
    #expect(try await store.library.strayFiles() == [])
    #expect(try await store.library.databaseFaults() == [])
    // The files were put back by hand.
    let again = try await store.library.clean(CleaningPlan())
    #expect(again.isEmpty)
    #expect(again.trash == expected.trash)
  }

  @Test func `empties the trash of what has lain in it for a week, or of all at once`() async throws
  {
    let now = Int(Date().timeIntervalSince1970)
    try write("a.jpg", in: "trash/\(now - 6 * 86_400)/originals/00")
    try write("b.jpg", in: "trash/\(now - 8 * 86_400)/originals/00")
    try write("mine.jpg", in: "trash/mine")
    symlink("\(store.path)/trash/mine", "\(store.path)/trash/\(now - 9 * 86_400)")

    let rehearsal = try await store.library.clean(.rehearsal)
    let cleaned = try await store.library.clean(CleaningPlan())
    let atOnce = try await store.library.clean(.now)

    #expect(rehearsal.trash == .init(count: 2, bytes: 4))
    #expect(rehearsal.emptied == .init(count: 1, bytes: 2))
    #expect(cleaned.trash == .init(count: 1, bytes: 2))
    #expect(cleaned.emptied == .init(count: 1, bytes: 2))
    #expect(atOnce.trash == .init())
    #expect(atOnce.emptied == .init(count: 1, bytes: 2))
    #expect(FileManager.default.fileExists(atPath: store.path + "/trash/mine/mine.jpg"))
  }

  // MARK: Refusals

  /// Whether a library in PostgreSQL lacks a folder, because the database has what would be in it.
  private func isOnlyOfFolders(_ name: String) -> Bool {
    StoreKind.current == .postgres && ["thumbnails", "locks"].contains(name)
  }

  @Test(.only(.sqlite, "seals of rows"))
  func `refuses a library that fails its check, and a purge in it, and deletes nothing`()
    async throws
  {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    try write("strange.jpg", in: "originals/00")
    let before = try files()
    try store.execute("UPDATE feed SET is_removed = 1")
    let unsound = StoreError(
      reason: .unsound,
      path: store.path + "/gallery.sqlite",
      message: "row 1 of feed is not as it was written"
    )

    await #expect(throws: unsound) { try await store.library.clean(.rehearsal) }
    await #expect(throws: unsound) { try await store.library.clean(.now) }
    await #expect(throws: unsound) { try await store.library.removeFeed(id: 1, purging: true) }
    #expect(try files() == before)
    #expect(try store.numbers("SELECT count(*) FROM image") == [2])
  }

  @Test(arguments: ["originals", "thumbnails", "partial", "locks", "trash", "originals/ab"])
  func `follows no link in the place of a folder`(name: String) async throws {
    if isOnlyOfFolders(name) { return }
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    let elsewhere = store.path + "-elsewhere"
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    try FileManager.default.createDirectory(
      atPath: elsewhere + "/ab",
      withIntermediateDirectories: true
    )
    let paths = ["\(elsewhere)/ab/report.docx", "\(elsewhere)/7.pack", "\(elsewhere)/99"]
    for path in paths { try Data([1]).write(to: URL(filePath: path)) }
    let place = "\(store.path)/\(name)"
    if FileManager.default.fileExists(atPath: place) {
      try FileManager.default.moveItem(atPath: place, toPath: place + "-before")
    }
    symlink(elsewhere, place)

    let linked = StoreError(
      reason: .linked,
      path: place,
      message: try #require(LibraryFolder.resolved(elsewhere))
    )
    for plan in [CleaningPlan(), .rehearsal, .now] {
      await #expect(throws: linked) { try await store.library.clean(plan) }
    }
    #expect(try await store.library.strayFiles() == [])
    #expect(paths.allSatisfy(FileManager.default.fileExists))
  }

  @Test(arguments: ["originals", "thumbnails", "originals/ab"])
  func `cleans nothing while a link in the place of a folder leads nowhere`(
    name: String
  ) async throws {
    if isOnlyOfFolders(name) { return }
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    let place = "\(store.path)/\(name)"
    try? FileManager.default.moveItem(atPath: place, toPath: place + "-before")
    symlink("\(store.path)/unmounted", place)

    let linked = StoreError(reason: .linked, path: place, message: "")
    for plan in [CleaningPlan(), .rehearsal, .now] {
      await #expect(throws: linked) { try await store.library.clean(plan) }
    }
  }

  @Test func `cleans originals behind a link that is meant, until it leads elsewhere`()
    async throws
  {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    let elsewhere = store.path + "/disk"
    let originals = store.path + "/originals"
    try FileManager.default.moveItem(atPath: originals, toPath: elsewhere)
    symlink(elsewhere, originals)
    try write("strange.jpg", in: "disk/00")

    await #expect(throws: StoreError.self) { try await store.library.clean(CleaningPlan()) }
    let plan = CleaningPlan(meansLinkedOriginals: true)
    #expect(try await store.library.clean(plan).files == 1)
    #expect(try await store.library.clean(CleaningPlan()).isEmpty)
    try write("strange.jpg", in: "disk/00")
    #expect(try await store.library.strayFiles().count == 1)
    try FileManager.default.moveItem(atPath: elsewhere, toPath: elsewhere + "2")
    unlink(originals)
    symlink(elsewhere + "2", originals)

    await #expect(throws: StoreError.self) { try await store.library.clean(CleaningPlan()) }
    #expect(try await store.library.original(imageID: 1) != nil)
  }

  @Test func `leaves a partial file that a process is writing`() async throws {
    let partial = store.path + "/partial"
    try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
    for name in ["98", "99"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(partial)/\(name)"))
    }
    let file = open(partial + "/98", O_RDWR)
    defer { close(file) }
    #expect(flock(file, LOCK_EX | LOCK_NB) == 0)

    #expect(try await store.library.clean(.now) == cleaned(files: 1, bytes: 1))
    #expect(try files() == ["partial/98"])
  }
}
