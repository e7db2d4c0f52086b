import Models
import Store
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// New images of one batch, which one statement inserts.
struct ImageInsertionTests {
  private let store: TemporaryLibrary

  init() throws { store = try TemporaryLibrary() }

  /// Syncs a document whose images arrive in one batch.
  private func sync(_ numbers: ClosedRange<Int>) async throws -> ImageCounts {
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append(numbers.map { .sample("\($0)", id: "\($0)", title: "word\($0)") })
    let document = FeedDocument(format: .rss, title: nil)
    return try await writer.finish(document, answer: FeedAnswer(), isWhole: true).counts
  }

  @Test(arguments: [1, 15, 16, 17, 32, 150])
  func `have ids in the order of the document`(count: Int) async throws {
    let counts = try await sync(1...count)

    #expect(counts == ImageCounts(total: count, new: count))
    #expect(try await store.listing() == (1...count).map { "\($0) \($0)" })
  }

  @Test func `are found by their own words`() async throws {
    _ = try await sync(1...150)

    for number in [16, 17, 32, 33, 128, 144, 145, 150] {
      let query = ImageQuery(order: .feed, search: "word\(number)")
      #expect(try await store.listing(query) == ["\(number) \(number)"])
    }
  }

  @Test func `stand between those that were there`() async throws {
    _ = try await sync(50...60)
    let counts = try await sync(1...150)

    #expect(counts == ImageCounts(total: 150, new: 139))
    #expect(try await store.names() == (1...150).map(String.init))
    #expect(try await store.images().map(\.id).sorted() == (1...150).map(Int64.init))
  }

  @Test func `never have the id of one that is deleted`() async throws {
    _ = try await sync(1...70)
    try store.execute("DELETE FROM image WHERE id > 60")
    _ = try await sync(1...80)

    let ids = try store.numbers("SELECT id FROM image WHERE id > 60 ORDER BY id")
    #expect(ids == (71...90).map(Int64.init))
    #expect(try store.numbers("SELECT seq FROM sqlite_sequence WHERE name = 'image'") == [90])
  }

  @Test(arguments: ["DELETE FROM sqlite_sequence", "UPDATE sqlite_sequence SET seq = 2"])
  func `go on behind what is there where the note of the last id is wrong`(damage: String)
    async throws
  {
    _ = try await sync(1...20)
    try store.execute(damage)
    _ = try await sync(1...40)

    #expect(try await store.images().map(\.id).sorted() == (1...40).map(Int64.init))
  }

  @Test func `are refused where no id is left for them`() async throws {
    _ = try await sync(1...3)
    try store.execute("UPDATE sqlite_sequence SET seq = 9223372036854775807")

    await #expect(throws: StoreError.self) { try await sync(1...20) }
    #expect(try await store.names() == ["1", "2", "3"])
  }

  @Test func `are all taken back when one of them cannot be written`() async throws {
    _ = try await sync(1...3)
    try store.execute(
      """
      CREATE TRIGGER refusal BEFORE INSERT ON image WHEN NEW.title = 'word40'
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """
    )

    await #expect(throws: StoreError.self) { try await sync(1...70) }
    #expect(try store.numbers("SELECT count(*) FROM image") == [3])
    #expect(try await store.names(ImageQuery(order: .feed, search: "word30")) == [])
  }
}
