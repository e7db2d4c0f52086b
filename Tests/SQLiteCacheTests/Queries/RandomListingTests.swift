import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct RandomListingTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    let images = (0..<40).map { "image \($0)" }
    try await store.sync(images.map { .sample($0, title: $0) })
    try await store.sync([.sample("other", title: "other")], to: .otherFeed, title: "Sun")
  }

  @Test func `lists each image once, in an order that its seed makes`() async throws {
    var orders: [[String]] = []
    for seed: UInt64 in (0..<20) {
      orders.append(try await store.listing(ImageQuery(order: .random, seed: seed)))
    }

    let all = try await store.listing().sorted()
    #expect(orders.allSatisfy { $0.sorted() == all })
    #expect(Set(orders).count == 20)
    #expect(try await store.listing(ImageQuery(order: .random, seed: 3)) == orders[3])
  }

  @Test func `lists the beginning of the same order with a limit`() async throws {
    let whole = try await store.listing(ImageQuery(order: .random, seed: 5))

    for limit in [0, 1, 7, 41, 100] {
      let query = ImageQuery(order: .random, limit: limit, seed: 5)
      #expect(try await store.listing(query) == Array(whole.prefix(limit)))
    }
  }

  @Test func `every image comes first some time`() async throws {
    var first: [[String]] = []
    for seed: UInt64 in (0..<500) {
      first.append(try await store.names(ImageQuery(order: .random, limit: 1, seed: seed)))
    }

    #expect(Set(first).count == 41)
  }

  @Test func `shuffles what a feed or a search has`() async throws {
    let feed = try await store.names(ImageQuery(order: .random, feedID: 2, seed: 1))
    let search = try await store.names(
      ImageQuery(order: .random, search: "image", limit: 50, seed: 1)
    )

    #expect(feed == ["other"])
    #expect(search.count == 40)
    #expect(!search.contains("other"))
  }

  @Test func `lists nothing of a feed that is removed`() async throws {
    _ = try await store.library.removeFeed(id: 1, purging: false)

    #expect(try await store.names(ImageQuery(order: .random, seed: 1)) == ["other"])
    #expect(try await store.names(ImageQuery(order: .random, since: .first, seed: 1)) == ["other"])
  }

  @Test(.only(.sqlite, "query plans"), arguments: [nil, 1] as [Int64?], [[], [7]] as [[Int64]])
  func `takes the ids from an index alone`(feedID: Int64?, halfRemoved: [Int64]) throws {
    let plan = try plan(ImageQuery(order: .random, feedID: feedID), halfRemoved)

    #expect(plan.first?.contains(" image USING COVERING INDEX image_") == true, "\(plan)")
    for index in ["image_hidden", "image_retired"] {
      #expect(plan.contains { $0.contains("INDEX \(index)") }, "\(plan)")
    }
  }

  @Test(.only(.sqlite, "query plans"), arguments: [nil, 1] as [Int64?])
  func `takes the ids of a moment or later from one range of an index`(feedID: Int64?) throws {
    let plan = try plan(ImageQuery(order: .random, feedID: feedID, since: .first), [])

    #expect(plan.count == 1)
    #expect(plan.first?.contains("date>?") == true, "\(plan)")
  }

  private func plan(_ query: ImageQuery, _ halfRemoved: [Int64]) throws -> [String] {
    let filter = ListingFilter(query, halfRemoved: halfRemoved, .sqlite)
    let sql = "SELECT image.id FROM image WHERE \(filter.condition)"
    return try store.sqlite.connection().plan(of: sql)
  }
}
