import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// What cameras have written into originals, as the library keeps it.
@Suite(.onEachStore)
struct DetailTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let all: PictureDetails = {
    var details = PictureDetails()
    (details.camera, details.lens) = ("FUJIFILM X100V", "Fujinon 23mm F2")
    (details.exposure, details.aperture) = (86_400_000_000_000, 280)
    (details.sensitivity, details.focalLength) = (200, 2_300)
    details.taken = DateTaken(clock: -1, offset: -570)
    details.place = PicturePlace(latitude: -33_856_800, longitude: 151_215_300)
    return details
  }()

  private static let some: PictureDetails = {
    var details = PictureDetails()
    details.taken = DateTaken(clock: 1_563_127_353_450)
    return details
  }()

  private func hash(_ digit: Character) -> String { String(repeating: digit, count: 64) }

  @Test func `come back as they were stored, and so does their absence`() async throws {
    let details = [hash("a"): Self.all, hash("b"): Self.some, hash("c"): PictureDetails()]
    try await store.sync([.sample("o", id: "1")])

    try await store.library.store(details: details)

    let known = try await store.library.details(ofOriginals: ["a", "b", "c", "d"].map(hash))
    #expect(known == details)
    #expect(try await store.library.details(ofOriginals: []) == [:])
  }

  @Test func `other ones take their place`() async throws {
    try await store.sync([.sample("o", id: "1")])
    try await store.library.store(details: [hash("a"): Self.all])
    try await store.library.store(details: [hash("a"): Self.some])

    #expect(try await store.library.details(ofOriginals: [hash("a")]) == [hash("a"): Self.some])
    #expect(try store.numbers("SELECT count(*) FROM picture_details") == [1])
  }

  @Test func `values that no camera has are left out, such as those of a turned bit`() async throws
  {
    try await store.sync([.sample("o", id: "1")])
    try await store.library.store(details: [hash("a"): Self.all])
    try store.execute("UPDATE picture_details SET aperture = -280, latitude = 91000000")

    var expected = Self.all
    (expected.aperture, expected.place) = (nil, nil)
    #expect(try await store.library.details(ofOriginals: [hash("a")]) == [hash("a"): expected])
  }

  @Test func `cleaning keeps those of originals, and deletes the others`() async throws {
    try await store.sync([.sample("o", id: "1")])
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "o")
    let original = try #require(try await store.library.original(imageID: 1))
    try await store.library.store(details: [original.sha256: Self.all, hash("a"): Self.some])
    // Something else to clean: without it, cleaning has nothing to do.
    try await store.sync([.sample("p", id: "1")], to: .otherFeed)
    _ = try await store.library.removeFeed(id: 2, purging: false)

    _ = try await store.library.clean(.now)

    let known = try await store.library.details(ofOriginals: [original.sha256, hash("a")])
    #expect(known == [original.sha256: Self.all])
  }

  @Test func `a library that was not made yet has none`() async throws {
    #expect(try await store.library.details(ofOriginals: [hash("a")]) == [:])
  }
}

/// Searches for cameras, such as `camera:x100`.
@Suite(.onEachStore)
struct CameraSearchTests {
  private let store: TemporaryStore
  private var library: any TemporaryStore.Library { store.library }

  /// Five images: three with originals of three cameras, one with an original without details, one without an original.
  init() async throws {
    store = try TemporaryStore()
    try await store.sync([
      .sample("a", id: "1", title: "Sea"), .sample("b", id: "2", title: "Sea"),
      .sample("c", id: "3", title: "Camera x100"), .sample("d", id: "4", title: "Sea"),
      .sample("e", id: "5", title: "Canon"),
    ])
    try await keep(1, "FUJIFILM X100V", lens: "Fujinon 23mm F2")
    try await keep(2, "Canon EOS 5D Mark IV", lens: "EF 24-70mm f/2.8L")
    try await keep(3, nil, lens: "Objektiv Größe l'Œil")
    try await keep(4, nil, lens: nil)
  }

  /// Stores an original, and what it says.
  private func keep(_ id: Int64, _ camera: String?, lens: String?) async throws {
    try await store.storeOriginal([UInt8(id), 9], imageID: id, from: "o\(id)")
    var details = PictureDetails()
    (details.camera, details.lens) = (camera, lens)
    let original = try #require(try await library.original(imageID: id))
    try await library.store(details: [original.sha256: details])
  }

  private func ids(_ search: String, limit: Int? = nil) async throws -> [Int64] {
    try await library.imageIDs(matching: ImageQuery(search: search, limit: limit)).sorted()
  }

