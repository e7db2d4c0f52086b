import FoundationEssentials
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// What a client sees that is limited to a part of the library, in every store, through the protocols only.
@Suite(.inTurns)
struct PartBehaviourTests {
  typealias Kind = StoreBehaviourTests.Kind
  private typealias Subject = StoreBehaviourTests.Subject

  private static let three: [FeedEntry] = [
    .sample("a", id: "a", title: "Delta", thumbnail: "at"), .sample("b", id: "b", title: "beta"),
    .sample("c", id: "c", title: "Delta again"),
  ]

  private func subject(_ kind: Kind) async throws -> Subject {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    return subject
  }

  @Test(arguments: Kind.allCases)
  func `a part of the library is a condition beside those of the request`(kind: Kind) async throws {
    let subject = try await subject(kind)
    func ids(_ part: LibraryPart, feedID: Int64? = nil, search: String? = nil) async throws
      -> [Int64]
    {
      let query = ImageQuery(feedID: feedID, search: search, part: part)
      let ids = try await subject.store.imageIDs(matching: query)
      var counted = query
      counted.limit = 9
      #expect(try await subject.store.imageIDs(matching: counted) == ids)
      counted.order = .random
      #expect(try await subject.store.imageIDs(matching: counted).sorted() == ids.sorted())
      #expect(try await subject.store.timeline(matching: query).ids == ids)
      return ids
    }

    #expect(try await ids(LibraryPart(search: "delta")) == [1, 3])
    #expect(try await ids(LibraryPart(search: "delta"), search: "del") == [1, 3])
    #expect(try await ids(LibraryPart(search: "delta"), search: "beta").isEmpty)
    #expect(try await ids(LibraryPart(feedID: 1)).count == 3)
    #expect(try await ids(LibraryPart(feedID: 1, search: "delta"), feedID: 1) == [1, 3])
    #expect(try await ids(LibraryPart(feedID: 1), feedID: 2).isEmpty)
    #expect(try await ids(LibraryPart(feedID: 2), search: "delta").isEmpty)
  }

  @Test(arguments: Kind.allCases, ["🌊", "!!!", " "])
  func `a part without a word has no image`(kind: Kind, words: String) async throws {
    let subject = try await subject(kind)
    let part = LibraryPart(search: words)

    for search in [nil, "delta", "a"] as [String?] {
      for order in ImageQuery.Order.allCases {
        let query = ImageQuery(order: order, search: search, limit: 9, part: part)
        #expect(try await subject.store.imageIDs(matching: query).isEmpty)
      }
      let whole = ImageQuery(search: search, part: part)
      #expect(try await subject.store.timeline(matching: whole).ids.isEmpty)
    }
  }

  @Test(arguments: Kind.allCases)
  func `a picture is found with the listed images that have it`(kind: Kind) async throws {
    let subject = try await subject(kind)
    let wanted = try await subject.wanted(.thumbnail)
    try await subject.store.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    let hash = try #require(try await subject.store.image(id: 1)?.thumbnail?.hash)
    let other = SHA256Digest(words: SIMD4(1, 2, 3, 4))

    let found = try await subject.store.imageIDs(withPictures: [hash, other, hash])
    _ = try await subject.store.removeFeed(id: 1, purging: false)
    let removed = try await subject.store.imageIDs(withPictures: [hash])

    #expect(found[hash] == [1])
    #expect(found[other] ?? [] == [])
    #expect(removed[hash] ?? [] == [])
  }
}
