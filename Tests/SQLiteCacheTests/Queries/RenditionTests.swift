import Foundation
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// The other renditions of images, which the library keeps for the time when the first choice cannot be had.
@Suite(.onEachStore)
struct RenditionTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// An entry "1" of the original "o", with other renditions.
  private func entry(_ renditions: String..., title: String? = nil) -> FeedEntry {
    var entry = FeedEntry.sample("o", id: "1", title: title, thumbnail: "t")
    entry.images[0].renditions = renditions.map(WebAddress.picture)
    return entry
  }

  private func renditions() async throws -> [WebAddress] {
    try await store.library.renditions(imageID: 1)
  }

  @Test func `are kept in the document's order, and change with the image`() async throws {
    try await store.sync([entry("m", "s"), .sample("p", id: "2")])
    let first = try await renditions()
    try await store.sync([entry("l", title: "New")])
    let second = try await renditions()
    try await store.sync([entry(title: "Other")])

    #expect(first == [.picture("m"), .picture("s")])
    #expect(second == [.picture("l")])
    #expect(try await renditions() == [])
    #expect(try await store.library.renditions(imageID: 2) == [])
    #expect(try await store.library.renditions(imageID: 9) == [])
  }

  @Test func `come with the next document to an image of an older library`() async throws {
    try await store.sync([entry("m", "s")])
    try store.execute("DELETE FROM rendition")

    let counts = try await store.sync([entry("m", "s")])

    #expect(counts == ImageCounts(total: 1))
    #expect(try await renditions() == [.picture("m"), .picture("s")])
  }

  @Test func `are in the state of an image, for mirrors`() async throws {
    try await store.sync([entry("m", "s"), .sample("p", id: "2")])

    let states = try await store.library.states(ids: [1, 2])

    #expect(states.map(\.fields.renditions) == [["https://a.bc/m", "https://a.bc/s"], []])
  }

  @Test func `one of them is the right original, and any other address is not`() async throws {
    try await store.sync([entry("m", "s")])

    try await store.storeOriginal([1], imageID: 1, from: "s")
    let right = try await store.images().map(\.original)
    let source = try await store.library.storage(imageID: 1)?.originalSource
    try await store.storeOriginal([2], imageID: 1, from: "other")
    let stale = try await store.images().map(\.original)
    try await store.storeOriginal([3], imageID: 1, from: "o")

    #expect(right == [.stored])
    #expect(source == .picture("s"))
    #expect(stale == [.stale])
    #expect(try await store.images().map(\.original) == [.stored])
  }

  @Test func `one that was damaged and is whole again is right`() async throws {
    try await store.sync([entry("s")])
    try await store.storeOriginal([1], imageID: 1, from: "s")
    let path = try #require(try await store.library.original(imageID: 1)).path
    let thing = CheckedThing.original(path: path, imageIDs: [1])

    try await store.library.mark(thing, as: .damaged)
    let damaged = try await store.images().map(\.original)
    try await store.library.mark(thing, as: .whole)

    #expect(damaged == [.stale])
    #expect(try await store.images().map(\.original) == [.stored])
  }

  @Test func `go with their image`() async throws {
    try await store.sync([entry("m")])

    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(try store.numbers("SELECT count(*) FROM rendition") == [0])
  }
}