  @Test(arguments: [
    ("camera:x100", [1]), ("CAMERA:X100", [1]), ("camera:fuji", [1]), ("camera:23mm", [1]),
    ("camera:f", [1, 2]), ("camera:\"eos 5d\"", [2]), ("camera:\"5d eos", [2]),
    ("camera:\u{201E}eos 5d\u{201C}", [2]), ("camera:eos camera:24", [2]), ("camera:eos-5d", [2]),
    ("camera:eos camera:x100", []), ("camera:100v", []), ("camera:grosse", [3]),
    ("camera:l'oeil", [3]), ("sea camera:x100", [1]), ("camera:x100 sea", [1]),
    ("canon camera:eos", []), ("camera:\"x100\"sea", [1]), ("canon", [5]),
  ])
  func `find images by the words of the camera and the lens`(
    search: String,
    expected: [Int64]
  ) async throws {
    #expect(try await ids(search) == expected)
    #expect(try await ids(search, limit: 9) == expected)
  }

  @Test(arguments: ["camera x100", "camera: x100", "\"camera:x100\"", "x100", "-camera:x100"])
  func `begin with the mark; all else is words of texts`(search: String) async throws {
    #expect(try await ids(search) == [3])
  }

  @Test(arguments: ["camera:!", "camera:\"\"", "camera:\"", "camera:' --"])
  func `without a letter and without a digit look for nothing, and say so`(search: String)
    async throws
  {
    let error = await #expect(throws: StoreError.self) { try await ids(search) }
    #expect(error?.reason == .nothingToSearch)
  }

  @Test func `count their words with the others`() async throws {
    let words = (1...SearchExpression.mostWords).map { "w\($0)" }.joined(separator: " ")
    let error = await #expect(throws: StoreError.self) { try await ids(words + " camera:x") }
    #expect(error?.reason == .tooManyWords(limit: SearchExpression.mostWords))
  }

  @Test func `find files of folders, and images that share an original`() async throws {
    let original = try #require(try await library.original(imageID: 1))
    try store.execute(
      """
      INSERT INTO folder_original(image_id, version, sha256, format, bytes)
      VALUES (5, 'v', '\(original.sha256)', 'png', 2)
      """
    )
    #expect(try await ids("camera:x100") == [1, 5])
    #expect(try await ids("camera:x100 canon") == [5])
  }

  @Test func `follow what is read later, and say that these images have changed`() async throws {
    let original = try #require(try await library.original(imageID: 1))
    var details = PictureDetails()
    details.camera = "Leica M11"
    try await library.store(details: [original.sha256: details])

    #expect(try await ids("camera:leica") == [1])
    #expect(try await ids("camera:x100") == [])
    let last = "SELECT id FROM image WHERE change_seq = (SELECT max(change_seq) FROM image)"
    #expect(try store.numbers(last) == [1])

    // The change of something else is none of a search.
    let newest = "SELECT max(change_seq) FROM image"
    let before = try store.numbers(newest)
    details.aperture = 280
    try await library.store(details: [original.sha256: details])
    #expect(try store.numbers(newest) == before)
    #expect(try await library.details(ofOriginals: [original.sha256])[original.sha256] == details)
  }

  @Test func `limit a part of the library`() async throws {
    let part = LibraryPart(search: "camera:eos")
    #expect(try await library.imageIDs(matching: ImageQuery(part: part)) == [2])
    #expect(try await library.imageIDs(matching: ImageQuery(search: "sea", part: part)) == [2])
    #expect(try await library.imageIDs(matching: ImageQuery(search: "canon", part: part)) == [])
  }

  @Test func `find frequent cameras in the order of the whole list, and rare ones by their index`()
    async throws
  {
    let count = WordMatches.commonImages + 10
    try await store.sync((0..<count).map { .sample("m\($0)", id: "m\($0)", title: "Many") })
    // Rows of tables alone: files of so many originals would take long.
    try store.execute(
      """
      INSERT INTO original(id, sha256, format, bytes, stored_at)
        SELECT id + 1000, 'hash' || id, 'png', 1, 0 FROM image WHERE title = 'Many';
      INSERT INTO image_original(image_id, original_id, address, stored_at)
        SELECT id, id + 1000, 'http://a.example/', 0 FROM image WHERE title = 'Many';
      INSERT INTO picture_details(sha256, camera)
        SELECT 'hash' || id, 'Nikon D' || (id % 2) FROM image WHERE title = 'Many';
      """
    )
    let all = try await library.imageIDs(matching: ImageQuery(search: "many"))
    #expect(all.count == count)
    #expect(try await library.imageIDs(matching: ImageQuery(search: "camera:nikon")) == all)
    let page = ImageQuery(search: "camera:nikon many", limit: 40, offset: 20)
    #expect(try await library.imageIDs(matching: page) == Array(all[20..<60]))
    let odd = try await library.imageIDs(matching: ImageQuery(search: "camera:d1"))
    #expect(odd == all.filter { $0 % 2 == 1 })
    #expect(try await ids("camera:nikon camera:x100") == [])
    #expect(try await ids("camera:x100", limit: 5) == [1])
  }

