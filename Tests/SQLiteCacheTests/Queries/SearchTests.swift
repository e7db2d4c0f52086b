import GRDB
import Models
import Testing

@testable import SQLiteCache

struct SearchTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync(
      [
        .sample("a", title: "Café au lait", caption: "Breakfast in the sun"),
        .sample("b", title: "Sunset", caption: "NOT a sunrise"),
        .sample("c", title: "f1"),
      ],
      title: "Mornings"
    )
    try store.sync([.sample("d", title: "Sunspots")], to: .otherFeed, title: "Évenings")
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
    ("", ["a", "b", "c", "d"]),
    ("!?", ["a", "b", "c", "d"]),
  ])
  func `finds images that have all words as prefixes`(search: String, names: [String]) throws {
    #expect(try store.names(ImageQuery(order: .feed, search: search)) == names)
  }

  @Test(arguments: [
    "\"", "'", "title:sun OR", "(", ")", "sun*", "^sun", "-sun", "NEAR(sun, 2)", "{title} : x",
    "sun AND", "\0", "a\"b", "+", "%_", ";DROP TABLE image",
  ])
  func `takes nothing for query syntax`(search: String) throws {
    #expect(throws: Never.self) { try store.names(ImageQuery(search: search)) }
  }

  @Test func `finds by a feed's new title at once`() throws {
    try store.sync([], title: "Dawn")

    #expect(try store.names(ImageQuery(order: .feed, search: "dawn")) == ["a", "b", "c"])
    #expect(try store.names(ImageQuery(search: "mornings")) == [])
  }

  @Test func `finds by the title that the user gives a feed, and not by its own`() throws {
    let named = try store.library.setTitle("Dawn \0chorus", ofFeed: 1)
    try store.sync([], title: "Mornings")

    #expect(named?.title == "Dawn chorus")
    #expect(try store.names(ImageQuery(order: .feed, search: "dawn")) == ["a", "b", "c"])
    #expect(try store.names(ImageQuery(search: "mornings")) == [])
    #expect(try store.images().first?.feed.title == "Dawn chorus")
    #expect(try store.library.setTitle(nil, ofFeed: 1)?.title == "Mornings")
    #expect(try store.library.setTitle("x", ofFeed: 9) == nil)
  }

  @Test func `keeps the index in step with what is stored`() throws {
    try store.sync([.sample("a", title: "Tea"), .sample("b", caption: nil)])
    try store.sync([.sample("e", title: "Moon")], to: .otherFeed)
    _ = try store.library.removeFeed(id: 2, purging: true)

    #expect(try store.names(ImageQuery(search: "tea")) == ["a"])
    #expect(try store.names(ImageQuery(search: "cafe sunset moon")) == [])
    try store.connection().write { db in
      try db.execute(sql: "INSERT INTO image_search(image_search) VALUES ('integrity-check')")
    }
  }
}
