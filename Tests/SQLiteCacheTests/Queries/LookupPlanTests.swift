import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// The queries for each image of a sync, or for each page of orders, must never scan a feed.
struct LookupPlanTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync([.sample("a")])
  }

  @Test(arguments: [
    (DocumentQueries.Key.entry, "image_entry (feed_id=? AND entry_hash=?)"),
    (.original, "image_original_hash (feed_id=? AND original_hash=?)"),
    (.thumbnail, "image_thumbnail_hash (feed_id=? AND thumbnail_hash=?)"),
  ])
  func `looks images up by what identifies them`(key: DocumentQueries.Key, index: String) throws {
    #expect(try plan(of: key.sql(.sqlite)) == ["SEARCH image USING INDEX \(index)"])
  }

  @Test(arguments: [
    ("AND date = 1 AND (position, id) > (1, 1)", "(feed_id=? AND date=? AND position>?)"),
    ("AND date < 1", "(feed_id=? AND date<?)"),
    ("", "(feed_id=?)"),
  ])
  func `finds what is missing by what is missing`(range: String, bounds: String) throws {
    let thumbnails = PictureQueries(.thumbnail, feedID: 1, .missing, .sqlite)
    let originals = PictureQueries(.original, feedID: 1, .missing, .sqlite)

    #expect(
      try plan(of: thumbnails.wantedSQL(range))
        == ["SEARCH image USING INDEX image_thumbnail_wanted \(bounds)"] + failureLookup
    )
    let steps = try plan(of: originals.wantedSQL(range))
    #expect(steps.first == "SEARCH image USING INDEX image_original_wanted \(bounds)")
    #expect(steps.last == failureLookup.last)
    #expect(steps.filter { $0.contains(" image ") }.dropFirst().allSatisfy(isOfKept))
    #expect(!steps.contains { $0.contains("B-TREE") })
  }

  @Test(arguments: [
    PictureFilter.Originals.all, .stored, .notStored,
  ])
  func `finds what is to be made by that`(originals: PictureFilter.Originals) throws {
    let unmade = PictureQueries(
      .madeThumbnail,
      feedID: 1,
      PictureFilter.missing.from(originals),
      .sqlite
    )
    let search = "SEARCH image USING INDEX image_thumbnail_unmade"

    #expect(try plan(of: unmade.wantedSQL("")) == ["\(search) (feed_id=?)"] + failureLookup)
    #expect(
      try plan(of: unmade.wantedSQL("AND date < 1"))
        == ["\(search) (feed_id=? AND date<?)"] + failureLookup
    )
    #expect(try plan(of: unmade.countSQL) == countPlan("\(search) (feed_id=?)"))
  }

  @Test func `reads images by their ids, and has SQLite sort nothing`() throws {
    #expect(
      try plan(of: ImageQueries.listSQL(.sqlite)) == [
        "SCAN json_each VIRTUAL TABLE INDEX 1:", "SEARCH image USING INTEGER PRIMARY KEY (rowid=?)",
      ]
    )
  }

  @Test func `counts what is missing by what is missing`() throws {
    let thumbnails = PictureQueries(.thumbnail, feedID: 1, .missing, .sqlite)
    let originals = PictureQueries(.original, feedID: 1, .missing, .sqlite)

    #expect(
      try plan(of: thumbnails.countSQL)
        == countPlan("SEARCH image USING INDEX image_thumbnail_wanted (feed_id=?)")
    )
    let steps = try plan(of: originals.countSQL).filter { $0.contains(" image ") }
    #expect(
      steps.filter { !isOfKept($0) }
        == Array(repeating: "SEARCH image USING INDEX image_original_wanted (feed_id=?)", count: 3)
    )
  }

  @Test(arguments: [false, true])
  func `looks for anything that is wanted by indexes alone`(retriesFailed: Bool) throws {
    let steps = try plan(of: PictureQueries.wantsThumbnailsSQL(retriesFailed: retriesFailed))

    #expect(steps.contains { $0.contains("image_thumbnail_wanted (feed_id=?)") })
    #expect(steps.contains { $0.contains("image_thumbnail_unmade (feed_id=?)") })
    #expect(steps.filter { $0.contains("image_thumbnail_check (feed_id=?") }.count == 2)
    #expect(!steps.contains { $0.hasPrefix("SCAN image") })
  }

  @Test(arguments: [
    (
      PictureKind.thumbnail, "image_thumbnail_check", "thumbnail",
      "(feed_id=? AND thumbnail_check_at"
    ),
    (
      .madeThumbnail, "image_thumbnail_check", "thumbnail",
      "(feed_id=? AND thumbnail_check_at"
    ),
    (.original, "image_original_check", "image_original", "(feed_id=? AND original_check_at"),
  ])
  func `finds what is due by when it is due`(
    kind: PictureKind,
    index: String,
    table: String,
    bounds: String
  ) throws {
    let search = "SEARCH image USING INDEX \(index)"
    #expect(
      try plan(of: PictureQueries.dueSQL(kind, retriesFailed: false)) == ["\(search) \(bounds)<?)"]
    )
    #expect(
      try store.connection().plan(of: CheckQueries.askedSQL(kind))
        == ["SEARCH image USING COVERING INDEX \(index) \(bounds)>?)"]
    )
    #expect(
      try plan(of: PictureQueries.dueSQL(kind, retriesFailed: true))
        == ["\(search) \(bounds)>?)"] + failureLookup
    )
    #expect(
      try plan(of: PictureQueries.checksSQL(kind, .sqlite)) == [
        "SCAN json_each VIRTUAL TABLE INDEX 1:",
        "SEARCH image USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH held USING INTEGER PRIMARY KEY (rowid=?)", "USE TEMP B-TREE FOR ORDER BY",
      ]
    )
  }

  @Test func `forgets failures by the images that had them`() throws {
    #expect(
      try plan(of: FailureQueries.forgetSQL(.thumbnail, .sqlite)) == [
        "SEARCH picture_failure USING PRIMARY KEY (image_id=? AND kind=?)",
        "LIST SUBQUERY 1", "SCAN json_each VIRTUAL TABLE INDEX 1:",
      ]
    )
  }

  @Test func `counts damage by the images that have it`() throws {
    #expect(
      try plan(of: DamageQueries.countsSQL(.sqlite)) == [
        "SCAN damage", "SEARCH image USING INTEGER PRIMARY KEY (rowid=?)",
        "USE TEMP B-TREE FOR GROUP BY",
      ]
    )
  }

  /// The plan of a count of all images, and of the failed ones; it reads failures only if there are any.
  private func countPlan(_ search: String) -> [String] {
    let failures = ["SCALAR SUBQUERY 2", "SCAN picture_failure", "SCALAR SUBQUERY 4", search]
    let lookup = failureLookup.map { $0.replacing("SUBQUERY 1", with: "SUBQUERY 3") }
    return ["SCAN CONSTANT ROW", "SCALAR SUBQUERY 1", search] + failures + lookup
  }

  /// Whether a step finds the newest images of a feed, whose originals are kept; it runs only for a feed with such a
  /// bound.
  private func isOfKept(_ step: String) -> Bool {
    step == "SEARCH image USING INDEX image_feed_newest (feed_id=?)"
  }

  private let failureLookup = [
    "CORRELATED SCALAR SUBQUERY 1",
    "SEARCH picture_failure USING PRIMARY KEY (image_id=? AND kind=?)",
  ]

  /// The steps of a query.
  ///
  /// SQLite 3.44 and later also call an index covering that lacks only the columns of its own condition.
  private func plan(of sql: String) throws -> [String] {
    try store.connection().plan(of: sql).map {
      $0.replacing("USING COVERING INDEX", with: "USING INDEX")
    }
  }
}
