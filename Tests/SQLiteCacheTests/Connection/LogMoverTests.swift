import Models
import Testing
import Workers

@testable import SQLiteCache

struct LogMoverTests {
  private let store: TemporaryLibrary

  init() throws {
    store = try TemporaryLibrary()
    try store.sync([.sample("a", id: "1", thumbnail: "at")])
    try store.library.flush()
  }

  @Test func `moves much before anybody asks for it`() throws {
    try storeThumbnail(bytes: Limits.bytesBetweenMoves)
    store.library.logMover.wait()

    #expect(try databaseBytes > Limits.bytesBetweenMoves)
  }

  @Test func `leaves a little in the log`() throws {
    let before = try databaseBytes

    try storeThumbnail(bytes: Limits.bytesBetweenMoves - 1)
    store.library.logMover.wait()

    #expect(try databaseBytes == before)
  }

  @Test func `a flush has all of it in the database, and nothing in the log`() throws {
    try storeThumbnail(bytes: Limits.bytesBetweenMoves)
    try store.library.flush()

    #expect(try databaseBytes > Limits.bytesBetweenMoves)
    #expect(FileSystem.size(of: store.library.folder.log) == 0)
  }

  private var databaseBytes: Int {
    get throws { try #require(FileSystem.size(of: store.library.folder.database)) }
  }

  private func storeThumbnail(bytes count: Int) throws {
    let order = PictureOrder(
      imageID: 1,
      address: .picture("at"),
      rank: PictureOrder.Rank(date: 0, place: 0),
      since: .first
    )
    var thumbnail = FetchedThumbnail.sample(order)
    thumbnail.bytes = Array(repeating: 7, count: count)
    try store.library.store(ThumbnailBatch(new: [thumbnail]))
  }
}
