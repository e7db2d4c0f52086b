import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct ListingTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `lists newest by date published, never later than first seen`() async throws {
    try await store.sync([
      .sample("old", published: Date(timeIntervalSince1970: 0)),
      .sample("future", published: .distantFuture),
      .sample("undated"),
    ])
    try await store.sync([.sample("later")], to: .otherFeed, now: .second)

    #expect(try await store.names(ImageQuery()) == ["later", "future", "undated", "old"])
    #expect(
      try await store.names(ImageQuery(order: .oldest)) == ["old", "undated", "future", "later"]
    )
  }

  @Test(arguments: ImageQuery.Order.allCases)
  func `breaks ties by position, then id`(order: ImageQuery.Order) async throws {
    try await store.sync([.sample("b"), .sample("c")])
    try await store.sync([.sample("b"), .sample("x")], to: .otherFeed)
    try await store.sync([.sample("a"), .sample("b"), .sample("c")])

    let names = try await store.listing(ImageQuery(order: order))
    let isLibraryWide = ["5 a", "1 b", "3 b", "2 c", "4 x"]
    switch order {
    case .newest, .title, .taken: #expect(names == isLibraryWide)
    case .oldest: #expect(names == isLibraryWide.reversed())
    case .added: #expect(names == isLibraryWide)
    case .feed: #expect(names == ["5 a", "1 b", "2 c", "3 b", "4 x"])
    case .random: #expect(names.sorted() == ["1 b", "2 c", "3 b", "4 x", "5 a"])
    }
  }

  @Test func `lists titles without regard to case and accents, images without one last`()
    async throws
  {
    try await store.sync([
      .sample("1", title: "zebra"), .sample("2"), .sample("3", title: "Éclair"),
      .sample("4", title: "eagle"), .sample("5", title: "Apple"),
    ])

    #expect(try await store.names(ImageQuery(order: .title)) == ["5", "4", "3", "1", "2"])
  }

  @Test func `lists what was added last first`() async throws {
    try await store.sync([.sample("a", published: .first)])
    try await store.sync(
      [.sample("a", published: .first), .sample("b", published: .first)],
      now: .second
    )

    #expect(try await store.names(ImageQuery(order: .added)) == ["b", "a"])
  }

  @Test func `cuts out a page of one feed`() async throws {
    try await store.sync([.sample("a"), .sample("b"), .sample("c"), .sample("d")])
    try await store.sync([.sample("x")], to: .otherFeed)

    let page = ImageQuery(order: .feed, feedID: 1, limit: 2, offset: 1)
    #expect(try await store.names(page) == ["b", "c"])
    #expect(try await store.names(ImageQuery(limit: 0)) == [])
    #expect(try await store.names(ImageQuery(order: .feed, offset: 4)) == ["x"])
  }

  @Test func `lists what newest sorts by a moment or later, in every order`() async throws {
    try await store.sync([
      .sample("old", published: Date(timeIntervalSince1970: 0)), .sample("undated"),
      .sample("future", published: .distantFuture),
    ])
    try await store.sync([.sample("later")], to: .otherFeed, now: .second)

    for order in ImageQuery.Order.allCases {
      let since = { try await store.names(ImageQuery(order: order, since: $0)).sorted() }
      #expect(try await since(.first) == ["future", "later", "undated"])
      #expect(try await since(.first + 1) == ["later"])
      #expect(try await since(.second + 1) == [])
    }
    #expect(try await store.names(ImageQuery(feedID: 1, search: "fu", since: .first)) == [])
    #expect(try await store.names(ImageQuery(feedID: 1, since: .first)) == ["undated", "future"])
  }

  @Test(
    .only(.sqlite, "query plans"),
    arguments: [ImageQuery.Order.newest, .oldest],
    [nil, 1] as [Int64?]
  )
  func `finds a moment by one range of an index`(
    order: ImageQuery.Order,
    feedID: Int64?
  ) async throws {
    try await store.sync([.sample("a")])
    let query = ImageQuery(order: order, feedID: feedID, since: .first, limit: 50)

    let plan = try plan(of: ListingQuery(query, .sqlite))

    let range = feedID == nil ? "image_newest (date>?)" : "image_feed_newest (feed_id=? AND date>?)"
    #expect(plan == "SEARCH image USING INDEX \(range)")
  }

  private static let traits = [
    ImageQuery(isOriginalStored: true), ImageQuery(isOriginalStored: false),
    ImageQuery(shape: .portrait), ImageQuery(addedSince: .first),
  ]

  @Test(.only(.sqlite, "query plans"), arguments: traits, [nil, 1] as [Int64?])
  func `looks for few among many by the index alone, without sorting`(
    query: ImageQuery,
    feedID: Int64?
  ) async throws {
    try await store.sync([.sample("a")])
    var query = query
    query.feedID = feedID
    query.limit = 50
    let newest = feedID == nil ? "image_newest" : "image_feed_newest"

    for order in ImageQuery.Order.allCases where ![.random, .taken].contains(order) {
      query.order = order
      let plan = try plan(of: ListingQuery(query, .sqlite))
      #expect(plan.contains("INDEX \(newest)"), "\(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
      #expect(try rowsRead(by: ListingQuery(query, .sqlite)) == [])
    }
    let columns: [String] = try store.sqlite.connection()
      .column("SELECT name FROM pragma_index_info($1)", newest)
    #expect(Set(columns).isSuperset(of: ["original_state", "shape", "first_seen_at"]))
  }

  @Test func `tells landscapes from portraits by what is known`() async throws {
    func sized(_ name: String, _ width: Int?, _ height: Int?) -> FeedEntry {
      var entry = FeedEntry.sample(name)
      (entry.images[0].width, entry.images[0].height) = (width, height)
      return entry
    }
    try await store.sync([
      sized("wide", 30, 20), sized("high", 20, 30), sized("square", 20, 20), sized("new", nil, nil),
      sized("made", nil, nil), sized("low", 20, 30),
    ])
    try await storeWideThumbnails(of: [2: "high", 5: "made"])

    for order in ImageQuery.Order.allCases {
      let names = { try await store.names(ImageQuery(order: order, shape: $0)).sorted() }
      #expect(try await names(.landscape) == ["high", "made", "wide"])
      #expect(try await names(.portrait) == ["low"])
    }
    #expect(try await store.names(ImageQuery(search: "wide", shape: .portrait)) == [])

    try await store.sync([sized("wide", 20, 30), sized("high", nil, nil), sized("made", 20, 30)])
    // Thumbnails are measured, and sizes in feeds only declared.
    #expect(try await store.names(ImageQuery(shape: .portrait)).sorted() == ["low", "wide"])
    #expect(
      try await store.names(ImageQuery(order: .feed, shape: .landscape)) == ["high", "made"]
    )
  }

  private func storeWideThumbnails(of images: [Int64: String]) async throws {
    let orders = images.map { id, name in
      WantedPicture(
        imageID: id,
        address: .picture(name),
        rank: WantedPicture.Rank(date: 0, position: 0),
        since: .first
      )
    }
    try await store.library.store(
      PictureBatch(new: orders.map { .sample($0) }),
      .madeThumbnail
    )
  }

  @Test func `lists what was met first by a moment or later, in every order`() async throws {
    try await store.sync([.sample("a")])
    try await store.sync([.sample("a"), .sample("b")], now: .second)

    for order in ImageQuery.Order.allCases {
      let names = { try await store.names(ImageQuery(order: order, addedSince: $0)).sorted() }
      #expect(try await names(.first) == ["a", "b"])
      #expect(try await names(.second) == ["b"])
      #expect(try await names(.second + 1) == [])
    }
  }

  @Test(
    .only(.sqlite, "query plans"),
    arguments: ImageQuery.Order.allCases.filter { ![.random, .taken].contains($0) },
    [nil, 1] as [Int64?]
  )
  func `finds every first page by an index, without sorting`(
    order: ImageQuery.Order,
    feedID: Int64?
  ) async throws {
    try await store.sync([.sample("a")])
    let query = ImageQuery(order: order, feedID: feedID, limit: 50)

    for halfRemoved in [[], [7]] as [[Int64]] {
      let plan = try plan(of: ListingQuery(query, halfRemoved: halfRemoved, .sqlite))
      #expect(plan.contains(" USING INDEX image_"))
      #expect(!plan.contains("TEMP B-TREE"))
    }
  }

  /// The steps of a query's program that read a row of a table instead of an entry of an index.
  ///
  /// The query plan is not enough: SQLite before 3.44 calls an index covering only if it also has the columns of
  /// its own condition. Later versions do not, and then open no table.
  private func rowsRead(by listing: ListingQuery) throws -> [String] {
    let program = try store.sqlite.connection().explain(listing.sql) { row in
      // The `p4` of an index is "k(…)"; the one of a table is its number of columns.
      let isTable = (try? row.value(5) as String)?.hasPrefix("k(") != true
      return try (opcode: row.value(1) as String, p1: row.value(2) as Int, isTable: isTable)
    }
    let opened = program.filter { $0.opcode == "OpenRead" }
    let tables = Set(opened.filter(\.isTable).map(\.p1))
    #expect(opened.count > tables.count)
    // The index of the order by feed includes hidden images, so the row itself tells whether a found image is hidden.
    let end = program.lastIndex { $0.opcode == "NotFound" } ?? program.endIndex
    let reading = ["Column", "Rowid", "SeekRowid", "NotExists", "FinishSeek"]
    return program[..<end].filter { reading.contains($0.opcode) && tables.contains($0.p1) }
      .map { "\($0)" }
  }

  private func plan(of listing: ListingQuery) throws -> String {
    try store.sqlite.connection().plan(of: listing.sql).joined(separator: "\n")
      .replacing("USING COVERING INDEX", with: "USING INDEX")
  }
}
