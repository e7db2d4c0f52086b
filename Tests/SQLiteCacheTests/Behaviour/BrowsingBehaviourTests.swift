import FoundationEssentials
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// The queries of a browser, which every store answers, through the protocols only.
@Suite(.inTurns)
struct BrowsingBehaviourTests {
  typealias Kind = StoreBehaviourTests.Kind
  private typealias Subject = StoreBehaviourTests.Subject

  /// Five images: two of May 2024, one of January 2023, and two without a date.
  private static let five: [FeedEntry] = [
    .sample("a", id: "a", title: "Delta", thumbnail: "at", published: date(1_715_000_000)),
    .sample("b", id: "b", title: "beta", caption: "One\nTwo", published: date(1_714_521_600)),
    .sample("c", id: "c", caption: "Only a caption\nof two lines", published: date(1_672_531_200)),
    .sample("d", id: "d", title: "Delta"), .sample("e", id: "e"),
  ]

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  private static let now = date(1_720_000_000)

  private func subject(_ kind: Kind) async throws -> Subject {
    let subject = try Subject(kind)
    try await subject.sync(Self.five, now: Self.now)
    return subject
  }

  @Test(arguments: Kind.allCases)
  func `the version changes with what is stored, and names the library`(kind: Kind) async throws {
    let empty = try Subject(kind, isNew: true)
    #expect(
      try await empty.store.version() == LibraryVersion(library: "", epoch: 0, number: 0)
    )
    let subject = try await subject(kind)

    try await subject.settle()
    let first = try await subject.store.version()
    try await subject.sync(Self.five, now: Self.now + 60)
    try await subject.settle()
    let unchanged = try await subject.store.version()
    _ = try await subject.store.setPinned(true, imageID: 1)
    try await subject.settle()
    let second = try await subject.store.version()