  @Test(.only(.sqlite, "query plans"))
  func `look each name up, and go from the names to the images`() throws {
    let connection = try store.sqlite.connection()
    let names = try connection.plan(of: DetailQueries.namesSQL(.sqlite))
    #expect(names.contains("SEARCH picture_details USING INDEX picture_details_name (<expr>>?)"))
    let query = ImageQuery(search: "camera:x100", limit: 9)
    let search = try SearchExpression.of(query, connection)
    let plan = try connection.plan(of: ListingQuery(query, search: search, .sqlite).sql)
    #expect(plan.contains("SEARCH picture_details USING INDEX picture_details_name (<expr>=?)"))
    let isScan = plan.contains { $0.hasPrefix("SCAN") && $0 != "SCAN named" }
    #expect(!isScan, "\(plan)")
  }

  @Test func `use an index, which an older library gets`() async throws {
    let count =
      switch StoreKind.current {
      case .sqlite: "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'picture_details_%'"
      case .postgres:
        """
        SELECT count(*) FROM pg_indexes
        WHERE schemaname = current_schema() AND indexname IN ('picture_details_name', 'picture_details_taken')
        """
      }
    let store = try TemporaryStore(isNew: true)
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    try await store.storeOriginal([1, 9], imageID: 1, from: "o")
    let original = try #require(try await store.library.original(imageID: 1))
    var details = PictureDetails()
    details.camera = "FUJIFILM X100V"
    try await store.library.store(details: [original.sha256: details])
    try store.execute("DROP INDEX picture_details_name; DROP INDEX picture_details_taken")
    if case .sqlite = StoreKind.current { try store.execute("PRAGMA user_version = 15") }
    #expect(try store.numbers(count) == [0])
    let library = store.reopened()

    #expect(try await library.imageIDs(matching: ImageQuery(search: "camera:x100")) == [1])
    #expect(try await library.imageIDs(matching: ImageQuery(order: .taken, limit: 9)) == [1, 2])
    _ = try await library.setPinned(true, imageIDs: [2])

    #expect(try store.numbers(count) == [2])
    #expect(try await library.imageIDs(matching: ImageQuery(search: "camera:x100")) == [1])
  }
}

/// The order by the moment at which pictures were taken.
@Suite(.onEachStore)
struct TakenOrderTests {
  private let store: TemporaryStore
  private var library: any TemporaryStore.Library { store.library }

  /// Eight images: 1, 2, 3, 5 and 6 with a moment; 2 and 5 have the same one.
  init() async throws {
    store = try TemporaryStore()
    let dates: [Double] = [100, 200, 300, 400, 500, 600, 700, 800]
    try await store.sync(
      dates.enumerated().map { index, date in
        .sample(
          "\(index + 1)",
          id: "\(index + 1)",
          title: index < 4 ? "Sea" : "Land",
          published: Date(timeIntervalSince1970: date)
        )
      }
    )
    try await keep(1, DateTaken(clock: -86_400_000))
    try await keep(2, DateTaken(clock: 1_000_000))
    // An hour ahead of UTC, so that it is before the one above.
    try await keep(3, DateTaken(clock: 1_000_001, offset: 60))
    try await keep(4, nil)
    try await keep(5, DateTaken(clock: 1_000_000, offset: 0))
    try await keep(6, DateTaken(clock: 4_000_000))
  }

  private func keep(_ id: Int64, _ taken: DateTaken?) async throws {
    try await store.storeOriginal([UInt8(id), 9], imageID: id, from: "\(id)")
    var details = PictureDetails()
    details.taken = taken
    let original = try #require(try await library.original(imageID: id))
    try await library.store(details: [original.sha256: details])
  }

  private static let whole: [Int64] = [6, 2, 5, 3, 1, 8, 7, 4]

  private func ids(_ change: (inout ImageQuery) -> Void = { _ in }) async throws -> [Int64] {
    var query = ImageQuery(order: .taken)
    change(&query)
    return try await library.imageIDs(matching: query)
  }

  @Test func `is that of the moments, and images without one are last, the newest first`()
    async throws
  {
    #expect(try await ids() == Self.whole)
    #expect(try await ids { $0.limit = 99 } == Self.whole)
    #expect(try await library.timeline(matching: ImageQuery(order: .taken)).ids == Self.whole)
  }

