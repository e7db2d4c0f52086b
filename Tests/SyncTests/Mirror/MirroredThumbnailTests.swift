import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// Thumbnails of another gallery that are larger than necessary.
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
}
