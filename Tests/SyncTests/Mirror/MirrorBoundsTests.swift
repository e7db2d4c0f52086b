import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// The limits of the pages of one gallery, and the length of the transactions that apply them.
struct MirrorBoundsTests {
  private func apply(_ lines: [ChangeLine], to bench: MirrorBench) async throws(Failure) {
    try await bench.copy.take(library: MirrorBench.library)
    try await bench.copy.apply(MirrorPage(lines: lines, cursor: "1.b", hasMore: false))
  }

  @Test(arguments: [
    (" Anna's\n photos ", "Anna's photos"), (nil, "example.org/gallery"),
    (" ", "example.org/gallery"), (String(repeating: "a", count: 1 << 20), "example.org/gallery"),
  ])
  func `a gallery has its title, or the name of its place`(
    title: String?,
    stored: String
  ) async throws {
    let bench = MirrorBench()

    try await bench.copy.take(library: MirrorBench.library, title: title)
    try await bench.copy.apply(MirrorPage(lines: [], cursor: "1.b", hasMore: false))

    #expect(bench.mirrors.titles == [stored])
  }

  @Test func `a gallery of this library is refused`() async throws {
    let bench = MirrorBench()

    await #expect(throws: Failure.fault(.ownLibrary)) { try await bench.copy.take(library: "own") }
    #expect(bench.mirrors.pages.isEmpty)
  }

  @Test(arguments: [410, 304])
  func `images of pages that did not come are not gone`(status: Int) async throws {
    let feed = #"{"seq":9,"op":"put","type":"feed","id":1,"data":{"url":"https://own.example/"}}"#
    let end = #"{"cursor":"1.b","more":true,"library":"\#(MirrorBench.library)"}"#
    var first = FakeReply.document("\(feed)\n\(end)\n")
    first.mediaType = "application/x-ndjson"
    let gallery = MirrorBench.gallery
    let replies = [
      try #require(gallery.treeRoot): FakeReply(status: 403),
      try #require(gallery.changes(behind: "1.a")): FakeReply(status: 410),
      try #require(gallery.changes(behind: nil)): first,
      try #require(gallery.changes(behind: "1.b")): FakeReply(status: status),
    ]
    let images = [MirroredImage(id: 1, number: 1, month: 1)]
    let bench = MirrorBench(
      replies,
      mirrors: RecordingMirrors(.sample(images: 100), images: images)
    )

    #expect(await bench.sync().failure == .fault(.unsteadyTree))
    #expect(bench.mirrors.pages.flatMap(\.lines).map(\.position.kind) == [.feed])
  }

  @Test func `a page is applied in short parts, and the last one stores its cursor`() async throws {
    let bench = MirrorBench()

    let feeds = (1...120).map(ChangeLine.feed)
    try await apply(feeds + (1...100).map { ChangeLine.image($0) }, to: bench)

    #expect(bench.mirrors.pages.map(\.lines.count) == [50, 50, 120])
    #expect(bench.mirrors.pages.map(\.cursor) == [nil, nil, "1.b"])
    #expect(bench.mirrors.pages.map(\.hasMore) == [true, true, false])
  }

  @Test(arguments: [(StoreError.Reason.bounded(bytes: 9), 16), (.tooLarge(bound: 9), 100)])
  func `without room, some originals are asked for, and the rest is counted`(
    reason: StoreError.Reason,
    requests: Int
  ) async throws {
    let originals = (1...100).map { id in
      MirroredOriginal(
        imageID: Int64(id),
        hash: SHA256Digest(of: [UInt8(id)]),
        address: .original("\(id)"),
        gallery: MirrorBench.gallery.base,
        reach: nil
      )
    }
    let fetcher = FakeOriginals(failure: .store(StoreError(reason: reason, path: "", message: "")))
    let client = GalleryClient(
      MirrorBench.gallery,
      reach: .publicOnly,
      bounds: FeedBounds(),
      tools: SyncBench([:], originals: fetcher).tools(),
      progress: SyncProgress()
    )
    let (_, teller) = AsyncStream<SyncFact>.makeStream()
    let pictures = MirroredPictures(
      client: client,
      store: RecordingMirrors(originals: originals),
      shared: SharedSync(SyncPlan(feeds: []), SyncProgress(), teller: teller)
    )
    var (counts, problems) = (TransferCounts(), [SyncProblem]())

    try await pictures.fetchOriginals(&counts, &problems)

    #expect(counts == TransferCounts(waiting: 100))
    #expect(problems == [])
    #expect(fetcher.requests.count == requests)
  }

