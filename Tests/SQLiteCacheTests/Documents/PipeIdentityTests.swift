import Models
import Testing
import Workers

@testable import SQLiteCache

/// Documents that come through pipes, one after another, from any source.
@Suite(.onEachStore)
struct PipeIdentityTests {
  private let store: TemporaryStore
  private let pipe = WebAddress(pipe: 1)

  init() throws { store = try TemporaryStore() }

  @Test func `an id in the document of another pipe is that of another image`() async throws {
    try await store.sync([.sample("a", id: "1")], to: pipe)
    try await storeOriginal(imageID: 1, from: "a")

    let counts = try await store.sync([.sample("b", id: "1")], to: pipe)

    #expect(counts == ImageCounts(total: 1, new: 1))
    #expect(Set(try await store.listing()) == ["1 a", "2 b"])
    #expect(try await store.store.original(imageID: 1)?.isStale == false)
  }

  @Test func `an address is the same image whatever its id is`() async throws {
    try await store.sync([.sample("a", id: "1"), .sample("b", id: "2")], to: pipe)

    let counts = try await store.sync(
      [.sample("b", id: "1", title: "B"), .sample("a")],
      to: pipe
    )

    #expect(counts == ImageCounts(total: 2, changed: 1))
    #expect(try await store.listing() == ["2 b", "1 a"])
  }

  @Test func `a thumbnail that two documents share does not make their images one`() async throws {
    try await store.sync([.sample("a", thumbnail: "t")], to: pipe)

    let counts = try await store.sync([.sample("b", thumbnail: "t")], to: pipe)

    #expect(counts == ImageCounts(total: 1, new: 1))
  }

  @Test func `no image is gone because another pipe lacks it`() async throws {
    try await store.sync([.sample("a", id: "1")], to: pipe, listsEverything: true)

    let counts = try await store.sync([.sample("b", id: "1")], to: pipe, listsEverything: true)

    #expect(counts.gone == 0)
    #expect(try await store.images().map(\.isGone) == [false, false])
  }

  @Test func `images that an earlier program stored under ids keep their addresses`() async throws {
    try await store.sync([.sample("a", id: "1")], to: pipe)
    try store.execute("UPDATE image SET is_entry_ambiguous = is_entry_ambiguous")

    try await store.sync([.sample("b", id: "1"), .sample("a", id: "2")], to: pipe)

    #expect(try await store.listing() == ["2 b", "1 a"])
  }

  @Test func `ids count in a pipe that has a name`() async throws {
    let named = try #require(WebAddress.pipe(named: "cats"))
    try await store.sync([.sample("a", id: "1")], to: named, listsEverything: true)

    let moved = try await store.sync([.sample("a2", id: "1")], to: named, listsEverything: true)
    let gone = try await store.sync([.sample("c", id: "3")], to: named, listsEverything: true)

    #expect(moved == ImageCounts(total: 1, changed: 1))
    #expect(gone == ImageCounts(total: 1, new: 1, gone: 1))
  }

  @Test func `pipes of two names, and one without, share no image`() async throws {
    let names = ["cats", "https://a.bc/list.json"].compactMap(WebAddress.pipe(named:))
    for address in names + [pipe] { try await store.sync([.sample("a", id: "1")], to: address) }

    #expect(try await store.images().map(\.feed.id).sorted() == [1, 2, 3])
  }

  private func storeOriginal(imageID: Int64, from name: String) async throws {
    try await store.storeOriginal(Array(name.utf8), imageID: imageID, from: name)
  }
}
