import Models
import TestSupport
import Testing
import Workers

@testable import Sync

struct PackTests {
  private static let pack = SHA256Digest(words: SIMD4(1, 2, 3, 4))

  private static func thumbnail(_ id: Int64, at offset: Int?, bytes: Int = 10) -> MirroredThumbnail
  {
    MirroredThumbnail(
      imageID: id,
      hash: SHA256Digest(words: SIMD4(0, 0, 0, UInt64(id))),
      bytes: bytes,
      pack: offset.map { ImageState.PackReference(hash: pack, offset: $0) },
      address: .feed,
      isMade: false
    )
  }

  @Test func `a pack of which most is wanted is fetched as a whole`() {
    let wanted = (1...8).map { Self.thumbnail($0, at: Int($0) * 15) }
    let plan = PackPlan([Self.thumbnail(9, at: nil)] + wanted.reversed())

    #expect(plan.singles.map(\.imageID) == [9])
    #expect(plan.packs.map(\.range) == [15..<130])
    #expect(plan.packs.first?.thumbnails == wanted)
  }

  @Test(arguments: [(7, 10), (8, 30)])
  func `a few thumbnails of a pack are fetched one by one`(count: Int, distance: Int) {
    let wanted = (1...count).map { Self.thumbnail(Int64($0), at: $0 * distance) }
    let plan = PackPlan(wanted)

    #expect(plan.packs == [])
    #expect(plan.singles == wanted)
  }

  @Test(arguments: [1, 3, 7, 100])
  func `thumbnails are cut out of the pieces of a pack`(length: Int) async throws {
    let pack = (0..<60).map { UInt8($0) }
    let pieces = stride(from: 5, to: 60, by: length).map { Array(pack[$0..<min(60, $0 + length)]) }
    let body = Pieces(pieces)
    var reader = PackReader(body, from: 5)

    for (offset, bytes) in [(5, 4), (9, 10), (9, 10), (30, 1), (50, 10)] {
      let found = try await reader.bytes(of: Self.thumbnail(1, at: offset, bytes: bytes))
      #expect(found == Array(pack[offset..<offset + bytes]))
    }
    #expect(try await reader.bytes(of: Self.thumbnail(1, at: 55, bytes: 10)) == nil)
  }

  @Test func `what lies before the beginning is not there`() async throws {
    var reader = PackReader(Pieces([[1, 2, 3]]), from: 5)

    #expect(try await reader.bytes(of: Self.thumbnail(1, at: 4, bytes: 2)) == nil)
  }

  /// A body that arrives in pieces.
  private final class Pieces: NetworkBody {
    private let rest: Locked<ArraySlice<[UInt8]>>

    init(_ pieces: [[UInt8]]) { rest = Locked(pieces[...]) }

    func next() async throws(NetworkError) -> [UInt8]? { rest.withLock { $0.popFirst() } }

    var hasNext: Bool { true }
    var wireBytes: Int { 0 }
  }
}
