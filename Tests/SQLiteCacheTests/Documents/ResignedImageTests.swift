import FoundationEssentials
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// Images of feeds that sign the addresses of their pictures anew in each document.
@Suite(.onEachStore)
struct ResignedImageTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// An entry whose pictures have these names and signatures.
  private func entry(
    _ name: String,
    _ signature: String,
    id: String? = nil,
    title: String? = nil,
    published: Date? = nil,
    hasThumbnail: Bool = true
  ) -> FeedEntry {
    let image = FeedImage(
      title: title ?? name,
      published: published,
      thumbnailAddress: hasThumbnail ? .picture("t/\(name).png?token=\(signature)t&exp=9") : nil,
      originalAddress: .picture("o/\(name).png?token=\(signature)o&exp=9")
    )
    return FeedEntry(id: id, images: [image])
  }

  /// Stores all pictures of the image 1.
  private func storePictures(from name: String) async throws {
    let orders = try await store.library.wanted(
      .thumbnail,
      feedID: 1,
      .missing,
      after: nil,
      limit: 1
    )
    try await store.library.store(PictureBatch(new: orders.map { .sample($0) }), .thumbnail)
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: name)
  }

  /// The numbers of wanted thumbnails and originals.
  private func wanted() async throws -> [Int] {
    try await [
      store.library.count(of: .thumbnail, feedID: 1, .missing).offered,
      store.library.count(of: .original, feedID: 1, .missing).offered,
    ]
  }

  @Test func `another signature leaves the pictures stored until their check`() async throws {
    try await store.sync([entry("a", "1", id: "e")])
    try await storePictures(from: "o/a.png?token=1o&exp=9")

    let counts = try await store.sync([entry("a", "2", id: "e")])

    #expect(counts == ImageCounts(total: 1))
    #expect(try await wanted() == [0, 0])
    let image = try #require(try await store.images().first)
    #expect(image.originalAddress == .picture("o/a.png?token=2o&exp=9"))
    #expect(image.original == .stored)
    #expect(try await store.library.original(imageID: 1)?.isStale == false)
    for (kind, tag) in [(PictureKind.thumbnail, "\"t\""), (.original, "\"a\"")] {
      let due = try await store.library.due(kind, feedID: 1, PictureFilter(now: .second))
      let check = try #require(try await store.library.checks(kind, imageIDs: due).first)
      #expect(check.address.text.contains("token=2"))
      #expect(check.held?.entityTag == tag)
    }
    try store.checkIndexes()
  }

  @Test func `a picture that has failed is held back under its next signature`() async throws {
    try await store.sync([entry("a", "1", id: "e")])
    for (kind, name) in [
      (PictureKind.thumbnail, "t/a.png?token=1t"), (.original, "o/a.png?token=1o"),
    ] {
      let failed = FailedPicture(
        imageID: 1,
        address: .picture("\(name)&exp=9"),
        failureClass: .permanent,
        reason: "it is not there",
        failed: .first
      )
      try await store.library.store(PictureBatch(failed: [failed]), kind)
    }

    try await store.sync([entry("a", "2", id: "e")])
    #expect(try await wanted() == [0, 0])
    #expect(try await store.images().first?.failures.count == 2)

    try await store.sync([entry("b", "3", id: "e")])
    #expect(try await wanted() == [1, 1])
  }

  @Test func `an original that arrives under an older signature is right`() async throws {
    try await store.sync([entry("a", "1", id: "e")])
    try await store.sync([entry("a", "2", id: "e")])

    try await store.storeOriginal([1], imageID: 1, from: "o/a.png?token=1o&exp=9")

    #expect(try await store.library.original(imageID: 1)?.isStale == false)
  }

  @Test func `a change beside the signature counts, and another name is another picture`()
    async throws
  {
    try await store.sync([entry("a", "1", id: "e")])
    try await storePictures(from: "o/a.png?token=1o&exp=9")

    let titled = try await store.sync([entry("a", "2", id: "e", title: "A")])
    #expect(titled == ImageCounts(total: 1, changed: 1))
    #expect(try await wanted() == [0, 0])

    let renamed = try await store.sync([entry("b", "3", id: "e", title: "A")])
    #expect(renamed == ImageCounts(total: 1, changed: 1))
    #expect(try await wanted() == [1, 1])
  }

  @Test func `a new date asks the servers at once`() async throws {
    try await store.sync([entry("a", "1", id: "e", published: .first)])
    try await storePictures(from: "o/a.png?token=1o&exp=9")

    try await store.sync([entry("a", "2", id: "e", published: .second)])

    let filter = PictureFilter(now: .first)
    #expect(try await wanted() == [0, 0])
    #expect(try await store.library.due(.thumbnail, feedID: 1, filter) == [1])
    #expect(try await store.library.due(.original, feedID: 1, filter) == [1])
  }

  @Test(arguments: [(19_000, 19_000, true), (19_000, 19_001, false), (nil, nil, false)])
  func `a signature in the path needs the same name and length`(
    _ before: Int?,
    _ after: Int?,
    _ isSame: Bool
  ) async throws {
    func entry(_ signature: String, _ bytes: Int?) -> FeedEntry {
      let image = FeedImage(
        thumbnailAddress: .picture("v3/\(signature)/t/1.png"),
        originalAddress: .picture("v3/\(signature)/o/1.png"),
        bytes: bytes
      )
      return FeedEntry(id: "rec1", images: [image])
    }
    try await store.sync([entry("17000sigA", before)])
    try await storePictures(from: "v3/17000sigA/o/1.png")

    let counts = try await store.sync([entry("17001sigB", after)])

    #expect(counts.changed == (isSame ? 0 : 1))
    #expect(try await wanted() == (isSame ? [0, 0] : [1, 1]))
  }

  // MARK: Without ids

  @Test(arguments: [true, false])
  func `a feed without ids keeps its images when it signs anew`(_ hasThumbnail: Bool) async throws {
    func entries(_ signature: String) -> [FeedEntry] {
      ["a", "b", "c"].map { entry($0, $0 + signature, hasThumbnail: hasThumbnail) }
    }
    try await store.sync(entries("1"))
    if hasThumbnail { try await storePictures(from: "o/a.png?token=a1o&exp=9") }

    for signature in ["2", "3"] {
      let counts = try await store.sync(entries(signature))
      #expect(counts == ImageCounts(total: 3))
    }
    let more = try await store.sync([entry("new", "4", hasThumbnail: hasThumbnail)] + entries("4"))

    #expect(more == ImageCounts(total: 4, new: 1))
    #expect(try await store.images().map(\.id) == [4, 1, 2, 3])
    if hasThumbnail { #expect(try await wanted() == [3, 3]) }
    try store.checkIndexes()
  }

  @Test func `without ids, the same file in a post of another date or title is another image`()
    async throws
  {
    try await store.sync([entry("a", "1", title: "A", published: .first)])
    let dated = try await store.sync([entry("a", "2", title: "A", published: .second)])
    try await store.sync([entry("b", "1", title: "B")])
    let titled = try await store.sync([entry("b", "2", title: "C")])

    #expect([dated, titled] == [ImageCounts(total: 1, new: 1), ImageCounts(total: 1, new: 1)])
  }

  @Test func `without ids, pictures of one program are told apart by their parameters`()
    async throws
  {
    func entry(_ id: Int, _ signature: Int) -> FeedEntry {
      .sample("photo.php?id=\(id)&exp=\(signature)", title: "Photo")
    }
    try await store.sync([entry(1, 1), entry(2, 1)])

    let next = try await store.sync([entry(3, 2), entry(2, 2)])

    #expect(next == ImageCounts(total: 2, new: 1))
    #expect(Set(try await store.images().map(\.id)) == [1, 2, 3])
  }

  @Test(arguments: [
    ("comic.php?c=2954", "comic.php?c=2955"),
    (
      "render?hash=0123456789abcdef0123456789abcdef", "render?hash=fedcba9876543210fedcba9876543210"
    ),
    ("render?r=1&is=1", "render?r=2&is=1"),
  ])
  func `without ids and titles, what looks like a signature may tell pictures apart`(
    _ yesterday: String,
    _ today: String
  ) async throws {
    try await store.sync([.sample(yesterday)])

    let counts = try await store.sync([.sample(today)])

    #expect(counts == ImageCounts(total: 1, new: 1))
    #expect(Set(try await store.names()) == [yesterday, today])
  }

  @Test func `without ids, an image of an older library is found by its thumbnail`() async throws {
    let name = "t.jpg?token=1"
    try await store.sync([.sample("a", thumbnail: name)])
    // Such a library has the hash of the whole address.
    let hash = DocumentImage.hash(ofAddress: WebAddress.picture(name).text)
    let seal = StoreKind.current == .sqlite ? ", row_checksum = NULL" : ""
    try store.execute("UPDATE image SET thumbnail_hash = \(hash)\(seal)")

    let counts = try await store.sync([.sample("b", thumbnail: name)])

    #expect(counts == ImageCounts(total: 1, changed: 1))
  }

  @Test func `a dry run counts as the sync does`() async throws {
    try await store.sync([entry("a", "1"), entry("b", "1", id: "e")])
    let writer = store.store.trialWriter(forFeedAt: .feed)

    try await writer.append([entry("a", "2"), entry("b", "2", id: "e")])
    let document = FeedDocument(format: .rss)
    let end = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)

    #expect(end.counts == ImageCounts(total: 2))
    #expect(writer.wanted == WantedCounts())
  }
}
