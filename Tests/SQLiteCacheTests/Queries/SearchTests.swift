import Foundation
import Models
import Store
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct SearchTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync(
      [
        .sample("a", title: "Café au lait", caption: "Breakfast in the sun"),
        .sample("b", title: "Sunset", caption: "NOT a sunrise"),
        .sample("c", title: "f1"),
      ],
      title: "Mornings"
    )
    try await store.sync([.sample("d", title: "Sunspots")], to: .otherFeed, title: "Évenings")
  }

  @Test(arguments: [
    ("cafe", ["a"]),
    ("CAFÉ", ["a"]),
    ("sun", ["a", "b", "d"]),
    ("sun break", ["a"]),
    ("sun  \"lait\"", ["a"]),
    ("not sunrise", ["b"]),
    ("morn", ["a", "b", "c"]),
    ("sun morn", ["a", "b"]),
    ("evenings", ["d"]),
    ("f1", ["c"]),
    ("f2", []),
    ("nowhere", []),
  ])
  func `finds images that have all words as prefixes`(search: String, names: [String]) async throws
  {
    #expect(try await store.names(ImageQuery(order: .feed, search: search)) == names)
  }

  @Test(arguments: [
    "\"a", "'a", "title:sun OR", "(a", "a)", "sun*", "^sun", "-sun", "NEAR(sun, 2)", "{title} : x",
    "sun AND", "a\0", "a\"b", "+a", "%_a", ";DROP TABLE image",
  ])
  func `takes nothing for query syntax`(search: String) async throws {
    await #expect(throws: Never.self) { try await store.names(ImageQuery(search: search)) }
  }

  @Test func `finds by a feed's new title at once`() async throws {
    try await store.sync([], title: "Dawn")

    #expect(try await store.names(ImageQuery(order: .feed, search: "dawn")) == ["a", "b", "c"])
    #expect(try await store.names(ImageQuery(search: "mornings")) == [])
  }

  @Test func `finds by the title that the user gives a feed, and not by its own`() async throws {
    let named = try await store.library.set(.title("Dawn \0chorus"), ofFeed: 1)
    try await store.sync([], title: "Mornings")

    #expect(named?.title == "Dawn chorus")
    #expect(try await store.names(ImageQuery(order: .feed, search: "dawn")) == ["a", "b", "c"])
    #expect(try await store.names(ImageQuery(search: "mornings")) == [])
    #expect(try await store.images().first?.feed.title == "Dawn chorus")
    #expect(try await store.library.set(.title(nil), ofFeed: 1)?.title == "Mornings")
    #expect(try await store.library.set(.title("x"), ofFeed: 9) == nil)
  }

  @Test func `keeps the index in step with what is stored`() async throws {
    try await store.sync([.sample("a", title: "Tea"), .sample("b", caption: nil)])
    try await store.sync([.sample("e", title: "Moon")], to: .otherFeed)
    _ = try await store.library.removeFeed(id: 2, purging: true)

    #expect(try await store.names(ImageQuery(search: "tea")) == ["a"])
    #expect(try await store.names(ImageQuery(search: "cafe sunset moon")) == [])
    try store.checkIndexes()
  }

  @Test(
    .only(.sqlite, "another way for common words"),
    arguments: [ImageQuery.Order.newest, .oldest, .title, .added, .feed]
  )
  func `finds common words in the order of the whole list, page by page`(
    order: ImageQuery.Order
  ) async throws {
    let writer = store.library.writer(forFeedAt: .feed, now: .second)
    try await writer.append(
      (0..<WordMatches.commonImages + 20).map { number in
        let title = "\(number * 7_919 % 1_009) \(number % 500 == 0 ? "night" : "light")"
        let date = Date(timeIntervalSince1970: Double(number * 104_729 % 10_007))
        return .sample("i\(number)", title: title, published: date)
      }
    )
    _ = try await writer.finish(FeedDocument(format: .rss), answer: FeedAnswer(), isWhole: true)
    var query = ImageQuery(order: order, search: "ligh")
    let all = try await store.names(query)
    #expect(all.count == WordMatches.commonImages + 9)

    query.limit = 40
    query.offset = 20
    #expect(try await store.names(query) == Array(all[20..<60]))
    query.feedID = 1
    #expect(try await store.names(query) == Array(all[20..<60]))
  }

  @Test(arguments: ["", " ", "---", "!?", "\u{1F3A8}", "\"", "*"])
  func `finds nothing where there is nothing to look for, and says so`(search: String) async throws
  {
    let error = await #expect(throws: StoreError.self) {
      try await store.names(ImageQuery(search: search))
    }

    #expect(error?.reason == .nothingToSearch)
    #expect(error?.isOfRequest == true)
  }
}

