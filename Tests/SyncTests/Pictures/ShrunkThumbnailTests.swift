import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

/// Thumbnails that a feed names, and that are larger than necessary.
struct ShrunkThumbnailTests {
  private let clock = Clock()

  /// A JPEG that comments make as long as wanted (ITU-T T.81, section B.2.4.5).
  private static func jpeg(commentBytes: Int) -> [UInt8] {
    let length = [UInt8(commentBytes >> 8), UInt8(commentBytes & 0xFF)]
    let comment = [0xFF, 0xFE] + length + [UInt8](repeating: 0x20, count: commentBytes - 2)
    return PictureBytes.jpeg.prefix(2)
      + [[UInt8]](repeating: comment, count: 4).flatMap { $0 } + PictureBytes.jpeg.dropFirst(2)
  }

  private let large = jpeg(commentBytes: 60_000)
  private let small = jpeg(commentBytes: 40_000)

  private func bench(
    _ bytes: [UInt8],
    imaging: FakeImaging = FakeImaging(),
    store: FaultyLibrary = FaultyLibrary()
  ) -> SyncBench {
    SyncBench(
      [.feed: .document("moon"), .thumbnail("moon"): .picture(bytes)],
      store: store,
      clock: clock,
      imaging: imaging
    )
  }

  @Test func `a thumbnail of many bytes is made smaller, a small one is stored as it came`() async {
    let imaging = FakeImaging()
    let bench = bench(large, imaging: imaging)
    let other = self.bench(small, imaging: imaging)

    _ = await bench.facts()
    _ = await other.facts()

    #expect(imaging.decoded == [.bytes(large)])
    #expect(bench.store.thumbnails.map(\.bytes) == [FakeImaging.bytes])
    #expect(bench.store.thumbnails.map(\.sourceSHA256) == [SHA256Digest(of: large).hexadecimal])
    #expect(other.store.thumbnails.map(\.bytes) == [small])
    #expect(other.store.thumbnails.map(\.sourceSHA256) == [nil])
  }

  @Test func `one that lacks only its end marker is made whole`() async {
    let imaging = FakeImaging()
    let bench = bench(PictureBytes.jpeg.dropLast(2), imaging: imaging)

    let facts = await bench.facts()

    #expect(facts.problems == [])
    #expect(imaging.decoded == [.bytes(PictureBytes.jpeg.dropLast(2))])
    #expect(bench.store.thumbnails.map(\.bytes) == [FakeImaging.bytes])
  }

  @Test(arguments: [
    (Array(PictureBytes.jpeg.dropLast(2)), FakeImaging(isReady: false)),
    (Array(PictureBytes.jpeg.dropLast(19)), FakeImaging()),
  ])
  func `one that lacks more, or that nothing here decodes, is not stored`(
    bytes: [UInt8],
    imaging: FakeImaging
  ) async {
    let bench = bench(bytes, imaging: imaging)

    let facts = await bench.facts()

    #expect(facts.problems.map(\.failure) == [.cutPicture(.jpeg)])
    #expect(bench.store.thumbnails == [])
  }

  @Test func `the same bytes once more are not news`() async {
    let first = bench(large)
    _ = await first.facts()
    clock.go(1)
    let imaging = FakeImaging()
    let second = bench(large, imaging: imaging, store: first.store)

    let summaries = await second.summaries()

    #expect(imaging.decoded == [])
    #expect(second.network.addresses == [.feed, .thumbnail("moon")])
    #expect(summaries.map(\.thumbnails) == [TransferCounts()])
  }

  @Test func `one that cannot be decoded is a failure`() async {
    let bench = bench(large, imaging: FakeImaging(failure: .undecodable(message: "no")))

    let facts = await bench.facts()

    // It is to be made from the original instead, which cannot be decoded either.
    #expect(facts.problems.map(\.subject) == [.thumbnail, .madeThumbnail])
    let failure = Failure.imaging(.undecodable(message: "no"))
    #expect(facts.problems.map(\.failure) == [failure, failure])
    #expect(bench.store.failed(.thumbnail).map(\.picture.failureClass) == [.permanent])
    #expect(bench.store.thumbnails == [])
  }

  @Test(arguments: [FakeImaging(isReady: false), FakeImaging(failure: .unsupported(.svg))])
  func `one that nothing here decodes is stored as it came`(imaging: FakeImaging) async {
    let bench = bench(large, imaging: imaging)

    let facts = await bench.facts()

    #expect(facts.problems == [])
    #expect(bench.store.thumbnails.map(\.bytes) == [large])
    #expect(bench.store.thumbnails.map(\.sourceSHA256) == [nil])
  }

  // MARK: Places

  @Test(arguments: PlaceSamples.all)
  func `one that tells a place is stored without it, and with the same pixels`(
    name: String,
    bytes: [UInt8],
    pixels: [UInt8]
  ) async throws {
    let imaging = FakeImaging()
    let first = bench(bytes, imaging: imaging)

    let facts = await first.facts()
    clock.go(1)
    let second = bench(bytes, imaging: imaging, store: first.store)
    let summaries = await second.summaries()

    #expect(facts.problems == [])
    let stored = try #require(first.store.thumbnails.first)
    #expect(!PlaceSamples.tell(stored.bytes))
    #expect(stored.bytes.count == bytes.count && stored.info.bytes == bytes.count)
    #expect(stored.bytes.firstRange(of: pixels) == bytes.firstRange(of: pixels))
    #expect(stored.sourceSHA256 == SHA256Digest(of: bytes).hexadecimal)
    #expect(imaging.decoded == [])
    // The same bytes once more are not news.
    #expect(summaries.map(\.thumbnails) == [TransferCounts()])
    #expect(second.store.thumbnails.map(\.bytes) == [stored.bytes])
  }

  @Test func `one whose place cannot be removed is drawn`() async {
    let imaging = FakeImaging()
    let bench = bench(PlaceSamples.strangePNG, imaging: imaging)

    let facts = await bench.facts()

    #expect(facts.problems == [])
    #expect(imaging.decoded == [.bytes(PlaceSamples.strangePNG)])
    #expect(bench.store.thumbnails.map(\.bytes) == [FakeImaging.bytes])
  }

  @Test(arguments: [ImagingError.unsupported(.png), .undecodable(message: "no")])
  func `one whose place cannot be removed, and that nothing here draws, is not stored`(
    error: ImagingError
  ) async {
    let bench = bench(PlaceSamples.strangePNG, imaging: FakeImaging(failure: error))

    let facts = await bench.facts()

    #expect(facts.problems.first?.failure == .imaging(error))
    #expect(bench.store.thumbnails == [])
  }
}
