import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

struct ColourFillerTests {
  private let bench: SyncBench
  private let feed: Feed

  /// Stores a thumbnail for each of forty images.
  init() async throws {
    bench = SyncBench([:])
    feed = bench.know((1...40).map { "\($0)" })
    let wanted = try await bench.store.wanted(
      .thumbnail,
      feedID: feed.id,
      PictureFilter(now: SyncBench.now),
      after: nil,
      limit: 99
    )
    let new = wanted.map { FetchedThumbnail(of: $0, bytes: [UInt8($0.imageID)]) }
    try await bench.store.store(PictureBatch(new: new), .thumbnail)
  }

  private func fill(
    with renderer: FakeRendering,
    atOnce: Int = 1,
    while goesOn: () async -> Bool = { true }
  ) async throws(Failure) {
    try await ColourFiller(library: bench.store, renderer: renderer)
      .fill(atOnce: atOnce, while: goesOn)
  }

  private func colours() async throws -> [[UInt8]?] {
    try await bench.store.tiles(ids: Array(1...40)).map(\.colours)
  }

  @Test(arguments: [1, 4])
  func `every thumbnail gets its own colours, and is decoded once`(atOnce: Int) async throws {
    let renderer = FakeRendering()

    try await fill(with: renderer, atOnce: atOnce)

    #expect(try await colours() == (1...40).map { [$0] })
    #expect(renderer.decoded.sorted { $0[0] < $1[0] } == (1...40).map { [$0] })
  }

  @Test func `goes on for as long as it may, and then from there`() async throws {
    let renderer = FakeRendering()
    var batches = 0

    try await fill(with: renderer) {
      batches += 1
      return batches < 2
    }
    let known = try await colours().compactMap(\.self).count
    try await fill(with: renderer)

    #expect(known == 32)
    #expect(renderer.decoded.count == 40)
    #expect(try await !colours().contains(nil))
  }

  @Test func `a thumbnail that cannot be decoded is not tried again`() async throws {
    let renderer = FakeRendering(failing: [7: .undecodable(message: "")])

    try await fill(with: renderer)
    try await fill(with: renderer)

    #expect(try await colours()[6] == [])
    #expect(renderer.decoded.count == 40)
  }

  @Test(arguments: [ImagingError.noDecoder(lookedAt: []), .cancelled])
  func `a decoder that is missing or ends leaves them waiting`(error: ImagingError) async throws {
    await #expect(throws: Failure.imaging(error)) {
      try await fill(with: FakeRendering(failing: [40: error]), atOnce: 4)
    }

    #expect(try await colours()[39] == nil)
  }

  @Test func `a sync spends a twentieth of its time on colours, and 2 s at most`() {
    #expect(SyncLimits.colouringTime(after: .seconds(1)) == nil)
    #expect(SyncLimits.colouringTime(after: .seconds(10)) == .milliseconds(500))
    #expect(SyncLimits.colouringTime(after: .seconds(3_600)) == .seconds(2))
  }
}

/// Returns a picture's own bytes as its colours, and records them.
private final class FakeRendering: PictureRendering {
  private let failing: [UInt8: ImagingError]
  private let pictures = Locked<[[UInt8]]>([])

  /// Creates a decoder that fails some pictures, by their first byte.
  init(failing: [UInt8: ImagingError] = [:]) { self.failing = failing }

  var decoded: [[UInt8]] { pictures.withLock { $0 } }

  func colourGrid(of picture: PictureSource) async throws(ImagingError) -> [UInt8] {
    guard case .bytes(let bytes) = picture else { throw .wrongAnswer }
    pictures.withLock { $0.append(bytes) }
    if let error = failing[bytes[0]] { throw error }
    return bytes
  }

  func rendered(
    _ picture: PictureSource,
    _ rendering: Rendering
  ) async throws(ImagingError) -> [UInt8] {
    throw .wrongAnswer
  }
}

extension FetchedThumbnail {
  fileprivate init(of wanted: WantedPicture, bytes: [UInt8]) {
    self.init(
      imageID: wanted.imageID,
      address: wanted.address,
      validators: Validators(),
      info: PictureInfo(format: .jpeg, bytes: bytes.count, width: 4, height: 3),
      bytes: bytes,
      fetched: SyncBench.now,
      checkDate: SyncBench.now
    )
  }
}
