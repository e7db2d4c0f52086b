import Foundation
import Glibc
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct InspectionTests {
  /// The signature, size and end of a PNG of ten by twenty pixels.
  private static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0, 10, 0, 0, 0, 20, 8, 0, 0, 0, 0, 0, 0, 0, 0]
    + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([
      .sample("a", id: "1", thumbnail: "at"), .sample("b", id: "2", thumbnail: "bt"),
    ])
  }

  private func storeThumbnails() async throws {
    let orders = [Int64(1), 2].map { id in
      WantedPicture(
        imageID: id,
        address: .picture(id == 1 ? "at" : "bt"),
        rank: WantedPicture.Rank(date: 0, position: 0),
        since: .first
      )
    }
    try await store.library.store(PictureBatch(new: orders.map { .sample($0) }), .thumbnail)
  }

  private func storeOriginal() async throws -> FiledOriginal {
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")
    return try #require(try await store.library.filedOriginals(after: 0, limit: 9).first)
  }

  @Test(.only(.sqlite, "pages of the database"))
  func `tells what SQLite finds in its own words, each fact once`() async {
    let lines = [
      "row 3 missing from index image_entry", "wrong # of entries in index image_entry",
      "NULL value in image.title_key", "Tree 5 page 12 cell 3: 2nd reference to page 7",
      "Page 9: never used",
    ]

    #expect(
      VerificationQueries.meanings(of: lines) == [
        "the index image_entry does not agree with its table",
        "a row of image.title_key has a value that it may not have",
        "pages of the database are damaged",
      ]
    )
  }

  @Test func `finds nothing wrong with a sound database`() async throws {
    #expect(try await store.library.databaseFaults() == [])
  }

  @Test(.only(.sqlite, "pages of the database"))
  func `tells of rows that refer to nothing`() async throws {
    try store.execute(
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO picture_failure VALUES (99, 0, 'x', 0, 'y', 1, 1, 1)
      """
    )

    let faults = try await store.library.databaseFaults()

    #expect(faults == ["row 0 of picture_failure refers to a row of image that is not there"])
  }

  @Test func `gives the thumbnails a page at a time`() async throws {
    try await storeThumbnails()

    let first = try await store.library.storedThumbnails(after: 0, limit: 1)
    let second = try await store.library.storedThumbnails(after: 1, limit: 9)

    #expect(first == [StoredThumbnail(imageID: 1, info: .sample, bytes: [1, 2, 3])])
    #expect(second.map(\.imageID) == [2])
    #expect(try await store.library.storedThumbnails(after: 2, limit: 9) == [])
  }

  @Test func `finds a thumbnail whose hash is not that of its bytes`() async throws {
    try await storeThumbnails()
    let order = try await store.library.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 1)
    let other = order.map { FetchedThumbnail.sample($0, bytes: [9]) }
    try await store.library.store(PictureBatch(new: other), .thumbnail)
    try store.execute(
      """
      UPDATE image SET thumbnail_sha256 = (SELECT thumbnail_sha256 FROM image WHERE id = 1)
      WHERE id = 2
      """
    )

    let stored = try await store.library.storedThumbnails(after: 0, limit: 9)

    #expect(stored.map(\.isIntact) == [true, false])
  }

  @Test func `gives the originals with the images they belong to`() async throws {
    let original = try await storeOriginal()
    try await store.storeOriginal([1, 2, 3], imageID: 2, from: "b")

    let found = try await store.library.filedOriginals(after: 0, limit: 9)

    #expect(found.map(\.imageIDs) == [[1, 2]])
    #expect(found.first?.path == original.path)
    #expect(found.first?.bytes == 3)
    #expect(try await store.library.filedOriginals(after: original.id, limit: 9) == [])
  }

  @Test func `tells sound, altered, cut and missing originals apart`() async throws {
    let original = try await storeOriginal()
    let file = URL(fileURLWithPath: original.path)
    await #expect(store.library.fault(of: original) == nil)

    try Data([1, 2, 4]).write(to: file)
    await #expect(store.library.fault(of: original) == .damaged(.otherContent))

    try Data([1, 2]).write(to: file)
    await #expect(store.library.fault(of: original) == .damaged(.otherLength(2, expected: 3)))

    try FileManager.default.removeItem(at: file)
    await #expect(store.library.fault(of: original) == .missing)
  }

  @Test(arguments: ["folder", "link", "pipe"])
  func `takes nothing but a file for an original, and puts one in its place`(
    kind: String
  ) async throws {
    let original = try await storeOriginal()
    let other = store.path + "/other"
    try FileManager.default.moveItem(atPath: original.path, toPath: other)
    switch kind {
    case "folder": mkdir(original.path, 0o700)
    case "link": symlink(other, original.path)
    default: mkfifo(original.path, 0o600)
    }

    await #expect(store.library.fault(of: original) == .damaged(.notAFile))
    #expect(try await store.library.original(imageID: 1) == nil)
    _ = try await storeOriginal()
    await #expect(store.library.fault(of: original) == nil)
    #expect(try Data(contentsOf: URL(filePath: other)) == Data([1, 2, 3]))
  }

  @Test func `leaves a folder with something in it where an original was to be`() async throws {
    let original = try await storeOriginal()
    try FileManager.default.removeItem(atPath: original.path)
    mkdir(original.path, 0o700)
    try Data([9]).write(to: URL(filePath: original.path + "/mine"))

    await #expect(
      throws: StoreError(reason: .other, path: original.path, message: "Directory not empty")
    ) { try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a") }
    #expect(FileManager.default.fileExists(atPath: original.path + "/mine"))
  }

  @Test func `calls no folder stray, and nothing in other people's folders`() async throws {
    let original = try await storeOriginal()
    let folder = store.path + "/originals"
    for name in ["lost+found", "aa/sub"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try Data([1]).write(to: URL(filePath: "\(folder)/lost+found/x"))

    #expect(try await store.library.strayFiles() == [])
    #expect(try await store.library.clean(.now).isEmpty)
    await #expect(store.library.fault(of: original) == nil)
  }

  @Test func `finds files beside the folders for originals`() async throws {
    _ = try await storeOriginal()
    let folder = store.path + "/originals"
    for name in ["readme", "0f"] { try Data([1, 2]).write(to: URL(filePath: "\(folder)/\(name)")) }

    let expected = ["0f", "readme"].map { StrayFile(path: "\(folder)/\($0)", bytes: 2) }
    #expect(try await store.library.strayFiles() == expected)
    #expect(try await store.library.clean(.now).files == 2)
    #expect(try await store.library.strayFiles() == [])
  }

  @Test func `misses no original that no image has`() async throws {
    let original = try await storeOriginal()
    try store.execute("DELETE FROM image_original")
    try FileManager.default.removeItem(atPath: original.path)

    let left = try #require(try await store.library.filedOriginals(after: 0, limit: 9).first)

    await #expect(store.library.fault(of: original) == .missing)
    await #expect(store.library.fault(of: left) == nil)
  }

  @Test(
    .only(.sqlite, "seals of rows"),
    arguments: [
      ("UPDATE feed SET address = 'https://feeds.example/mars'", "row 1 of feed"),
      ("UPDATE image SET entry_id = '3' WHERE id = 2", "row 2 of image"),
      ("UPDATE image SET original_address = 'https://a.bc/e' WHERE id = 1", "row 1 of image"),
      ("UPDATE original SET bytes = 2", "row 1 of original"),
      ("UPDATE image_original SET address = 'https://a.bc/e'", "row 1 of image_original"),
    ]
  )
  func `sees a changed value that breaks no rule, and turns a single bit back`(
    change: String,
    row: String
  ) async throws {
    _ = try await storeOriginal()
    let before = try contents()
    try store.execute(change)

    #expect(try await store.library.databaseFaults() == ["\(row) is not as it was written"])
    if ["entry_id", "/e'", "bytes"].contains(where: change.contains), !change.contains("feed") {
      try await store.library.repairDatabase()
      #expect(try contents() == before)
      #expect(try await store.library.databaseFaults() == [])
    } else {
      await #expect(throws: StoreError.self) { try await store.library.repairDatabase() }
    }
  }

  private func contents() throws -> [String] {
    let db = try store.sqlite.connection()
    return try ["feed", "image", "original", "image_original"].flatMap { table in
      let columns: [String] = try db.column("SELECT name FROM pragma_table_info($1)", table)
      let values = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
      return try db.column("SELECT \(values) FROM \(table)") as [String]
    }
  }

  @Test(.only(.sqlite, "an index of words"))
  func `tells of words that the index does not have, and makes it again`() async throws {
    try store.execute("UPDATE image SET title = 'Comet' WHERE id = 1")

    #expect(
      try await store.library.databaseFaults() == [
        "the index of words image_search does not have the words of its images"
      ]
    )
    try await store.library.repairDatabase()
    #expect(try await store.library.databaseFaults() == [])
    #expect(try await store.names(ImageQuery(search: "comet")) == ["a"])
  }

  @Test(.only(.sqlite, "an index of words"))
  func `tells of words that are missing while another process writes`() async throws {
    try store.execute("UPDATE image SET title = 'Comet' WHERE id = 1")

    let faults = try store.sqlite.connection().transaction(.writing) { _ in
      try store.sqlite.library.faults()
    }

    #expect(faults == ["the index of words image_search does not have the words of its images"])
  }

  @Test func `says that a folder for originals is none`() async throws {
    _ = try await storeOriginal()
    let folder = store.path + "/originals"
    try FileManager.default.removeItem(atPath: folder)
    try Data().write(to: URL(filePath: folder))

    let error = StoreError(reason: .unusablePlace, path: folder, message: "Not a directory")
    await #expect(throws: error) {
      try await store.library.strayFiles()
    }
  }

  @Test func `finds files that no row refers to`() async throws {
    let original = try await storeOriginal()
    let folder = original.path.split(separator: "/").dropLast().joined(separator: "/")
    try Data([7, 7]).write(to: URL(fileURLWithPath: "/\(folder)/strange.jpg"))

    #expect(
      try await store.library.strayFiles() == [StrayFile(path: "/\(folder)/strange.jpg", bytes: 2)]
    )
  }

  @Test func `calls a partial file stray after a week, or when its image is gone`() async throws {
    let partial = store.path + "/partial"
    try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
    for name in ["1", "2", "99"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(partial)/\(name)"))
    }
    let old = Date(timeIntervalSinceNow: -8 * 86_400)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(partial)/2")

    let strays = try await store.library.strayFiles()

    #expect(strays.map(\.path) == ["\(partial)/2", "\(partial)/99"])
  }

  @Test func `remembers how far a verification came`() async throws {
    #expect(try await store.library.verificationMark().isAtStart)

    try await store.library.setVerificationMark(VerificationMark(thumbnail: 7, original: 3))

    #expect(
      try await store.library.verificationMark() == VerificationMark(thumbnail: 7, original: 3)
    )
  }

  @Test func `wants damaged pictures again without their validators`() async throws {
    try await storeThumbnails()
    let original = try await storeOriginal()

    try await store.library.mark(.thumbnail(imageID: 1), as: .damaged)
    try await store.library.mark(.original(path: original.path, imageIDs: [1]), as: .damaged)

    #expect(try store.numbers("SELECT thumbnail_state FROM image ORDER BY id") == [2, 1])
    #expect(try store.numbers("SELECT original_state FROM image ORDER BY id") == [2, 0])
    #expect(try store.numbers("SELECT count(*) FROM thumbnail WHERE etag IS NULL") == [1])
    #expect(try store.numbers("SELECT count(*) FROM image_original WHERE etag IS NULL") == [1])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1, 2, 3])
    #expect(try await store.library.original(imageID: 1)?.isDamaged == true)
    let image = try #require(try await store.library.image(id: 1))
    #expect(image.isThumbnailDamaged && image.isOriginalDamaged)
    #expect(try await store.images().map(\.isOriginalDamaged) == [true, false])
    #expect(
      try await store.images(ImageQuery(order: .random)).filter(\.isThumbnailDamaged).count == 1
    )
    #expect(try await store.library.feeds().map(\.damagedCount) == [2])
    #expect(try await store.library.filedOriginals(after: 0, limit: 9).map(\.isMarked) == [true])
    let thumbnails = try await store.library.storedThumbnails(after: 0, limit: 9)
    #expect(thumbnails.map(\.isMarked) == [true, false])
  }

  @Test func `a thumbnail is damaged until another one comes, or it is found whole`() async throws {
    try await storeThumbnails()
    let damage = "SELECT image_id FROM damage"
    for id in [Int64(1), 2] { try await store.library.mark(.thumbnail(imageID: id), as: .damaged) }

    try await store.library.mark(.thumbnail(imageID: 2), as: .whole)
    #expect(try store.numbers(damage) == [1])
    try await storeThumbnails()
    #expect(try store.numbers(damage) == [])
  }

  @Test func `an original is damaged for all images of its file, until it comes again`()
    async throws
  {
    let original = try await storeOriginal()
    try await store.storeOriginal([1, 2, 3], imageID: 2, from: "b")
    let thing = CheckedThing.original(path: original.path, imageIDs: [2])

    try await store.library.mark(thing, as: .damaged)
    #expect(try await store.images().map(\.isOriginalDamaged) == [true, true])
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "a")

    #expect(try await store.images().map(\.isOriginalDamaged) == [false, false])
    #expect(try await store.images().map(\.original) == [.stored, .stored])
  }

  @Test func `an original that came again for one image leaves the other's damaged`() async throws {
    let original = try await storeOriginal()
    try await store.storeOriginal([1, 2, 3], imageID: 2, from: "b")
    try await store.library.mark(.original(path: original.path, imageIDs: [1]), as: .damaged)

    try await store.storeOriginal([4, 5, 6], imageID: 1, from: "a")

    #expect(try await store.images().map(\.isOriginalDamaged) == [false, true])
  }

  @Test func `a missing original is none, and is one again when its file is back`() async throws {
    let original = try await storeOriginal()
    let thing = CheckedThing.original(path: original.path, imageIDs: [1])
    let other = store.path + "/other"
    try FileManager.default.moveItem(atPath: original.path, toPath: other)

    try await store.library.mark(thing, as: .missing)
    #expect(try await store.library.image(id: 1)?.original == .missing)
    try FileManager.default.moveItem(atPath: other, toPath: original.path)
    #expect(try await store.library.filedOriginals(after: 0, limit: 9).map(\.isMarked) == [true])
    try await store.library.mark(thing, as: .whole)

    #expect(try await store.library.image(id: 1)?.original == .stored)
    #expect(try await store.library.original(imageID: 1)?.isRight == true)
  }

  @Test func `takes a file back whose rows were lost, for its image alone`() async throws {
    let picture = Self.picture
    try await store.storeOriginal(picture, imageID: 1, from: "a")
    let path = try #require(try await store.library.original(imageID: 1)?.path)
    try loseOriginals()
    try await store.sync([.sample("other", id: "1", thumbnail: "at")])
    #expect(try await store.library.takeBack(strayAt: path) == [])
    try await store.sync([.sample("a", id: "1", thumbnail: "at")])

    #expect(try await store.library.takeBack(strayAt: path) == [1])

    let original = try #require(try await store.library.original(imageID: 1))
    #expect(original.path == path && original.isRight)
    #expect(original.info.bytes == picture.count)
    #expect(try await store.library.strayFiles() == [])
    #expect(try await store.library.takeBack(strayAt: path) == [])
  }

  @Test func `takes a file back for the images at its address, if its own image is not there`()
    async throws
  {
    try await store.storeOriginal(Self.picture, imageID: 1, from: "a")
    let path = try #require(try await store.library.original(imageID: 1)?.path)
    try loseOriginals()
    #expect(try await store.library.strayFiles().map(\.isOriginal) == [true])
    // The image with the id of the note has another picture by now.
    try await store.sync([.sample("other", id: "1", thumbnail: "at")])
    let others: [FeedEntry] = [.sample("a", id: "1"), .sample("b", id: "2")]
    try await store.sync(others, to: .otherFeed)
    let stored = try await store.images()
    let found = stored.filter { $0.originalAddress == .picture("a") }.max { $0.id < $1.id }
    let again = try #require(found)

    let images = try await store.library.images(atAddressesOf: [path, path + "none"])
    #expect(images == [path: [again.id]])
    #expect(try await store.library.takeBack(strayAt: path, for: [1, 2]) == [])
    #expect(try await store.library.takeBack(strayAt: path, for: [again.id]) == [again.id])

    #expect(try await store.library.original(imageID: again.id)?.path == path)
    #expect(try await store.library.original(imageID: 1) == nil)
    #expect(try await store.library.images(atAddressesOf: [path]) == [:])
  }

  @Test func `takes a file back that a thumbnail was made from, where it has no note`()
    async throws
  {
    try await store.sync([.sample("c", id: "3")])
    try await store.storeOriginal(Self.picture, imageID: 3, from: "c")
    let original = try #require(try await store.library.original(imageID: 3))
    try loseOriginals()
    copyInPlace(original.path)
    #expect(try await store.library.takeBack(strayAt: original.path) == [])
    let unmade = PictureFilter.missing.from(.all)
    let made = try await store.library.wanted(
      .madeThumbnail,
      feedID: 1,
      unmade,
      after: nil,
      limit: 1
    ).map { order in
      var thumbnail = FetchedThumbnail.sample(order)
      thumbnail.sourceSHA256 = original.sha256
      return thumbnail
    }
    try await store.library.store(PictureBatch(new: made), .madeThumbnail)

    #expect(try await store.library.takeBack(strayAt: original.path) == [3])
  }

  @Test func `takes no file back that is not what its name promises`() async throws {
    try await store.storeOriginal(Self.picture, imageID: 1, from: "a")
    let path = try #require(try await store.library.original(imageID: 1)?.path)
    try loseOriginals()
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 30)
    try file.write(contentsOf: [0xFF])
    try file.close()

    #expect(try await store.library.takeBack(strayAt: path) == [])
  }

  private func loseOriginals() throws {
    try store.execute(
      """
      DELETE FROM image_original;
      DELETE FROM original;
      UPDATE image SET original_state = 0
      """
    )
  }

  /// Removes the note of a file by replacing the file with a copy.
  private func copyInPlace(_ path: String) {
    let content = FileManager.default.contents(atPath: path)
    try? FileManager.default.removeItem(atPath: path)
    _ = FileManager.default.createFile(atPath: path, contents: content)
  }
}
