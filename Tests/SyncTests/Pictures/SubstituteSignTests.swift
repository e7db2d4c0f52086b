import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

/// Hosts that send a sign in place of their pictures to requests without a `Referer` field.
@Suite(.timeLimit(.minutes(10)))
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
