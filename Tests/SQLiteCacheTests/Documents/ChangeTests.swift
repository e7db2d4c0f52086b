import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct ChangeTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let whole = FeedImage(
    title: "Mare Imbrium",
    caption: "Seen from the west",
    author: "Ada",
    licence: "CC BY",
    published: .first,
    pageAddress: .picture("page"),
    thumbnailAddress: .picture("thumb"),
    originalAddress: .picture("full"),
    width: 4000,
    height: 3000
  )

  /// An entry of one image.
  private static func entry(_ image: FeedImage = whole) -> FeedEntry {
    FeedEntry(id: "1", images: [image])
  }

  /// Their texts do not fit into one short transaction.
  @Test func `stores and changes many images of an entry with long texts, in their order`()
    async throws
  {
    func entry(_ word: String) -> FeedEntry {
      let caption = String(repeating: "\(word) ", count: 2_000)
      let images = (1...60).flatMap { FeedEntry.sample("\($0)", caption: caption).images }
      return FeedEntry(id: "1", images: images)
    }
    let writer = store.library.writer(forFeedAt: .feed, now: .first)
    try await writer.append([entry("crater")])
    let end = FeedDocument(format: .rss)
    let written = try await writer.finish(end, answer: FeedAnswer(), isWhole: true)
    let names = try await store.names()
    let changed = try await store.sync([entry("rille")])

    #expect(written.counts == ImageCounts(total: 60, new: 60))
    #expect(writer.newIDs.map(\.count).reduce(0, +) == 60)
    #expect(names == (1...60).map(String.init))
    #expect(changed == ImageCounts(total: 60, changed: 60))
    #expect(try await store.names() == names)
    let images = try await store.images()
    #expect(images.allSatisfy { $0.caption?.hasPrefix("rille") == true })
  }

  @Test func `gives back every field as it was`() async throws {
    try await store.sync([Self.entry()], now: .second)

    let expected = WebImage(
      id: 1,
      feed: FeedReference(id: 1, address: .feed, title: "Moon"),
      title: "Mare Imbrium",
      caption: "Seen from the west",
      author: "Ada",
      licence: "CC BY",
      published: .first,
      firstSeen: .second,
      pageAddress: .picture("page"),
      thumbnailAddress: .picture("thumb"),
      originalAddress: .picture("full"),
      width: 4000,
      height: 3000
    )
    #expect(try await store.images() == [expected])
    #expect(try await store.library.image(id: 1) == expected)
    #expect(try await store.library.image(id: 2) == nil)
  }

  @Test func `counts an image as changed when a text differs`() async throws {
    try await store.sync([Self.entry()])
    for field in [\FeedImage.title, \.caption, \.author, \.licence] {
      var image = Self.whole
      image[keyPath: field] = "other"

      #expect(try await store.sync([Self.entry(image)]) == ImageCounts(total: 1, changed: 1))
      #expect(try await store.sync([Self.entry(image)]) == ImageCounts(total: 1))
    }
  }

  @Test func `counts an image as changed when its page, date or size differs`() async throws {
    try await store.sync([Self.entry()])
    var changes: [FeedImage] = [Self.whole, Self.whole, Self.whole, Self.whole]
    changes[0].pageAddress = nil
    changes[1].published = .second
    changes[2].width = 1
    changes[3].height = nil

    for image in changes {
      #expect(try await store.sync([Self.entry(image)]) == ImageCounts(total: 1, changed: 1))
    }
  }

  @Test func `does not find an image changed that has a null character`() async throws {
    let image = FeedEntry.sample("a", id: "1\0", title: "one\0two")
    try await store.sync([image])

    #expect(try await store.sync([image]) == ImageCounts(total: 1))
    #expect(try await store.images().map(\.title) == ["onetwo"])
  }

  @Test func `writes no row of an unchanged document`() async throws {
    try await store.sync([Self.entry(), .sample("b")])
    let before = try await store.library.states(ids: [1, 2])

    try await store.sync([Self.entry(), .sample("b")], now: .second)

    #expect(try await store.library.states(ids: [1, 2]) == before)
    #expect(before.count == 2)
  }

  @Test func `writes no known row for a new entry at the top`() async throws {
    let known = (0..<50).map { FeedEntry.sample("\($0)", id: "\($0)") }
    try await store.sync(known)
    let before = try store.numbers("SELECT position FROM image ORDER BY id")

    try await store.sync([.sample("new", id: "new")] + known)

    #expect(try store.numbers("SELECT position FROM image WHERE id <= 50 ORDER BY id") == before)
    #expect(try await store.names().first == "new")
  }
}
