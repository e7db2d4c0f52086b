import Foundation
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import PostgresStore
@testable import SQLiteCache

/// Searches and orders that do not depend on case, accents and forms of Unicode.
@Suite(.onEachStore)
struct FoldedSearchTests {
  private static let titles = [
    "latin": "Łódź, Straße", "viet": "Nguyễn Thị Đường", "turkish": "İstanbul’da ırmak",
    "greek": "Ελλάδα, Ἑλλάς", "russian": "Чёрный ключ", "hebrew": "שָׁלוֹם עולם", "arabic": "مُحَمَّد",
    "hindi": "हिन्दी चित्र", "thai": "ภาพน้ำตก", "kana": "がっこう パン", "korean": "한국의 산",
    "wide": "ＮＨＫ ﬁsh №５", "danish": "Smørrebrød, Æbler",
  ]

  /// The names of found images, in alphabetic order.
  private func found(_ search: String, in store: TemporaryStore) async throws -> [String] {
    try await store.names(ImageQuery(search: search)).sorted()
  }

  private func store(
    isNew: Bool = false,
    form: (String) -> String = { $0 }
  ) async throws -> TemporaryStore {
    let store = try TemporaryStore(isNew: isNew)
    let entries = Self.titles.sorted { $0.key < $1.key }.map { name, title in
      FeedEntry.sample(name, title: form(title))
    }
    try await store.sync(entries, title: "Évêché")
    return store
  }

  private static let searches: [(String, [String])] = [
    ("lodz", ["latin"]), ("ŁÓDŹ", ["latin"]), ("strasse", ["latin"]), ("STRASSE", ["latin"]),
    ("straß", ["latin"]), ("duong", ["viet"]), ("nguyen thi", ["viet"]), ("istanbul", ["turkish"]),
    ("IRMAK", ["turkish"]), ("ΕΛΛΑΔΑ", ["greek"]), ("ελλας", ["greek"]), ("ελλ", ["greek"]),
    ("черный", ["russian"]), ("ЧЁРН", ["russian"]), ("שלום", ["hebrew"]), ("שלומ", []),
    ("محمد", ["arabic"]), ("محمود", []), ("हिन्दी", ["hindi"]), ("हन", []), ("हिन्द", ["hindi"]),
    ("น้ำ", ["thai"]), ("นำ", []), ("ตก", ["thai"]), ("がっこう", ["kana"]), ("かっこう", []),
    ("ﾊﾟﾝ", ["kana"]), ("ハン", []), ("한국", ["korean"]), ("국의", ["korean"]), ("nhk", ["wide"]),
    ("fish", ["wide"]), ("no5", ["wide"]), ("smorrebrod", ["danish"]), ("aebler", ["danish"]),
    ("eveche lodz", ["latin"]),
  ]

  /// macOS takes the names of files apart (NFD), and people type letters as a whole (NFC).
  @Test func `finds words in every form of Unicode`() async throws {
    let whole = try await store()
    let apart = try await store(form: \.decomposedStringWithCanonicalMapping)
    for (search, names) in Self.searches {
      let parts = search.decomposedStringWithCanonicalMapping
      #expect(try await found(search, in: whole) == names, "\(search)")
      #expect(try await found(parts, in: whole) == names, "\(search)")
      #expect(try await found(search, in: apart) == names, "\(search)")
      #expect(try await found(parts, in: apart) == names, "\(search)")
    }
    try whole.checkIndexes()
    try apart.checkIndexes()
  }

  @Test func `keeps the index in step with new titles and removed images`() async throws {
    let store = try await store()
    try await store.sync([.sample("latin", title: "Kraków"), .sample("greek", title: "Αθήνα")])

    #expect(try await found("lodz", in: store) == [])
    #expect(try await found("KRAKOW", in: store) == ["latin"])
    #expect(try await found("αθηνα", in: store) == ["greek"])
    try store.checkIndexes()
    _ = try await store.library.removeFeed(id: 1, purging: true)
    try store.checkIndexes()
  }

  /// Makes the library one of a program that folded texts in another way.
  private func makeOlder(_ store: TemporaryStore) throws {
    switch StoreKind.current {
    case .sqlite: try store.sqlite.makeFirstVersion()
    case .postgres:
      try store.execute(
        """
        ALTER TABLE image RENAME COLUMN folded_words TO words;
        ALTER TABLE member RENAME COLUMN folded_words TO words;
        UPDATE image SET words = ''; UPDATE member SET words = '';
        UPDATE library SET schema_version = 1;
        """
      )
    }
    try store.execute("UPDATE image SET title_key = lower(title)")
  }

  @Test func `finds the same in an older library, before and after the next write`() async throws {
    let store = try await store(isNew: true)
    try makeOlder(store)
    let library = store.reopened()

    for (search, names) in Self.searches {
      #expect(try await found(search, by: library) == names, "\(search)")
    }
    #expect(try isOlder(store))
    _ = try await library.setPinned(true, imageIDs: [1])

    #expect(try !isOlder(store))
    for (search, names) in Self.searches {
      #expect(try await found(search, by: library) == names, "\(search)")
    }
    let keys =
      "SELECT count(*) FROM image WHERE title_key IN ('lodz, strasse', 'smorrebrød, æbler')"
    #expect(try store.numbers(keys) == [1])
    try store.checkIndexes()
  }

  private func found(_ search: String, by library: any LibraryReading) async throws -> [String] {
    try await library.images(matching: ImageQuery(search: search))
      .map { String($0.originalAddress.text.dropFirst(13)) }.sorted()
  }

  private func isOlder(_ store: TemporaryStore) throws -> Bool {
    let sql =
      switch StoreKind.current {
      case .sqlite: "SELECT user_version = 1 FROM pragma_user_version"
      case .postgres: "SELECT (schema_version = 1)::int::bigint FROM library"
      }
    return try store.numbers(sql) == [1]
  }

  @Test func `an older library is copied with the keys of titles of today`() async throws {
    let store = try await store(isNew: true)
    try makeOlder(store)

    let keys = Locked<Set<String>>([])
    try await store.reopened().withState { (state) throws(StoreError) in
      let rows = try state.rows(of: .image, after: nil, through: nil, limit: 100)
      keys.withLock {
        $0 = Set(rows.compactMap { CopiedTable.image.value("title_key", of: $0).text })
      }
    }

    #expect(keys.snapshot.isSuperset(of: ["lodz, strasse", "smorrebrod, aebler", "черныи ключ"]))
  }

  @Test func `orders titles by the values of their numbers, page by page`() async throws {
    let store = try TemporaryStore()
    let titles = [
      "img10", "IMG 2", "img2", "Łódź 9", "lodz 10", "img 010", "100", "99", nil, "ımg3",
    ]
    try await store.sync(
      titles.enumerated().map { index, title in .sample("\(index)", title: title) }
    )
    let order = [
      "99", "100", "IMG 2", "img 010", "img2", "ımg3", "img10", "Łódź 9", "lodz 10", nil,
    ]

    #expect(try await store.images(ImageQuery(order: .title)).map(\.title) == order)
    var found: [String?] = []
    var query = ImageQuery(order: .title, limit: 3)
    while true {
      let page = try await store.images(query)
      found += page.map(\.title)
      guard page.count == 3, let last = page.last else { break }
      query.after = try await store.library.cursor(behind: last.id, in: .title)
    }
    #expect(found == order)
    let ids = try await store.library.imageIDs(matching: ImageQuery(order: .title))
    #expect(ids == [8, 7, 2, 6, 3, 10, 1, 4, 5, 9])
  }
}
