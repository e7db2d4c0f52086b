import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct LongSearchTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    let words = (0..<SearchExpression.mostWords).map { "w\($0)x" }.joined(separator: " ")
    try await store.sync([.sample("a", caption: words), .sample("b")])
  }

  @Test func `finds by as many words as one may search for`() async throws {
    let words = (0..<SearchExpression.mostWords).map { "w\($0)x" }.joined(separator: " ")

    #expect(try await store.names(ImageQuery(search: words)) == ["a"])
  }

  @Test func `refuses one word more, and says the limit`() async throws {
    let words = (0...SearchExpression.mostWords).map { "w\($0)" }.joined(separator: ",")

    let error = await #expect(throws: StoreError.self) {
      try await store.names(ImageQuery(search: words))
    }

    #expect(error?.reason == .tooManyWords(limit: 100))
    #expect(error?.isOfRequest == true)
  }

  @Test(.timeLimit(.minutes(60)))
  func `takes a word that is repeated for one`() async throws {
    let words = String(repeating: "w1x W1X ", count: 30_000)

    #expect(try await store.names(ImageQuery(search: words)) == ["a"])
  }

  @Test func `takes a word of any length`() async throws {
    let word = String(repeating: "w", count: 1 << 20)

    #expect(try await store.names(ImageQuery(search: word)) == [])
  }
}
