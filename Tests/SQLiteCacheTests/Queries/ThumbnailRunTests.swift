import FoundationEssentials
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Many thumbnails in one transaction, most of them with consecutive ids.
@Suite(.onEachStore)
struct ThumbnailRunTests {
  private let store: TemporaryStore
  private let count = Int64(ThumbnailDescription.runLength * 2 + 3)

  init() throws { store = try TemporaryStore() }

  private func image(_ number: Int64, thumbnail: String? = nil) -> FeedEntry {
    .sample("o\(number)", id: "\(number)", thumbnail: thumbnail)
  }

  /// Thumbnails whose width is the id of their image.
  private func thumbnails(_ orders: [WantedPicture]) -> PictureBatch {
    PictureBatch(
      new: orders.map { order in
        let bytes = [UInt8](repeating: 7, count: Int(order.imageID))
        var thumbnail = FetchedThumbnail.sample(order, bytes: bytes)
        thumbnail.info.width = Int(order.imageID)
        return thumbnail
      }
    )
  }

  private func orders() async throws -> [WantedPicture] {
    try await store.library.wanted(.thumbnail, feedID: 1, .missing, after: nil, limit: 100)
  }

  private func unmade() async throws -> [WantedPicture] {
    try await store.library.wanted(
      .madeThumbnail,
      feedID: 1,
      PictureFilter.missing.from(.all),
      after: nil,
      limit: 100
    )
  }

  /// The images whose rows match their stored thumbnails.
  private func described() async throws -> [Int64] {
    let ids = try store.numbers(
      """
      SELECT id FROM image
      WHERE thumbnail_width = id AND thumbnail_height = 200 AND thumbnail_format = 'jpeg'
        AND thumbnail_bytes = id AND thumbnail_check_at = \(Date.second.storedSeconds)
      ORDER BY id
      """
    )
    var described: [Int64] = []
    for id in ids where try await store.library.thumbnailBytes(imageID: id)?.count == Int(id) {
      described.append(id)
    }
    return described
  }

  @Test func `are each noted in the row of their image`() async throws {
    try await store.sync((1...count).map { image($0, thumbnail: "t\($0)") })

    try await store.library.store(thumbnails(try orders()), .thumbnail)

    #expect(try await described() == Array(1...count))
    #expect(try await orders() == [])
  }

  @Test func `leave out the one whose address has changed meanwhile, and nothing else`()
    async throws
  {
    try await store.sync((1...count).map { image($0, thumbnail: "t\($0)") })
    let before = try await orders()
    try await store.sync((1...count).map { image($0, thumbnail: $0 == 5 ? "new" : "t\($0)") })

    try await store.library.store(thumbnails(before), .thumbnail)

    #expect(try await described() == (1...count).filter { $0 != 5 })
    #expect(try await orders().map(\.address) == [.picture("new")])
  }

  @Test func `are noted as made where they were made`() async throws {
    try await store.sync((1...count).map { image($0) })
    let before = try await unmade()
    try await store.sync((1...count).map { image($0, thumbnail: $0 == 5 ? "new" : nil) })

    try await store.library.store(thumbnails(before), .madeThumbnail)

    #expect(try await described() == (1...count).filter { $0 != 5 })
    #expect(try await unmade() == [])
    #expect(try await orders().map(\.address) == [.picture("new")])
  }
}
