import FoundationEssentials
import LibraryFiles
import Models
import SQLiteCache
import Store
import Sync
import TestSupport
import Testing
import Workers

/// Thumbnails that a sync makes from originals, in a library that keeps only some originals.
@Suite(.timeLimit(.minutes(60)))
struct BoundedThumbnailTests {
  private static let picture = PictureBytes.longJPEG(10_000)

  /// One of several pictures of the same length.
  private static func picture(_ number: Int) -> [UInt8] {
    var bytes = picture
    bytes[bytes.count / 2] = UInt8(number % 0x80)
    return bytes
  }

  /// A feed of stored images without thumbnails, whose originals are different pictures, or have one reply; one may be
  /// lacking.
  private func bench(
    _ names: [String],
    _ bounds: StorageBounds,
    reply: FakeReply? = nil,
    lacking: String? = nil
  ) -> SyncBench {
    var replies: [WebAddress: FakeReply] = [.feed: FakeReply(status: 304)]
    for (number, name) in names.enumerated() {
      var picture = FakeReply.picture(Self.picture(number))
      (picture.validators, picture.freshSeconds) = (OriginalBench.strong, 3_600)
      replies[.original(name)] = reply ?? picture
    }
    if let lacking { replies[.original(lacking)] = FakeReply(status: 404) }
    let store = FaultyLibrary(bounds: bounds)
    let bench = SyncBench(replies, store: store, imaging: FakeImaging())
    // An image that is dated after the present counts as one of the present, whose originals take the place of others.
    let published = Date(timeIntervalSince1970: 1_700_000_000)
    _ = bench.know(
      images: names.map { FeedImage(published: published, originalAddress: .original($0)) }
    )
    return bench
  }

  /// The bounds for so many originals and a half.
  private static func room(for originals: Int) -> StorageBounds {
    StorageBounds(keep: (2 * originals + 1) * picture.count / 2)
  }

  /// The number of files in a folder of the library.
  private func files(in folder: String, of bench: SyncBench) throws -> Int {
    try FileSystem.names(inFolder: "\(bench.store.path)/\(folder)").count
  }

  private func stored(_ ids: ClosedRange<Int64>, in bench: SyncBench) async throws -> [Int64] {
    var stored: [Int64] = []
    for id in ids where try await bench.store.library.original(imageID: id) != nil {
      stored.append(id)
    }
    return stored
  }

  @Test func `originals for thumbnails take no stored one's place`() async throws {
    let first = bench(["a", "b"], Self.room(for: 2))
    _ = await first.summaries(.everything)
    let before = try await stored(1...2, in: first)
    first.store.keep(
      Feed(
        id: 8,
        address: .sample("other"),
        imageCount: 3,
        documentImageCount: 3,
        status: .updated,
        validators: SyncBench.validators
      ),
      images: ["c", "d", "e"].map { FeedImage(originalAddress: .original($0)) }
    )
    var replies = [WebAddress.sample("other"): FakeReply(status: 304)]
    for (number, name) in ["c", "d", "e"].enumerated() {
      replies[.original(name)] = FakeReply.picture(Self.picture(number + 2))
    }
    let second = SyncBench(replies, store: first.store, imaging: FakeImaging())

    let summaries = await second.summaries(SyncPlan(feeds: [.sample("other")]))

    #expect(before == [1, 2])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 3)])
    #expect(try await stored(1...5, in: second) == [1, 2])
    #expect(try files(in: "partial", of: second) == 0)
  }

  @Test func `an original larger than the bound gives its thumbnail, once`() async throws {
    let bench = bench(["moon"], StorageBounds(keep: Self.picture.count / 2))

    let facts = await bench.facts()
    let again = await bench.summaries()

    #expect(facts.problems == [] && facts.notices == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(again.map(\.thumbnails) == [TransferCounts()])
    #expect(bench.network.addresses == [.feed, .original("moon"), .feed])
    #expect(try await stored(1...1, in: bench) == [])
    #expect(try files(in: "partial", of: bench) == 0)
  }

  @Test func `those whose originals have no room have thumbnails, too`() async throws {
    let bench = bench(["a", "b", "c", "d"], Self.room(for: 2))

    let summaries = await bench.summaries(.everything)

    #expect(summaries.map(\.originals) == [TransferCounts(stored: 2, waiting: 2)])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 4)])
    #expect(try await stored(1...4, in: bench).count == 2)
  }

  @Test func `one larger than the bound does so although all are to be kept`() async throws {
    let bench = bench(["moon"], StorageBounds(keep: Self.picture.count / 2))

    let facts = await bench.facts(.everything)

    #expect(facts.summaries.map(\.originals) == [TransferCounts(waiting: 1)])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(try await stored(1...1, in: bench) == [])
  }

  @Test func `one that cannot be had is asked for once`() async {
    let bench = bench(["gone", "moon"], StorageBounds(keep: 1), lacking: "gone")

    let facts = await bench.facts(.everything)

    #expect(facts.problems.map(\.address) == [.original("gone")])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1, waiting: 1)])
    let requests = bench.network.addresses.filter { $0 == .original("gone") }
    #expect(requests.count == 1)
  }

  @Test func `a disk without room is told once, and is not asked for each of many`() async {
    let names = (1...60).map { "moon\($0)" }
    let bench = bench(names, StorageBounds(keepFree: 1 << 60))

    let facts = await bench.facts()

    let reasons = facts.notices.map { notice -> StoreError.Reason? in
      if case .bounded(let error) = notice { error.reason } else { nil }
    }
    #expect(reasons == [.noFreeRoom(keepFree: 1 << 60)])
    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(waiting: 60)])
    // Those that are requested at once, and each of them once more by itself.
    #expect(bench.network.addresses.count <= 33)
  }

  @Test func `a broken transfer leaves nothing where there is no room for it`() async throws {
    let broken = FakeReply.broken(Self.picture, at: 6_000, OriginalBench.strong)
    let full = bench(["moon"], StorageBounds(keep: 5_000), reply: broken)
    let roomy = bench(["moon"], StorageBounds(keep: 50_000), reply: broken)

    for bench in [full, roomy] { _ = await bench.summaries() }

    #expect(try files(in: "partial", of: full) == 0)
    // The file and its note.
    #expect(try files(in: "partial", of: roomy) == 2)
  }
}
