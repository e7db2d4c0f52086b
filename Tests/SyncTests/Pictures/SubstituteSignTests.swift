import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

/// Hosts that send a sign in place of their pictures to requests without a `Referer` field.
@Suite(.timeLimit(.minutes(60)))
struct SubstituteSignTests {
  private let sign = TestPicture.jpeg(width: 64, height: 64)

  private func photo(_ name: String) -> [UInt8] {
    TestPicture.jpeg(width: 320, height: 200) + Array(name.utf8)
  }

  /// A picture that comes only with a field; without a field, a sign comes.
  private func reply(_ name: String, with referer: PictureReferer?) -> FakeReply {
    var reply = FakeReply.picture(sign)
    if let referer { reply.withReferers[referer] = .picture(photo(name)) }
    return reply
  }

  private func bench(
    _ replies: [WebAddress: FakeReply],
    _ names: [String] = ["a", "b", "c"],
    isNamed: Bool = true,
    hasPages: Bool = true
  ) -> SyncBench {
    var all = replies
    all[.feed] = FakeReply(status: 304)
    let bench = SyncBench(all, imaging: isNamed ? nil : FakeImaging())
    _ = bench.know(
      images: names.map { name in
        FeedImage(
          pageAddress: hasPages ? .page(name) : nil,
          thumbnailAddress: isNamed ? .thumbnail(name) : nil,
          originalAddress: .original(name)
        )
      }
    )
    return bench
  }

  private func thumbnails(_ bench: SyncBench) async throws -> [[UInt8]?] {
    var bytes: [[UInt8]?] = []
    for id: Int64 in 1...3 { bytes.append(try await bench.store.thumbnailBytes(imageID: id)) }
    return bytes
  }

  @Test(arguments: PictureReferer.allCases)
  func `stores the pictures behind a sign, also behind the one that came first`(
    referer: PictureReferer
  ) async throws {
    let names = ["a", "b", "c"]
    let replies = names.map { (WebAddress.thumbnail($0), reply($0, with: referer)) }
    let bench = bench(Dictionary(uniqueKeysWithValues: replies))

    _ = await bench.facts()

    #expect(try await thumbnails(bench) == names.map(photo))
    #expect(try await bench.store.feed(at: .feed)?.pictureReferer == referer)
  }

  @Test func `begins with the field in later syncs`() async throws {
    let replies = ["a", "b", "c"].map { (WebAddress.thumbnail($0), reply($0, with: .own)) }
    let bench = bench(Dictionary(uniqueKeysWithValues: replies))
    let feed = try #require(try await bench.store.feed(at: .feed))
    try await bench.store.set(.own, ofFeed: feed.id)

    _ = await bench.facts()

    let pictures = bench.network.requests.filter { $0.address != .feed }
    #expect(pictures.map(\.referer) == [.own, .own, .own])
    #expect(try await thumbnails(bench) == ["a", "b", "c"].map(photo))
  }

  @Test func `keeps one picture that has several addresses, and asks about it once`() async throws {
    let replies = ["a", "b", "c"].map { (WebAddress.thumbnail($0), reply($0, with: nil)) }
    let bench = bench(Dictionary(uniqueKeysWithValues: replies))

    _ = await bench.facts()

    #expect(try await thumbnails(bench) == [sign, sign, sign])
    #expect(try await bench.store.feed(at: .feed)?.pictureReferer == nil)
    let asked = bench.network.requests.compactMap(\.referer)
    #expect(asked.count <= 2 * PictureReferer.allCases.count)
    #expect(!asked.isEmpty)
  }

  @Test func `asks no host about pictures that differ, or that no page shows`() async throws {
    let different = ["a", "b", "c"].map { (WebAddress.thumbnail($0), FakeReply.picture(photo($0))) }
    let same = ["a", "b", "c"].map { (WebAddress.thumbnail($0), reply($0, with: .own)) }
    let one = bench(Dictionary(uniqueKeysWithValues: different))
    let other = bench(Dictionary(uniqueKeysWithValues: same), hasPages: false)

    _ = await one.facts()
    _ = await other.facts()

    #expect(one.network.requests.allSatisfy { $0.referer == nil })
    #expect(other.network.requests.allSatisfy { $0.referer == nil })
  }