    #expect(first.library.count == 36)
    #expect(unchanged == first)
    #expect(second.library == first.library && second.epoch == first.epoch)
    #expect(second.number > first.number)
    let changes = try await subject.store.changes(after: .beginning, limit: 99)
    #expect(changes.last?.position.number == second.number)
  }

  @Test(arguments: Kind.allCases)
  func `the figures count what is stored of the feeds that are followed`(kind: Kind) async throws {
    let subject = try await subject(kind)
    let wanted = try await subject.store.wanted(.thumbnail, feedID: 1, .all, after: nil, limit: 9)
    try await subject.store.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    _ = try await subject.store.setPinned(true, imageIDs: [1, 2])

    let figures = try await subject.store.figures()
    _ = try await subject.store.removeFeed(id: 1, purging: false)
    let none = try await subject.store.figures()

    #expect(figures.images == 5)
    #expect(figures.thumbnails == 1)
    #expect(figures.waitingThumbnails == 4)
    #expect(figures.originals == 0)
    #expect(figures.pins == 2)
    #expect(none.images == 0 && none.thumbnails == 0 && none.waitingThumbnails == 0)
  }

  @Test(arguments: Kind.allCases)
  func `a timeline has the ids of a list, and the months that they are from`(
    kind: Kind
  ) async throws {
    let subject = try await subject(kind)
    typealias Run = Timeline.Run
    let (july, may, january) = (2024 * 12 + 6, 2024 * 12 + 4, 2023 * 12)

    let newest = try await subject.store.timeline(matching: ImageQuery())
    let oldest = try await subject.store.timeline(matching: ImageQuery(order: .oldest, limit: 2))
    let part = try await subject.store.timeline(matching: ImageQuery(limit: 2, offset: 1))
    let added = try await subject.store.timeline(matching: ImageQuery(order: .added))
    let title = try await subject.store.timeline(matching: ImageQuery(order: .title))
    let found = try await subject.store.timeline(matching: ImageQuery(search: "mars"))

    #expect(newest.ids == [4, 5, 1, 2, 3])
    #expect(
      newest.runs == [
        Run(month: july, count: 2), Run(month: may, count: 2), Run(month: january, count: 1),
      ]
    )
    #expect(oldest.ids == [3, 2])
    #expect(oldest.runs == [Run(month: january, count: 1), Run(month: may, count: 1)])
    #expect(part.ids == [5, 1])
    #expect(added.runs == [Run(month: july, count: 5)])
    #expect(title.ids == [2, 1, 4, 3, 5])
    #expect(title.runs == [Run(month: nil, count: 5)])
    #expect(found == Timeline())
  }

  @Test(
    arguments: [
      (0, 1970 * 12), (-1, 1969 * 12 + 11), (951_782_400, 2000 * 12 + 1),
      (951_868_800, 2000 * 12 + 2), (-62_167_219_200, 0), (4_107_542_400, 2100 * 12 + 2),
      (4_107_542_399, 2100 * 12 + 1), (1_735_689_599, 2024 * 12 + 11),
    ] as [(Int64, Int)]
  )
  func `a second is in its month`(second: Int64, month: Int) {
    #expect(Timeline.month(ofSecond: second) == month)
  }

  @Test(arguments: Kind.allCases)
  func `tiles come in the order of their ids, and say what is stored and pinned`(
    kind: Kind
  ) async throws {
    let subject = try await subject(kind)
    let wanted = try await subject.wanted(.thumbnail)
    try await subject.store.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)

    _ = try await subject.store.setPinned(true, imageIDs: [2, 3])
    _ = try await subject.store.setPinned(false, imageIDs: [3])

    let tiles = try await subject.store.tiles(ids: [3, 9, 1, 2, 5])

    #expect(tiles.map(\.id) == [3, 1, 2, 5])
    #expect(tiles.map(\.name) == ["Only a caption", "Delta", "beta", nil])
    #expect(tiles.map(\.aspectRatio) == [nil, 1.6, nil, nil])
    #expect(tiles.map(\.thumbnail) == [nil, PictureInfo.sample.hash, nil, nil])
    #expect(tiles.map(\.isOriginalStored) == [false, false, false, false])
    #expect(tiles.map(\.isPinned) == [false, false, true, false])
  }

  @Test(arguments: Kind.allCases)
  func `a thumbnail is found by its hash while its feed is followed`(kind: Kind) async throws {
    let subject = try await subject(kind)
    let wanted = try await subject.wanted(.thumbnail)
    try await subject.store.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    let hash = try #require(try await subject.store.image(id: 1)?.thumbnail?.hash)

    let found = try await subject.store.thumbnail(hash)
    let other = try await subject.store.thumbnail(SHA256Digest(words: SIMD4(1, 2, 3, 4)))
    let several = try await subject.store.thumbnails([
      hash, SHA256Digest(words: SIMD4(1, 2, 3, 4)), hash,
    ])
    let original = try await subject.store.original(hash)
    _ = try await subject.store.removeFeed(id: 1, purging: false)

    #expect(found == Workers.PictureBytes(bytes: [1, 2, 3], format: .jpeg))
    #expect(other == nil)
    #expect(several.map(\.bytes) == [[1, 2, 3], [1, 2, 3]])
    #expect(original == nil)
    #expect(try await subject.store.thumbnail(hash) == nil)
    #expect(try await subject.store.tiles(ids: [1]) == [])
    #expect(try await subject.store.cursor(behind: 1, in: .newest) == nil)
  }

  @Test(arguments: Kind.allCases, ImageQuery.Order.allCases)
  func `pages that follow one another make the whole list`(
    kind: Kind,
    order: ImageQuery.Order
  ) async throws {
    if order == .random { return }
    let subject = try await subject(kind)
    for feedID in [nil, 1] as [Int64?] {
      var query = ImageQuery(order: order, feedID: feedID)
      let whole = try await subject.store.imageIDs(matching: query)
      query.limit = 2
      var read: [Int64] = []
      while true {
        let page = try await subject.store.imageIDs(matching: query)
        read += page
        guard let last = page.last else { break }
        query.after = try await subject.store.cursor(behind: last, in: order)
      }
      query.after = try await subject.store.cursor(behind: whole[0], in: order)
      query.offset = 1

      #expect(read == whole)
      #expect(whole.count == 5)
      #expect(try await subject.store.imageIDs(matching: query) == Array(whole[2..<4]))
      query.limit = .max
      #expect(try await subject.store.imageIDs(matching: query) == Array(whole[2...]))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a position holds when its image has been removed, and filters apply behind it`(
    kind: Kind
  ) async throws {
    let subject = try await subject(kind)
    let after = try await subject.store.cursor(behind: 4, in: .newest)

    let found = ImageQuery(search: "delta", after: after)
    let late = ImageQuery(since: Self.date(1_700_000_000), after: after)

    #expect(try await subject.store.imageIDs(matching: found) == [1])
    #expect(try await subject.store.imageIDs(matching: late) == [5, 1, 2])
    #expect(try await subject.store.cursor(behind: 99, in: .newest) == nil)
  }

  // MARK: Colours

  private static let grid = (0..<36).map { UInt8($0) }

  @Test(arguments: Kind.allCases)
  func `thumbnails wait for their colours, those of the newest images first`(
    kind: Kind
  ) async throws {
    let subject = try Subject(kind)
    try await subject.sync(
      [
        .sample("old", id: "old", thumbnail: "oldt", published: Self.date(1_672_531_200)),
        .sample("new", id: "new", thumbnail: "newt", published: Self.date(1_715_000_000)),
      ],
      now: Self.now
    )
    #expect(try await subject.store.thumbnailsWithoutColours(limit: 9) == [])
    let pictures = try await subject.wanted(.thumbnail)
    let new = pictures.map { FetchedThumbnail.sample($0, bytes: [UInt8($0.imageID)]) }
    try await subject.store.store(PictureBatch(new: new), .thumbnail)
    let hashes = try await subject.images(ImageQuery()).compactMap(\.thumbnail?.hash)
    try await subject.settle()
    let version = try await subject.store.version()

    #expect(hashes.count == 2)
    #expect(try await subject.store.thumbnailsWithoutColours(limit: 9) == hashes)
    #expect(try await subject.store.thumbnailsWithoutColours(limit: 1) == [hashes[0]])
    #expect(try await subject.store.tiles(ids: [2, 1]).map(\.colours) == [nil, nil])

    try await subject.store.store(colours: [hashes[0]: Self.grid, hashes[1]: []])

    #expect(try await subject.store.thumbnailsWithoutColours(limit: 9) == [])
    #expect(try await subject.store.tiles(ids: [2, 1]).map(\.colours) == [Self.grid, []])
    #expect(try await subject.store.version() == version)
  }

  @Test(arguments: Kind.allCases)
  func `a thumbnail that is stored again has no colours yet`(kind: Kind) async throws {
    let subject = try await subject(kind)
    let picture = try #require(try await subject.wanted(.thumbnail).first)
    let (old, new) = ([1], [2]) as ([UInt8], [UInt8])
    try await subject.store.store(
      PictureBatch(new: [.sample(picture, bytes: old)]),
      .thumbnail
    )
    let hash = try #require(try await subject.store.thumbnailsWithoutColours(limit: 9).first)
    try await subject.store.store(colours: [hash: Self.grid])

    try await subject.store.store(
      PictureBatch(changed: [.sample(picture, bytes: new)]),
      .thumbnail
    )
    // The colours of the old thumbnail arrive after the new thumbnail.
    try await subject.store.store(colours: [hash: Self.grid])

    #expect(try await subject.store.tiles(ids: [picture.imageID]).map(\.colours) == [nil])
    #expect(try await subject.store.thumbnailsWithoutColours(limit: 9) != [hash])
    _ = try await subject.store.removeFeed(id: 1, purging: false)
    #expect(try await subject.store.thumbnailsWithoutColours(limit: 9) == [])
  }
}