  @Test(arguments: [1, 2, 3, 5, 8, 9]) func `has pages that make the whole list`(limit: Int)
    async throws
  {
    for feedID in [nil, 1] as [Int64?] {
      var (read, after) = ([Int64](), ImageCursor?.none)
      repeat {
        let page = try await ids { ($0.feedID, $0.limit, $0.after) = (feedID, limit, after) }
        read += page
        after = nil
        if let last = page.last { after = try await library.cursor(behind: last, in: .taken) }
        // What a page passes on is text.
        after = after.flatMap { ImageCursor($0.text, in: .taken) }
      } while after != nil
      #expect(read == Self.whole)
    }
  }

  @Test func `skips as many as it is asked to, across its parts`() async throws {
    let cursor = try await library.cursor(behind: 2, in: .taken)
    for offset in 0...9 {
      let rest = Array(Self.whole.dropFirst(offset))
      #expect(try await ids { ($0.limit, $0.offset) = (3, offset) } == Array(rest.prefix(3)))
      let behind = Array(Self.whole.dropFirst(2 + offset).prefix(4))
      #expect(
        try await ids { ($0.limit, $0.offset, $0.after) = (4, offset, cursor) } == behind
      )
    }
  }

  @Test func `is the same for a part of the library`() async throws {
    #expect(try await ids { $0.search = "sea" } == [2, 3, 1, 4])
    #expect(try await ids { ($0.search, $0.limit) = ("land", 3) } == [6, 5, 8])
    #expect(try await ids { ($0.isOriginalStored, $0.limit) = (true, 9) } == [6, 2, 5, 3, 1, 4])
    let since = Date(timeIntervalSince1970: 500)
    #expect(try await ids { ($0.since, $0.limit) = (since, 9) } == [6, 5, 8, 7])
    #expect(try await ids { ($0.feedID, $0.limit) = (2, 9) } == [])
  }

  @Test func `has each image once, also if it has a file in a folder or shares an original`()
    async throws
  {
    let shared = try #require(try await library.original(imageID: 6)).sha256
    let early = try #require(try await library.original(imageID: 1)).sha256
    for (id, hash) in [(7, shared), (2, early)] {
      try store.execute(
        """
        INSERT INTO folder_original(image_id, version, sha256, format, bytes)
        VALUES (\(id), 'v', '\(hash)', 'png', 2)
        """
      )
    }
    let expected: [Int64] = [6, 7, 2, 5, 3, 1, 8, 4]
    #expect(try await ids() == expected)
    #expect(try await ids { $0.limit = 9 } == expected)
  }

  @Test func `leaves out images that are hidden, and moments that no camera has`() async throws {
    try store.execute(
      "UPDATE picture_details SET taken_clock = 253402300800000 WHERE taken_clock = 4000000"
    )
    try await store.sync([.sample("1", id: "x")], to: .otherFeed)
    _ = try await library.removeFeed(id: 2, purging: false)

    let expected: [Int64] = [2, 5, 3, 1, 8, 7, 6, 4]
    #expect(try await ids() == expected)
    #expect(try await ids { $0.limit = 9 } == expected)
  }

  @Test func `is that of newest in an older library, which knows no moments`() async throws {
    let store = try TemporaryStore(isNew: true)
    try await store.sync(
      [100, 200, 300].map { date in
        .sample("\(date)", id: "\(date)", published: Date(timeIntervalSince1970: date))
      }
    )
    try store.execute("DROP TABLE picture_details")
    if case .sqlite = StoreKind.current { try store.execute("PRAGMA user_version = 14") }
    let library = store.reopened()
    var query = ImageQuery(order: .taken)

    #expect(try await library.imageIDs(matching: query) == [3, 2, 1])
    #expect(try await library.timeline(matching: query).runs.map(\.month) == [nil])
    query.limit = 2
    #expect(try await library.imageIDs(matching: query) == [3, 2])
    query.after = try await library.cursor(behind: 2, in: .taken)
    #expect(try await library.imageIDs(matching: query) == [1])
    // The next write makes the table, and the position stays the same.
    _ = try await library.setPinned(true, imageIDs: [1])
    #expect(try await library.imageIDs(matching: query) == [1])
  }

  @Test(.only(.sqlite, "query plans"))
  func `finds the pages of a whole library by ranges of indexes`() async throws {
    var query = ImageQuery(order: .taken, limit: 50)
    for id in [nil, 2, 8] as [Int64?] {
      query.after = nil
      if let id { query.after = try await library.cursor(behind: id, in: .taken) }
      for range in query.ranges {
        let listing = ListingQuery(query, halfRemoved: [7], part: range, .sqlite)
        let plan = try store.sqlite.connection().plan(of: listing.sql)
        let isByIndex = plan.first.map {
          $0.contains("picture_details_taken") || $0.contains("INDEX image_newest")
        }
        let isSlow = plan.contains {
          $0.hasPrefix("SCAN") && !$0.contains("INDEX") || $0.contains("AUTOMATIC")
        }
        #expect(isByIndex == true && !isSlow, "\(plan)")
      }
    }
  }
}