  @Test func `an original waits for an equal one that is asked for`() async throws {
    let originals = [(1, "b"), (2, "a"), (3, "a")].map { id, content in
      MirroredOriginal(
        imageID: Int64(id),
        hash: SHA256Digest(of: Array(content.utf8)),
        address: .original("\(id)"),
        gallery: MirrorBench.gallery.base,
        reach: nil
      )
    }
    let fetcher = FakeOriginals(failure: .status(404))
    let client = GalleryClient(
      MirrorBench.gallery,
      reach: .publicOnly,
      bounds: FeedBounds(),
      tools: SyncBench([:], originals: fetcher).tools(),
      progress: SyncProgress()
    )
    let (_, teller) = AsyncStream<SyncFact>.makeStream()
    let pictures = MirroredPictures(
      client: client,
      store: RecordingMirrors(originals: originals),
      shared: SharedSync(SyncPlan(feeds: []), SyncProgress(), teller: teller)
    )
    var (counts, problems) = (TransferCounts(), [SyncProblem]())

    try await pictures.fetchOriginals(&counts, &problems)

    #expect(counts.failed == 3)
    #expect(fetcher.requests.count == 3)
    #expect(fetcher.requests.last?.imageID == 2)
  }

  @Test func `long texts make the parts shorter`() async throws {
    let bench = MirrorBench()

    try await apply((1...3).map { ChangeLine.image($0, captionBytes: 2 << 20) }, to: bench)

    #expect(bench.mirrors.pages.map(\.lines.count) == [1, 1, 1])
  }

  @Test func `a gallery of more feeds than it may have is refused`() async throws {
    let bench = MirrorBench()
    let limit = SyncLimits.feedsPerGallery
    let feeds = (1...Int64(limit)).map(ChangeLine.feed)

    try await apply(feeds, to: bench)
    let pages = bench.mirrors.pages
    await #expect(throws: Failure.feed(.beyondLimit(of: "feeds", limit: limit))) {
      try await apply([.feed(Int64(limit) + 1)], to: bench)
    }

    #expect(bench.mirrors.pages == pages)
  }

  @Test(
    arguments: [(600, nil), (1_597, nil), (1_598, .storedBytes(1_000))]
      as [(Int, FeedBounds.Bound?)]
  )
  func `the texts of images count beyond what an image usually has`(
    bytes: Int,
    bound: FeedBounds.Bound?
  ) async throws {
    var bounds = FeedBounds()
    bounds.storedBytes = 1_000
    let bench = MirrorBench(bounds: bounds)

    do throws(Failure) {
      try await apply([.image(1, captionBytes: bytes)], to: bench)
      #expect(bound == nil)
    } catch {
      #expect(error == bound.map { Failure.feed(.beyondBound($0, stored: 1)) })
    }
  }

  @Test func `pages that bring hardly anything end with the limit of documents`() async {
    let image =
      #"{"seq":1,"op":"put","type":"image","id":1,"data":{"feed":1,"position":1,"#
      + #""date":"2026-01-01T00:00:00Z","firstSeen":"2026-01-01T00:00:00Z","#
      + #""originalURL":"https://own.example/a.jpg"}}"#
    var replies: [WebAddress: FakeReply] = [:]
    for (page, next) in zip("abcdefg", "bcdefgh") {
      let end = #"{"cursor":"1.\#(next)","more":true,"library":"\#(MirrorBench.library)"}"#
      guard let address = MirrorBench.gallery.changes(behind: "1.\(page)") else { continue }
      replies[address] = .document(image + "\n", end)
    }
    var bounds = FeedBounds()
    bounds.documents = 2
    let bench = MirrorBench(replies, mirrors: RecordingMirrors(.sample()), bounds: bounds)

    let result = await bench.sync()

    #expect(result.failure == .feed(.beyondBound(.documents(2), stored: 4)))
    #expect(bench.mirrors.pages.count == 4)
  }

  @Test func `a stored cursor that no address can carry is not sent`() async {
    let bench = MirrorBench(mirrors: RecordingMirrors(.sample(cursor: "a/b\r\n")))

    _ = await bench.sync()

    #expect(bench.network.addresses.first == MirrorBench.gallery.treeRoot)
  }
}
