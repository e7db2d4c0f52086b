import Models
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct IdentityTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `keeps ids when entries change their order`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2"), .sample("c", id: "3")])

    let counts = try await store.sync([
      .sample("c", id: "3"), .sample("a", id: "1"), .sample("b", id: "2"),
    ])

    #expect(counts == ImageCounts(total: 3))
    #expect(try await store.listing() == ["3 c", "1 a", "2 b"])
  }

  @Test func `gives an inserted entry a position between its neighbours`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])

    let counts = try await store.sync([
      .sample("a", id: "1"), .sample("new", id: "9"), .sample("b", id: "2"),
    ])

    #expect(counts == ImageCounts(total: 3, new: 1))
    #expect(try await store.listing() == ["1 a", "3 new", "2 b"])
  }

  @Test func `knows an entry by its id when its address changes`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])

    let counts = try await store.sync([.sample("a2", id: "1"), .sample("b", id: "2")])

    #expect(counts == ImageCounts(total: 2, changed: 1))
    #expect(try await store.listing() == ["1 a2", "2 b"])
  }

  @Test func `does not know an entry by an id that comes twice, the known address last`()
    async throws
  {
    try await store.sync([.sample("a", id: "g")])

    let counts = try await store.sync([.sample("b", id: "g"), .sample("a", id: "g")])

    #expect(counts == ImageCounts(total: 2, new: 1))
    #expect(try await store.listing() == ["2 b", "1 a"])
  }

  @Test func `does not know an entry by an id that comes twice, the known address first`()
    async throws
  {
    try await store.sync([.sample("a", id: "g")])

    let counts = try await store.sync([.sample("a", id: "g"), .sample("b", id: "g")])

    #expect(counts == ImageCounts(total: 2, new: 1))
    #expect(try await store.listing() == ["1 a", "2 b"])
  }

  @Test func `tells entries with one id apart by address from then on`() async throws {
    let images: [FeedEntry] = [.sample("a", id: "g"), .sample("b", id: "g")]
    try await store.sync(images)

    let again = try await store.sync(images)
    let reversed = try await store.sync(images.reversed())
    let alone = try await store.sync([.sample("a", id: "g")])

    #expect(again == ImageCounts(total: 2))
    #expect(reversed == ImageCounts(total: 2))
    #expect(alone == ImageCounts(total: 1))
    #expect(try await store.listing() == ["2 b", "1 a"])
  }

  @Test func `knows an image without an id by its address in another spelling`() async throws {
    try await store.sync([.sample("a")])

    let respelled = FeedImage(originalAddress: .address("http://A.bc:80/a#top"))
    let counts = try await store.sync([FeedEntry(images: [respelled])])

    #expect(counts == ImageCounts(total: 1, changed: 1))
    #expect(try await store.images().map(\.id) == [1])
  }

  @Test func `knows an image without an id by its thumbnail when only that stayed`() async throws {
    try await store.sync([.sample("a", thumbnail: "t1"), .sample("b", thumbnail: "t2")])

    let counts = try await store.sync([
      .sample("a2", thumbnail: "t1"), .sample("b", thumbnail: "t2"),
    ])

    #expect(counts == ImageCounts(total: 2, changed: 1))
    #expect(try await store.listing() == ["1 a2", "2 b"])
  }

  @Test func `does not know an image by a thumbnail that its owner still has`() async throws {
    try await store.sync([.sample("a", thumbnail: "t")])

    let counts = try await store.sync([
      .sample("new", thumbnail: "t"), .sample("a", thumbnail: "t"),
    ])

    #expect(counts == ImageCounts(total: 2, new: 1))
    #expect(try await store.listing() == ["2 new", "1 a"])
  }

  @Test func `does not know an image by a thumbnail that several share`() async throws {
    try await store.sync([.sample("a", thumbnail: "t"), .sample("b", thumbnail: "t")])

    let counts = try await store.sync([.sample("new", thumbnail: "t")])

    #expect(counts == ImageCounts(total: 1, new: 1))
    #expect(Set(try await store.listing()) == ["1 a", "2 b", "3 new"])
  }

  @Test func `counts an image that a document repeats once`() async throws {
    let counts = try await store.sync([.sample("a"), .sample("b"), .sample("a")])

    #expect(counts == ImageCounts(total: 2, new: 2))
    #expect(try await store.listing() == ["1 a", "2 b"])
  }

  @Test func `lets a feed that begins to give ids keep its images`() async throws {
    try await store.sync([.sample("a"), .sample("b")])

    let counts = try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])
    let moved = try await store.sync([.sample("a2", id: "1"), .sample("b", id: "2")])

    #expect(counts == ImageCounts(total: 2))
    #expect(moved == ImageCounts(total: 2, changed: 1))
    #expect(try await store.listing() == ["1 a2", "2 b"])
  }

  @Test func `lets a feed that no longer gives ids keep its images`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])

    let counts = try await store.sync([.sample("a"), .sample("b")])

    #expect(counts == ImageCounts(total: 2))
  }

  @Test func `matches the images of an entry by address, then thumbnail, then position`()
    async throws
  {
    try await store.sync([
      .sample(id: "e", .sample("a"), .sample("b", thumbnail: "t"), .sample("c"))
    ])

    let counts = try await store.sync([
      .sample(id: "e", .sample("b2", thumbnail: "t"), .sample("c"), .sample("a2"))
    ])

    #expect(counts == ImageCounts(total: 3, changed: 2))
    #expect(Set(try await store.listing()) == ["1 a2", "2 b2", "3 c"])
  }

  @Test func `counts an address that an entry has twice as one image`() async throws {
    let entry = FeedEntry.sample(id: "e", .sample("a"), .sample("b"), .sample("a"))

    #expect(try await store.sync([entry]) == ImageCounts(total: 2, new: 2))
    #expect(try await store.sync([entry]) == ImageCounts(total: 2))
    #expect(try await store.listing() == ["1 a", "2 b"])
  }

  @Test func `knows entries of several images again`() async throws {
    let entries: [FeedEntry] = [
      .sample(id: "e", .sample("a"), .sample("b")), .sample(id: "f", .sample("c"), .sample("d")),
    ]
    try await store.sync(entries)

    #expect(try await store.sync(entries) == ImageCounts(total: 4))
    #expect(try await store.listing() == ["1 a", "2 b", "3 c", "4 d"])
  }

  @Test func `keeps the images of two feeds apart`() async throws {
    try await store.sync([.sample("a", id: "1")])

    let counts = try await store.sync([.sample("a", id: "1")], to: .otherFeed)

    #expect(counts == ImageCounts(total: 1, new: 1))
    #expect(try await store.images().map(\.feed.id) == [1, 2])
  }

  @Test func `keeps an image in the library that has left its feed`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")])

    try await store.sync([.sample("c", id: "3"), .sample("a", id: "1")])

    #expect(try await store.listing() == ["3 c", "1 a", "2 b"])
    #expect(try await store.images().map(\.isGone) == [false, false, false])
  }
}