  private func originals(_ bench: SyncBench) async throws -> [String?] {
    var hashes: [String?] = []
    for id: Int64 in 1...3 {
      hashes.append(try await bench.store.original(imageID: id)?.sha256)
    }
    return hashes
  }

  private func hash(_ bytes: [UInt8]) -> String { SHA256Digest(of: bytes).hexadecimal }

  /// Syncs with all originals, and returns the summary.
  private func keepOriginals(_ bench: SyncBench) async throws -> FeedSyncSummary {
    let plan = SyncPlan(feeds: [.feed], fetchesOriginals: true)
    return try #require(await bench.summaries(plan).first)
  }

  @Test(arguments: PictureReferer.allCases)
  func `keeps the originals behind a sign, also behind the one that came first`(
    referer: PictureReferer
  ) async throws {
    let names = ["a", "b", "c"]
    var replies: [WebAddress: FakeReply] = [:]
    for name in names {
      replies[.original(name)] = reply(name, with: referer)
      replies[.thumbnail(name)] = .picture(TestPicture.jpeg(width: 200, height: 100) + name.utf8)
    }
    let bench = bench(replies)

    let summary = try await keepOriginals(bench)

    #expect(try await originals(bench) == names.map { hash(photo($0)) })
    #expect(summary.originals.stored == 3 && summary.originals.failed == 0)
    #expect(summary.problems == [])
    #expect(try await bench.store.feed(at: .feed)?.pictureReferer == referer)
  }

  @Test func `makes no thumbnail from an original that is a sign`() async throws {
    let names = ["a", "b", "c"]
    let replies = names.map { (WebAddress.original($0), reply($0, with: .page)) }
    let bench = bench(Dictionary(uniqueKeysWithValues: replies), isNamed: false)

    _ = try await keepOriginals(bench)

    #expect(try await originals(bench) == names.map { hash(photo($0)) })
    for (id, name) in zip([1, 2, 3] as [Int64], names) {
      #expect(try await bench.store.thumbnailSource(imageID: id) == hash(photo(name)))
    }
  }

  @Test func `keeps an original that has several addresses`() async throws {
    let replies = ["a", "b", "c"].map { (WebAddress.original($0), reply($0, with: nil)) }
    let bench = bench(Dictionary(uniqueKeysWithValues: replies), isNamed: false)

    _ = try await keepOriginals(bench)

    #expect(try await originals(bench) == [hash(sign), hash(sign), hash(sign)])
    #expect(try await bench.store.feed(at: .feed)?.pictureReferer == nil)
  }

  @Test func `keeps an original when a request with the field gives a smaller picture`()
    async throws
  {
    // The host refuses the field, so the sign comes with it, and the picture without.
    let picture = photo("shared")
    var refused = FakeReply.picture(picture)
    for referer in PictureReferer.allCases { refused.withReferers[referer] = .picture(sign) }
    let replies = ["a", "b", "c"].map { (WebAddress.original($0), refused) }
    let bench = bench(Dictionary(uniqueKeysWithValues: replies), isNamed: false)

    _ = try await keepOriginals(bench)

    #expect(try await originals(bench) == Array(repeating: hash(picture), count: 3))
    #expect(try await bench.store.successors(imageID: 2) == [])
    #expect(try await bench.store.feed(at: .feed)?.pictureReferer == nil)
  }

  @Test func `finds a sign among originals from which thumbnails are made`() async throws {
    let replies = ["a", "b", "c"].map { (WebAddress.original($0), reply($0, with: .page)) }
    let bench = bench(Dictionary(uniqueKeysWithValues: replies), isNamed: false)

    _ = await bench.facts()

    #expect(try await bench.store.feed(at: .feed)?.pictureReferer == .page)
    var sources: Set<String?> = []
    for id: Int64 in 1...3 { sources.insert(try await bench.store.thumbnailSource(imageID: id)) }
    #expect(sources.count == 3)
  }
}
