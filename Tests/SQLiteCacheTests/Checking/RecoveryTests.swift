import Foundation
import LibraryFiles
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// Makes new libraries from damaged ones.
@Suite(.timeLimit(.minutes(60)))
struct RecoveryTests {
  private static let images = 300
  /// The images whose captions are longer than a page.
  private static let longCaptions = 6
  private let store: TemporaryLibrary
  private let folder: ScratchFolder

  /// A library of three feeds, whose first images have thumbnails, originals and pins.
  init() async throws {
    store = try TemporaryLibrary()
    folder = try ScratchFolder()
    for feed in 0..<3 {
      let entries = (0..<(Self.images / 3)).map { number in
        FeedEntry.sample(
          "o\(feed)-\(number)",
          id: "\(feed)-\(number)",
          title: "Moon \(number) of \(feed)",
          caption: String(repeating: "A long caption. ", count: number % 50 == 0 ? 900 : 6),
          thumbnail: "t\(feed)-\(number)"
        )
      }
      try await store.sync(entries, to: .address("https://feeds.example/\(feed)"))
    }
    let wanted = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 100
    )
    let thumbnails = wanted.map { FetchedThumbnail.sample($0, bytes: Self.bytes($0.imageID)) }
    try await store.library.store(PictureBatch(new: thumbnails), .thumbnail)
    for id: Int64 in 1...20 {
      try await store.storeOriginal(Self.bytes(id), imageID: id, from: "o0-\(id - 1)")
    }
    _ = try await store.library.setPinned(true, imageIDs: Array(1...50))
    try await checkpoint()
  }

  /// A picture of an image, with its number behind its end.
  private static func bytes(_ id: Int64) -> [UInt8] {
    TestSupport.PictureBytes.png + Array("picture \(id)".utf8)
  }

  private var damaged: String { folder.path + "/damaged" }

  private func database() throws -> Data {
    try Data(contentsOf: URL(filePath: store.path + "/gallery.sqlite"))
  }

  /// Recovers the library with another database in place of its own; the database stays as it is.
  private func recover(_ database: Data, log: Data? = nil, to name: String = "new") async throws
    -> (
      library: SQLiteLibrary, told: RecoveredLibrary
    )
  {
    let files = FileManager.default
    for path in [damaged, folder.path + "/" + name] where files.fileExists(atPath: path) {
      try files.removeItem(atPath: path)
    }
    try files.copyItem(atPath: store.path, toPath: damaged)
    // Foundation copies no notes of files.
    try files.removeItem(atPath: damaged + "/originals")
    try files.linkItem(atPath: store.path + "/originals", toPath: damaged + "/originals")
    for suffix in ["-wal", "-shm"] {
      try? files.removeItem(atPath: damaged + "/gallery.sqlite" + suffix)
    }
    try database.write(to: URL(filePath: damaged + "/gallery.sqlite"))
    try log?.write(to: URL(filePath: damaged + "/gallery.sqlite-wal"))
    let target = folder.path + "/" + name
    let told = try await Self.told(LibraryRecovery(from: damaged, to: target))
    let isUntouched = try Data(contentsOf: URL(filePath: damaged + "/gallery.sqlite")) == database
    #expect(isUntouched)
    let library = SQLiteLibrary(folder: target)
    #expect(try await library.databaseFaults() == [])
    return (library, told)
  }

  private static func told(_ recovery: LibraryRecovery) async throws -> RecoveredLibrary {
    for await fact in recovery.recover().facts {
      switch fact {
      case .ended(let recovered): return recovered
      case .failed(let error): throw error
      }
    }
    throw CancellationError()
  }

  private func pages(_ database: Data) -> Int { database.count / Limits.pageBytes }

  /// The pages to damage, one after the other: every seventh, or all in the long form.
  private func damagedPages(_ database: Data) -> [Int] {
    let isLong = ProcessInfo.processInfo.environment["GALLERY_TURNED_BITS"] != nil
    return Array(stride(from: 0, to: pages(database), by: isLong ? 1 : 7))
  }

  /// The pages that have rows of images, in their order in the file, and how many rows each has.
  private func imagePages(_ database: Data) throws -> [(number: Int, rows: Int)] {
    let found = (0..<pages(database)).compactMap { number -> (number: Int, rows: Int)? in
      let page = [UInt8](database.dropFirst(number * Limits.pageBytes).prefix(Limits.pageBytes))
      // A leaf of a table, with the title of an image.
      guard page[0] == 0x0D, page.firstRange(of: Array("Moon ".utf8)) != nil else { return nil }
      return (number, Int(page[3]) << 8 | Int(page[4]))
    }
    try #require(found.map(\.rows).reduce(0, +) == Self.images)
    return found
  }

  /// The database with the first page of a table overwritten.
  private func withoutFirstPage(of table: String) throws -> Data {
    let root = try store.numbers(
      "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"
    )[0]
    let junk = [UInt8](repeating: 0xFF, count: Limits.pageBytes)
    return with(junk, at: (Int(root) - 1) * Limits.pageBytes, try database())
  }

  /// The database with bytes from a position on replaced.
  private func with(_ bytes: [UInt8], at position: Int, _ database: Data) -> Data {
    var database = database
    database.replaceSubrange(position..<(position + bytes.count), with: bytes)
    return database
  }

  private func images(_ library: SQLiteLibrary) async throws -> [WebImage] {
    try await library.images(ids: library.imageIDs(matching: ImageQuery(order: .feed)))
  }

  /// Keeps a thumbnail and an original beside those of the image 1.
  private func keepSuccessors() async throws {
    let address = WebAddress.picture("t0-0")
    let wanted = WantedPicture(
      imageID: 1,
      address: address,
      rank: .init(date: 0, position: 0),
      since: .first
    )
    var thumbnail = FetchedThumbnail.sample(wanted, bytes: [1, 2, 3])
    thumbnail.doubts = [.sign]
    var batch = PictureBatch()
    batch.doubtful = [thumbnail]
    try await store.library.store(batch, .thumbnail)
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.restart(OriginalVersion(address: .picture("o0-0")))
    try await file.append([4, 5])
    let info = PictureInfo(format: .png, bytes: 2, width: 1, height: 1)
    var receipt = OriginalReceipt.sample(info, from: "o0-0")
    receipt.doubts = [.smaller]
    _ = try await file.commit(receipt)
    try await checkpoint()
  }

  private func checkpoint() async throws {
    try await store.library.flush()
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @Test func `a sound library comes back whole`() async throws {
    try await keepSuccessors()
    let before = try await store.images()
    let successors = try await store.library.successors(imageID: 1)

    let (library, told) = try await recover(try database())

    #expect(told.hasLosses == false)
    #expect(told.feeds == 3)
    #expect(told.images == Self.images)
    // The newer original that is kept beside another one counts, too.
    #expect((told.thumbnails, told.originals, told.pins) == (100, 21, 50))
    let after = try await images(library)
    #expect(after == before)
    let beside = try await library.successors(imageID: 1)
    #expect(successors.map(\.kind) == [.original, .thumbnail])
    #expect(beside.map(\.sha256) == successors.map(\.sha256))
    #expect(beside.map(\.doubts) == [[.smaller], [.sign]])
    #expect(try await library.imageIDs(matching: ImageQuery(search: "moon 77 of 2")).count == 1)
    #expect(try await library.thumbnailBytes(imageID: 1) == Self.bytes(1))
    let original = try await library.original(imageID: 1)
    #expect(
      try original.map { try [UInt8](Data(contentsOf: URL(filePath: $0.path))) } == Self.bytes(1)
    )
    #expect(try await library.image(id: 1)?.isPinned == true)
    #expect(try await library.version().library == store.library.version().library)
  }

  @Test func `a new image of a recovered library has an id that no image had`() async throws {
    let (library, _) = try await recover(try database())
    let writer = FeedWriter(library, feedAt: .otherFeed, reach: .publicOnly, now: .second)
    try await writer.append([.sample("new", id: "new")])
    _ = try await writer.finish(
      FeedDocument(format: .rss, title: "New"),
      answer: FeedAnswer(),
      isWhole: true
    )

    #expect(try await images(library).map(\.id).max() == Int64(Self.images + 1))
  }

  @Test func `rows of the log come back, up to its last whole transaction`() async throws {
    let sound = try database()
    _ = try await store.library.setPinned(true, imageIDs: [100])
    _ = try await store.library.setPinned(true, imageIDs: [101])
    let log = try Data(contentsOf: URL(filePath: store.path + "/gallery.sqlite-wal"))

    let whole = try await recover(sound, log: log).told.pins
    let cut = try await recover(sound, log: log.dropLast(10)).told.pins

    #expect(whole == 52)
    #expect(cut == 51)
  }

  @Test(arguments: ["image", "feed", "pin", "thumbnail", "original", "image_original"])
  func `the rows of a table come back although its first page is overwritten`(
    table: String
  ) async throws {
    let (library, told) = try await recover(try withoutFirstPage(of: table))

    #expect(told.damagedPages > 0)
    if table == "image" { #expect(told.images == Self.images) }
    if table == "feed" {
      #expect(told.lostFeeds.map(\.images) == [100, 100, 100])
      #expect(told.images == Self.images)
    }
    if table == "original" || table == "image_original" {
      // The note on each file says to which image it belongs.
      #expect(told.originals == 20)
    }
    #expect(try await images(library).count == Self.images)
  }

  @Test(arguments: ["original", "image_original"])
  func `the newest of an image's originals comes back, although the rows for all are lost`(
    table: String
  ) async throws {
    var newest: [Int64: String] = [:]
    for id: Int64 in 1...6 {
      let former = try #require(try await store.library.original(imageID: id))
      try await store.storeOriginal(Self.bytes(100 + id), imageID: id, from: "o0-\(id - 1)")
      let present = try #require(try await store.library.original(imageID: id))
      for (path, date) in [(former.path, Date.first), (present.path, Date.second)] {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      }
      newest[id] = present.sha256
    }
    try await checkpoint()

    let (library, told) = try await recover(try withoutFirstPage(of: table))

    // Where only the images of the originals are lost, the former ones count, too.
    #expect(told.originals == (table == "original" ? 20 : 26))
    for (id, sha256) in newest {
      #expect(try await library.original(imageID: id)?.sha256 == sha256)
    }
  }

  @Test func `without the first page, which names all tables, the rows come back`() async throws {
    let junk = [UInt8](repeating: 0, count: Limits.pageBytes)

    let (library, told) = try await recover(with(junk, at: 0, try database()))

    #expect(told.images == Self.images)
    #expect(told.feeds == 3)
    #expect(told.pins == 50)
    #expect(try await images(library).map(\.title) == store.images().map(\.title))
  }

  @Test func `without the first page, newer pictures come back, and a key is no rendition`()
    async throws
  {
    try await keepSuccessors()
    try store.execute(
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO mirror_key(feed_id, public_key) VALUES (1, 'a-key');
      """
    )
    try await checkpoint()
    let junk = [UInt8](repeating: 0, count: Limits.pageBytes)

    let (library, _) = try await recover(with(junk, at: 0, try database()))

    let beside = try await library.successors(imageID: 1)
    #expect(beside.map(\.kind) == [.original, .thumbnail])
    let count = "SELECT count(*) FROM rendition"
    let renditions: Int? = try library.read { db in try db.value(count) }
    #expect(renditions == 0)
  }

  @Test func `each overwritten page costs its own rows only`() async throws {
    let sound = try database()
    let junk = [UInt8](repeating: 0xA5, count: Limits.pageBytes)
    var (least, sum) = (Self.images, 0)
    let damagedPages = damagedPages(sound)
    for page in damagedPages {
      let told = try await recover(with(junk, at: page * Limits.pageBytes, sound)).told
      least = min(least, told.images)
      sum += told.images
    }

    let most = try imagePages(sound).map(\.rows).max() ?? 0
    #expect(least >= Self.images - most)
    #expect(sum * 1_000 >= Self.images * damagedPages.count * 960)
  }

  @Test func `a turned bit costs the rows of its page at most, and no wrong address is kept`()
    async throws
  {
    let sound = try database()
    let most = try imagePages(sound).map(\.rows).max() ?? 0
    let addresses = Set(try await store.images().map(\.originalAddress))
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for page in damagedPages(sound) {
      let position = page * Limits.pageBytes + Int.random(in: 0..<Limits.pageBytes, using: &random)
      let (library, told) = try await recover(with([sound[position] ^ 0x10], at: position, sound))
      let place: Comment = "byte \(position), seed \(seed)"
      #expect(told.images >= Self.images - most, place)
      let others = try await images(library).map(\.originalAddress).filter {
        !addresses.contains($0)
      }
      #expect(others == [], place)
    }
  }

  @Test func `a row that is here twice, once with a turned bit, costs nothing`() async throws {
    let hash = try #require(try await store.library.original(imageID: 1)).sha256
    var bytes = Array(hash.utf8)
    bytes[0] ^= 1
    let length = Self.bytes(1).count
    var seal = RowChecksum()
    seal.add(999)
    seal.add(hash)
    seal.add("png")
    seal.add(Int64(length))
    try store.execute(
      """
      INSERT INTO original(id, sha256, format, bytes, stored_at, row_checksum)
      VALUES (999, '\(String(decoding: bytes, as: UTF8.self))', 'png', \(length), 1, \(seal.value))
      """
    )
    try await checkpoint()

    let (library, told) = try await recover(try database())

    #expect(told.originals == 20)
    #expect(told.damagedRows == 1)
    #expect(try await library.original(imageID: 1)?.sha256 == hash)
  }

  @Test(arguments: [0.9, 0.5, 0.25])
  func `what a cut file still has comes back`(part: Double) async throws {
    let sound = try database()
    // The first pages of all tables and indexes precede the rows of images.
    let pages = try imagePages(sound)
    let count = Int(Double(pages.count) * part)
    let whole = pages.prefix(count).map(\.rows).reduce(0, +)

    let told = try await recover(sound.prefix(pages[count].number * Limits.pageBytes)).told

    // A long caption may be behind the cut, unlike the beginning of its row.
    #expect((whole - Self.longCaptions...whole).contains(told.images))
    #expect(told.lostImages.map(\.count).reduce(0, +) == Self.images - told.images)
  }

  @Test(arguments: [Data(), Data("no database".utf8), Data(repeating: 0, count: 100_000)])
  func `a file without rows gives an empty library`(database: Data) async throws {
    let told = try await recover(database).told

    #expect(told.images == 0)
    #expect(told.feeds == 0)
  }

  @Test func `a folder that has a library is refused, and a missing one is told`() async throws {
    _ = try await recover(try database())
    let target = folder.path + "/new"

    let occupied = await #expect(throws: StoreError.self) {
      try await Self.told(LibraryRecovery(from: damaged, to: target))
    }
    let missing = await #expect(throws: StoreError.self) {
      try await Self.told(LibraryRecovery(from: folder.path + "/none", to: folder.path + "/other"))
    }

    #expect(occupied?.reason == .occupied)
    #expect(missing?.reason == .noLibrary && missing?.path == folder.path + "/none")
  }

  @Test func `originals of a lost database are kept, and come back with the images of a sync`()
    async throws
  {
    let lost = LibraryFolder(store.path)
    _ = try await store.library.signer()
    for suffix in ["", "-wal", "-shm"] { unlink(store.path + "/gallery.sqlite" + suffix) }
    let target = folder.path + "/new"

    let told = try await Self.told(LibraryRecovery(from: store.path, to: target))

    #expect((told.feeds, told.images, told.originals) == (0, 0, 0))
    #expect(told.isOtherLibrary && told.hasLosses)
    #expect(FileManager.default.fileExists(atPath: lost.key))
    let library = SQLiteLibrary(folder: target)
    try await library.checkKey()
    #expect(!FileManager.default.fileExists(atPath: LibraryFolder(target).key))
    let strays = try await library.strayFiles().filter(\.isOriginal).map(\.path)
    #expect(strays.count == 20)

    // Other images have the ids of the notes by now.
    let writer = library.writer(forFeedAt: .otherFeed, now: .first)
    try await writer.append((0..<30).map { .sample("other\($0)", id: "other\($0)") })
    let entries = (0..<20).map { FeedEntry.sample("o0-\($0)", id: "0-\($0)") }
    let second = library.writer(forFeedAt: .feed, now: .first)
    try await second.append(entries)
    let document = FeedDocument(format: .rss, title: "Moon")
    _ = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)
    _ = try await second.finish(document, answer: FeedAnswer(), isWhole: true)
    let images = try await library.images(atAddressesOf: strays)
    for path in strays {
      #expect(try await library.takeBack(strayAt: path, for: images[path] ?? []).count == 1)
    }

    #expect(try await library.strayFiles().filter(\.isOriginal) == [])
    for image in try await self.images(library) {
      let original = try await library.original(imageID: image.id)
      let isOfFirst = image.originalAddress.text.contains("/o0-")
      #expect((original != nil) == isOfFirst)
      if let original,
        let number = Int64(image.originalAddress.text.split(separator: "-").last ?? "")
      {
        let content = FileManager.default.contents(atPath: original.path).map(Array.init)
        #expect(content == Self.bytes(number + 1))
      }
    }
  }

  @Test func `tells thumbnails whose rows are lost`() async throws {
    let told = try await recover(try withoutFirstPage(of: "pack")).told

    #expect(told.lostThumbnails == 0)
    let without = try await recover(try withoutFirstPage(of: "thumbnail"), to: "other").told
    #expect(without.lostThumbnails + without.thumbnails == 100)
  }
}
