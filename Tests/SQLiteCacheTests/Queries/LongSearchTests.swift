import Models
import Testing
import Workers

@testable import SQLiteCache

struct LongSearchTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    let words = (0..<Limits.searchWords).map { "w\($0)x" }.joined(separator: " ")
    try store.sync([.sample("a", caption: words), .sample("b")])
  }

  @Test func `finds by as many words as one may search for`() throws {
    let words = (0..<Limits.searchWords).map { "w\($0)x" }.joined(separator: " ")

    #expect(try store.names(ImageQuery(search: words)) == ["a"])
  }

  @Test func `refuses one word more, and says the limit`() throws {
    let words = (0...Limits.searchWords).map { "w\($0)" }.joined(separator: ",")

    let error = #expect(throws: StoreError.self) { try store.names(ImageQuery(search: words)) }

    #expect(error?.reason == .tooManyWords(limit: 100))
    #expect(error?.isOfRequest == true)
  }

  @Test(.timeLimit(.minutes(1)))
  func `takes a word that is repeated for one`() throws {
    let words = String(repeating: "w1x W1X ", count: 30_000)

    #expect(try store.names(ImageQuery(search: words)) == ["a"])
  }

  @Test func `takes a word of any length`() throws {
    let word = String(repeating: "w", count: 1 << 20)

    #expect(try store.names(ImageQuery(search: word)) == [])
  }
}