/// Texts in scripts without spaces between words.
@Suite(.onEachStore)
struct LetterPairsTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync(
      [
        .sample("a", title: "小川のせせらぎ", caption: "Évening in 東京2024年"),
        .sample("b", title: "ภาพถ่ายพระอาทิตย์ตกดิน"),
        .sample("c", title: "서울의 아름다운 풍경"),
        .sample("d", title: "ＮＨＫ紅白", caption: "東京と京都"),
        .sample("e", title: "Sunset", caption: "tōkyō"),
        .sample("f", title: "ຫຼວງພະບາງ ភ្នំពេញ ရန်ကုန်"),
      ],
      title: "Mornings"
    )
    try await store.sync([.sample("g", title: "Moon")], to: .otherFeed, title: "日本の写真")
  }

  @Test(arguments: [
    ("小川", ["a"]), ("せせらぎ", ["a"]), ("川の", ["a"]), ("の", ["a", "g"]), ("ぎ", ["a"]),
    ("小せ", []), ("川のぎ", []), ("東京", ["a", "d"]), ("東京都", []), ("2024年", ["a"]),
    ("２０２４", ["a"]), ("024", ["a"]), ("nhk", ["d"]), ("NHK紅", ["d"]), ("紅白 都", ["d"]),
    ("อาทิตย์", ["b"]), ("ตก", ["b"]), ("ถ่าย", ["b"]), ("ดิน ภาพ", ["b"]), ("ดินภาพ", []),
    ("울의", ["c"]), ("다운", ["c"]), ("풍경 서울", ["c"]),
    ("ພະບ", ["f"]), ("ពេញ", ["f"]), ("ကုန်", ["f"]),
    ("東京 even", ["a"]), ("even せせ", ["a"]), ("sun 東京", []), ("morn 京都", ["d"]),
    ("写真", ["g"]), ("写真 moon", ["g"]), ("写真 sun", []), ("tokyo", ["e"]),
  ])
  func `finds any part of a word, and all parts together`(
    search: String,
    names: [String]
  ) async throws {
    #expect(try await store.names(ImageQuery(order: .feed, search: search)) == names)
  }

  @Test func `keeps the index in step`() async throws {
    try await store.sync(
      [.sample("a", title: "大川"), .sample("b", title: "Sun"), .sample("e", title: "夕日")]
    )
    #expect(try await store.names(ImageQuery(search: "せせらぎ")) == [])
    #expect(try await store.names(ImageQuery(search: "川")) == ["a"])
    try store.checkIndexes()
    #expect(try await store.names(ImageQuery(order: .feed, search: "日")) == ["e", "g"])
    _ = try await store.library.removeFeed(id: 1, purging: true)
    #expect(try await store.names(ImageQuery(search: "川")) == [])
    try store.checkIndexes()
  }

  @Test(.only(.sqlite, "an index of words")) func `can make the index again`() async throws {
    try store.execute("INSERT INTO image_search_pairs(image_search_pairs) VALUES ('rebuild')")

    #expect(try await store.names(ImageQuery(order: .feed, search: "東京")) == ["a", "d"])
    try store.checkIndexes()
  }

  @Test(.only(.sqlite, "an index of words"))
  func `costs a library in Latin script nothing`() async throws {
    let latin = try TemporaryStore()
    try await latin.sync([
      .sample("a", title: "Café – “au lait” €"), .sample("b", caption: "Ελλάδα"),
    ])

    #expect(try latin.numbers("SELECT count(*) FROM image_search_pairs_idx") == [0])
  }

  @Test func `refuses a word of more letters than words may be searched for`() async throws {
    let word = String(repeating: "川", count: SearchExpression.mostWords + 2)

    let error = await #expect(throws: StoreError.self) {
      try await store.names(ImageQuery(search: word))
    }

    #expect(error?.reason == .tooManyWords(limit: SearchExpression.mostWords))
  }
}
