import FoundationEssentials
import Models
import Testing
import Workers

@testable import SQLiteCache

/// Many thumbnails that are stored at once, most of them in runs.
struct ThumbnailRunTests {
  private let store: TemporaryLibrary
  private let count = Int64(ThumbnailDescription.runLength * 2 + 3)

  init() throws { store = try TemporaryLibrary() }

  private func image(_ number: Int64, thumbnail: String? = nil) -> FeedEntry {
    .sample("o\(number)", id: "\(number)", thumbnail: thumbnail)
  }

  /// Each as wide as its image's number says.
  private func thumbnails(_ orders: [PictureOrder]) -> ThumbnailBatch {
    ThumbnailBatch(
      new: orders.map { order in
        let bytes = [UInt8](repeating: 7, count: Int(order.imageID))
        var thumbnail = FetchedThumbnail.sample(order, bytes: bytes)
        thumbnail.info.width = Int(order.imageID)
        return thumbnail
      }
    )
  }

  private func orders() throws -> [PictureOrder] {
    try store.library.thumbnailOrders(feedID: 1, .missing, after: nil, limit: 100)
  }

  private func unmade() throws -> [PictureOrder] {
    try store.library.unmadeOrders(feedID: 1, from: .all, .missing, after: nil, limit: 100)
  }

  /// The images whose rows say of their thumbnails what is stored of them.
  private func described() throws -> [Int64] {
    try store.numbers(
      """
      SELECT id FROM image JOIN thumbnail ON image_id = id
      WHERE thumbnail_width = id AND thumbnail_height = 200 AND thumbnail_format = 'jpeg'
        AND thumbnail_bytes = id AND thumbnail.bytes = id
        AND thumbnail_check_at = \(Date.second.storedSeconds)
      ORDER BY id
      """
    )
  }

  @Test func `are each noted in the row of their image`() throws {
    try store.sync((1...count).map { image($0, thumbnail: "t\($0)") })

    try store.library.store(thumbnails(try orders()))

    #expect(try described() == Array(1...count))
    #expect(try orders() == [])
  }

  @Test func `leave out the one whose address has changed meanwhile, and nothing else`() throws {
    try store.sync((1...count).map { image($0, thumbnail: "t\($0)") })
    let before = try orders()
    try store.sync((1...count).map { image($0, thumbnail: $0 == 5 ? "new" : "t\($0)") })

    try store.library.store(thumbnails(before))

    #expect(try described() == (1...count).filter { $0 != 5 })
    #expect(try orders().map(\.address) == [.picture("new")])
  }

  @Test func `are noted as made where they were made`() throws {
    try store.sync((1...count).map { image($0) })
    let before = try unmade()
    try store.sync((1...count).map { image($0, thumbnail: $0 == 5 ? "new" : nil) })

    try store.library.storeMade(thumbnails(before))

    #expect(try described() == (1...count).filter { $0 != 5 })
    #expect(try unmade() == [])
    #expect(try orders().map(\.address) == [.picture("new")])
  }
}
