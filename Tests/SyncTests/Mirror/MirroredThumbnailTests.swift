import Models
import SQLiteCache
import Store
import TestSupport
import Testing
import Workers

@testable import Sync

/// Thumbnails of another gallery: those that are larger than necessary, and repairs.
struct MirroredThumbnailTests {
  /// A JPEG that comments make as long as wanted (ITU-T T.81, section B.2.4.5).
  private static func jpeg(comments: Int) -> [UInt8] {
    let comment = [0xFF, 0xFE, 0xEA, 0x60] + [UInt8](repeating: 0x20, count: 0xEA60 - 2)
    return PictureBytes.jpeg.prefix(2)
      + [[UInt8]](repeating: comment, count: comments).flatMap { $0 }
      + PictureBytes.jpeg.dropFirst(2)
  }

  private let large = jpeg(comments: 4)
  private let small = jpeg(comments: 1)

  /// Takes pictures as the thumbnails of images 1, 2 …, and stores them.
  private func keep(
    _ pictures: [UInt8]...,
    imaging: FakeImaging
  ) async throws -> (keeper: MirroredThumbnails, store: FaultyLibrary) {
    let bench = SyncBench([:], imaging: imaging)
    _ = bench.know("moon", "sun")
    var tools = bench.tools()
    tools.sha256 = { SHA256Digest(of: $0).hexadecimal }
    var keeper = MirroredThumbnails(tools, SyncProgress())
    for (id, bytes) in zip([1, 2] as [Int64], pictures) {
      let thumbnail = MirroredThumbnail(
        imageID: id,
        hash: SHA256Digest(of: bytes),
        bytes: bytes.count,
        pack: nil,
        address: .thumbnail(id == 1 ? "moon" : "sun"),
        isMade: false
      )
      #expect(try await keeper.take(bytes, of: thumbnail))
    }
    try await keeper.store()
    return (keeper, bench.store)
  }

  @Test func `a large one is made smaller, a small one is stored as it came`() async throws {
    let imaging = FakeImaging()

    let (keeper, store) = try await keep(large, small, imaging: imaging)

    #expect(keeper.stored == 2 && keeper.problems.isEmpty)
    #expect(imaging.decoded == [.bytes(large)])
    #expect(store.thumbnails.map(\.bytes) == [FakeImaging.bytes, small])
    let hash = SHA256Digest(of: large).hexadecimal
    #expect(store.thumbnails.map(\.sourceSHA256) == [hash, nil])
  }

  @Test func `one that tells a place is stored without it`() async throws {
    let (keeper, store) = try await keep(PlaceSamples.png, imaging: FakeImaging())

    #expect(keeper.stored == 1 && keeper.problems.isEmpty)
    let stored = try #require(store.thumbnails.first)
    #expect(!PlaceSamples.tell(stored.bytes))
    #expect(stored.bytes.count == PlaceSamples.png.count)
    #expect(stored.sourceSHA256 == SHA256Digest(of: PlaceSamples.png).hexadecimal)
  }

  @Test func `one that cannot be decoded is a failure, and does not end the others`() async throws {
    let imaging = FakeImaging(failure: .undecodable(message: "no"))

    let (keeper, store) = try await keep(large, small, imaging: imaging)

    #expect(keeper.problems.map(\.failure) == [.imaging(.undecodable(message: "no"))])
    #expect(keeper.failed.count == 1)
    #expect(store.thumbnails.map(\.bytes) == [small])
  }

  @Test func `one that nothing here decodes is stored as it came`() async throws {
    let (_, store) = try await keep(large, imaging: FakeImaging(isReady: false))

    #expect(store.thumbnails.map(\.bytes) == [large])
  }

  // MARK: Repairs

  private static let gallery = GalleryAddress(base: .sample("gallery/"), isStatic: false)

  /// A copy of one image with its original and the thumbnail that the gallery has made, for which the gallery has a reply.
  private func copy(
    _ reply: FakeReply,
    imaging: FakeImaging
  ) async throws -> (bench: SyncBench, repairer: PictureRepairer, address: WebAddress) {
    let hash = SHA256Digest(of: small)
    let address = try #require(Self.gallery.thumbnail(hash))
    let bench = SyncBench([address: reply], imaging: imaging)
    guard case .image(var image) = ChangeLine.image(1).state else { throw Failure.notFollowed }
    image.fields.originalAddress = WebAddress.original("moon").text
    let info = PictureInfo(format: .jpeg, bytes: small.count, width: 4, height: 3, hash: hash)
    image.thumbnail = ImageState.Thumbnail(info: info, isMade: true, isStale: false)
    let library = bench.store.library
    let page = MirrorPage(lines: [.feed(1), .sample(1, .image, .image(image))], cursor: "1.a")
    let target = MirrorTarget(
      gallery: Self.gallery,
      library: MirrorBench.library,
      now: SyncBench.now
    )
    _ = try await library.apply(page, to: target)
    var tools = bench.tools()
    tools.mirrors = library
    var keeper = MirroredThumbnails(tools, SyncProgress())
    let wanted = try #require(try await library.wantedThumbnail(imageID: 1))
    #expect(try await keeper.take(small, of: wanted))
    try await keeper.store()
    bench.store.keepOriginal(.sample(imageID: 1), imageID: 1)
    return (bench, PictureRepairer(tools: tools), address)
  }

  @Test func `a repair makes no thumbnail that the gallery has`() async throws {
    let imaging = FakeImaging()
    let (bench, repairer, _) = try await copy(FakeReply(status: 500), imaging: imaging)
    var made: [Int64] = []

    try await repairer.makeThumbnails { made.append($0) }

    #expect(made == [] && imaging.decoded == [])
    #expect(bench.store.thumbnails.map(\.bytes) == [small])
    #expect(bench.network.addresses == [])
  }

  @Test func `a damaged thumbnail comes from the gallery again`() async throws {
    let imaging = FakeImaging()
    let (bench, repairer, address) = try await copy(.picture(small), imaging: imaging)
    try await bench.store.library.mark(.thumbnail(imageID: 1), as: .damaged)

    try await repairer.repair(.thumbnail(imageID: 1))

    #expect(bench.network.addresses == [address])
    #expect(imaging.decoded == [])
    #expect(bench.store.thumbnails.map(\.bytes) == [small])
    #expect(try await bench.store.library.wantedThumbnail(imageID: 1) == nil)
  }

  @Test(arguments: [
    (FakeReply(status: 404), Failure.status(404)),
    (.picture(PictureBytes.png), .feed(.gallery(.wrongPicture))),
  ])
  func `a damaged thumbnail that does not come is made, and waits for the next sync`(
    reply: FakeReply,
    failure: Failure
  ) async throws {
    let imaging = FakeImaging()
    let (bench, repairer, address) = try await copy(reply, imaging: imaging)
    try await bench.store.library.mark(.thumbnail(imageID: 1), as: .damaged)
    var made: [Int64] = []

    await #expect(throws: failure) { try await repairer.repair(.thumbnail(imageID: 1)) }
    #expect(imaging.decoded == [])
    for _ in 1...2 { try await repairer.makeThumbnails { made.append($0) } }

    #expect(bench.network.addresses == [address])
    #expect(made == [1] && imaging.decoded.count == 1)
    #expect(bench.store.thumbnails.map(\.bytes) == [FakeImaging.bytes])
    let wanted = try await bench.store.library.wantedThumbnail(imageID: 1)
    #expect(wanted?.hash == SHA256Digest(of: small))
  }
}
