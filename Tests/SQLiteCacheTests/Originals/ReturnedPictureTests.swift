import Foundation
import LibraryFiles
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// Pictures that images get back, because the sign that replaced them came for another image, too.
@Suite(.onEachStore)
struct ReturnedPictureTests {
  private let store: TemporaryStore
  private let photo: [UInt8] = [1, 2, 3]
  private let sign: [UInt8] = [9, 9]

  init() async throws {
    store = try TemporaryStore()
    try await store.sync(
      ["a", "b", "c"].map { .sample($0, id: $0, thumbnail: "t\($0)") }
    )
  }

  private static let names = ["a", "b", "c"]

  /// Stores an original, or keeps it beside the stored one because others have its bytes.
  @discardableResult
  private func arrive(
    _ bytes: [UInt8],
    _ imageID: Int,
    days: Double = 0,
    misled: [Int64]? = nil,
    in library: (any TemporaryStore.Library)? = nil
  ) async throws -> StoredOriginal {
    let name = Self.names[imageID - 1]
    let file = try await (library ?? store.library).openOriginalFile(imageID: Int64(imageID))
    try await file.makeRoom(for: bytes.count, of: nil, purpose: .viewing)
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append(bytes)
    let info = PictureInfo(format: .png, bytes: bytes.count, width: 1, height: 1)
    var receipt = OriginalReceipt.sample(info, from: name, arrived: Date() + days * 86_400)
    if let misled { (receipt.doubts, receipt.misled) = ([.shared], misled) }
    return try await file.commit(receipt)
  }

  private func fetched(
    _ bytes: [UInt8],
    _ imageID: Int,
    at seconds: Double = 0,
    instead former: [UInt8]? = nil,
    misled: [Int64]? = nil
  ) -> FetchedThumbnail {
    var thumbnail = FetchedThumbnail(
      imageID: Int64(imageID),
      address: .picture("t\(Self.names[imageID - 1])"),
      validators: Validators(entityTag: "\"\(bytes)\""),
      info: PictureInfo(format: .jpeg, bytes: bytes.count, width: bytes.count, height: 2),
      bytes: bytes,
      fetched: Date() + seconds,
      checkDate: Date() + seconds + 60
    )
    thumbnail.former = former
    if let misled { (thumbnail.doubts, thumbnail.misled) = ([.shared], misled) }
    return thumbnail
  }

  /// Stores thumbnails that arrive together, or keeps them beside the stored ones.
  private func arrive(_ thumbnails: FetchedThumbnail...) async throws {
    var batch = PictureBatch()
    batch.changed = thumbnails.filter(\.doubts.isEmpty)
    batch.doubtful = thumbnails.filter { !$0.doubts.isEmpty }
    try await store.library.store(batch, .thumbnail)
  }

  private func thumbnail(
    _ bytes: [UInt8],
    _ imageID: Int,
    at seconds: Double = 0,
    instead former: [UInt8]? = nil,
    misled: [Int64]? = nil
  ) async throws {
    try await arrive(fetched(bytes, imageID, at: seconds, instead: former, misled: misled))
  }

  private func original(_ imageID: Int64) async throws -> Int? {
    try await store.library.original(imageID: imageID)?.info.bytes
  }

  private func replaced(
    _ kind: PictureKind = .original,
    besides imageID: Int64 = 2,
    by bytes: [UInt8]? = nil
  ) async throws -> [Int64: WebAddress] {
    let hash = SHA256Digest(of: bytes ?? sign).hexadecimal
    let held = try await store.library.held(kind, imageID: imageID, against: hash)
    return held?.replaced ?? [:]
  }

  private func clean() async throws -> Int { try await store.library.clean(.now).originals }

  // MARK: Originals

  @Test func `an image gets its original back, and the sign is beside it`() async throws {
    try await arrive(photo, 1, days: -9)
    try await arrive(sign, 1)
    try await arrive([4, 4, 4, 4], 2)
    #expect(try await replaced() == [1: .picture("a")])
    let before = try store.numbers("SELECT change_seq FROM image WHERE id = 1")

    try await arrive(sign, 2, misled: [1])

    #expect(try await original(1) == 3)
    #expect(try await store.library.original(imageID: 1)?.isStale == false)
    #expect(try await original(2) == 4)
    for id in Int64(1)...2 {
      let newer = try await store.library.successors(imageID: id)
      #expect(newer.map(\.info.bytes) == [2])
      #expect(newer.map(\.doubts) == [[.shared]])
    }
    #expect(try store.numbers("SELECT change_seq FROM image WHERE id = 1") != before)
    #expect(try store.numbers("SELECT count(*) FROM replaced_original") == [0])
    #expect(try await clean() == 0)
    #expect(try await store.library.takeNewer(imageID: 1))
    #expect(try await original(1) == 2)
  }

  @Test func `each of three images has its own original in the end`() async throws {
    for (id, length) in [(1, 3), (2, 4), (3, 5)] {
      try await arrive([UInt8](repeating: 1, count: length), id, days: -9)
    }
    try await arrive(sign, 3)
    try await arrive(sign, 1, misled: Array(try await replaced(besides: 1).keys))

    #expect(try await replaced(besides: 2) == [:])
    try await arrive(sign, 2, misled: [1, 3])

    #expect(try await [original(1), original(2), original(3)] == [3, 4, 5])
    #expect(try store.numbers("SELECT count(*) FROM successor") == [3])
    #expect(try await clean() == 0)
  }

  @Test func `the last original before the sign comes back`() async throws {
    try await arrive([1], 1, days: -60)
    try await arrive(photo, 1, days: -30)
    try await arrive(sign, 1)
    try await arrive([4, 4, 4, 4], 2)

    try await arrive(sign, 2, misled: [1])

    #expect(try await original(1) == 3)
    #expect(try store.numbers("SELECT count(*) FROM replaced_original") == [1])
  }

  @Test func `an original that was there from the beginning stays`() async throws {
    try await arrive(sign, 1)
    try await arrive([4, 4, 4, 4], 2)

    #expect(try await replaced() == [:])
    try await arrive(sign, 2, misled: [1])

    #expect(try await original(1) == 2)
    #expect(try await store.library.successors(imageID: 1) == [])
  }

  @Test func `an original that the other image had before, too, does not come back`() async throws {
    try await arrive(photo, 1)
    try await arrive(photo, 2)
    try await arrive(sign, 1, days: 1)

    #expect(try await replaced() == [:])
    try await arrive(sign, 2, days: 1, misled: [1])
    #expect(try await original(1) == 2)
    // The next picture of a webcam under two addresses.
    try await arrive([7], 1, days: 2)
    #expect(try await replaced(by: [7]) == [:])
  }

  @Test func `an original that the user accepted or pinned stays`() async throws {
    try await arrive(photo, 1)
    try await arrive([4, 4, 4, 4], 2)
    try await arrive(sign, 1, misled: [])
    #expect(try await store.library.takeNewer(imageID: 1))
    #expect(try await replaced() == [:])

    try await arrive([5], 3)
    try await arrive(sign, 3)
    #expect(try await replaced() == [3: .picture("c")])
    _ = try await store.library.setPinned(true, imageIDs: [3])
    #expect(try await replaced() == [:])
    try await arrive(sign, 2, misled: [1, 3])

    #expect(try await [original(1), original(3)] == [2, 2])
  }

  @Test func `an original that is not kept any more does not come back`() async throws {
    try await arrive(photo, 1)
    try await arrive(sign, 1)
    try await arrive([4, 4, 4, 4], 2)
    try store.execute("UPDATE replaced_original SET replaced_at = replaced_at - 91 * 86400")
    try store.execute("UPDATE image_original SET stored_at = stored_at - 91 * 86400")

    #expect(try await replaced() == [:])
    try await arrive(sign, 2, misled: [1])

    #expect(try await original(1) == 2)
  }

  @Test func `a thumbnail that was made from the sign is made again`() async throws {
    let hash = try await arrive(photo, 1).sha256
    try await arrive(sign, 1)
    try await arrive([4, 4, 4, 4], 2)
    let source = SHA256Digest(of: sign).hexadecimal
    try await thumbnail([6], 1)
    try store.execute("UPDATE image SET thumbnail_state = 3 WHERE id = 1")
    try store.execute("UPDATE thumbnail SET source_sha256 = '\(source)' WHERE image_id = 1")

    try await arrive(sign, 2, misled: [1])

    #expect(try await store.library.original(imageID: 1)?.sha256 == hash)
    #expect(try store.numbers("SELECT thumbnail_state FROM image WHERE id = 1") == [0])
  }

  @Test func `a returned original gives way like any other, and the sign before it`() async throws {
    let store = try TemporaryStore(bounds: StorageBounds(keep: 100))
    try await store.sync(Self.names.map { .sample($0, id: $0, thumbnail: "t\($0)") })
    let library = store.library
    try await arrive([UInt8](repeating: 1, count: 20), 1, in: library)
    try await arrive([UInt8](repeating: 9, count: 25), 1, in: library)
    try await arrive([UInt8](repeating: 2, count: 21), 2, in: library)
    try await arrive([UInt8](repeating: 9, count: 25), 2, misled: [1], in: library)
    _ = try await library.setPinned(true, imageIDs: [1])

    try await arrive([UInt8](repeating: 3, count: 55), 3, in: library)

    #expect(try await library.original(imageID: 1)?.info.bytes == 20)
    #expect(try await library.successors(imageID: 1) == [])
    #expect(try await library.original(imageID: 3)?.info.bytes == 55)
  }

  // MARK: Thumbnails

  @Test func `an image gets its thumbnail back, and the sign is beside it`() async throws {
    try await thumbnail(photo, 1)
    try await thumbnail([4, 4, 4, 4], 2)
    try await arrive([5], 1)
    try await thumbnail(sign, 1, at: 1, instead: photo)
    #expect(try await store.library.original(imageID: 1)?.isStale == true)
    #expect(try await replaced(.thumbnail) == [1: .picture("ta")])
    #expect(try await store.library.successors(imageID: 1) == [])

    try await thumbnail(sign, 2, at: 2, misled: [1])

    #expect(try await store.library.thumbnailBytes(imageID: 1) == photo)
    #expect(try await store.library.thumbnailBytes(imageID: 2) == [4, 4, 4, 4])
    for id in Int64(1)...2 {
      let newer = try await store.library.successors(imageID: id)
      #expect(newer.map(\.source) == [.bytes(sign)])
      #expect(newer.map(\.doubts) == [[.shared]])
    }
    #expect(try await store.library.original(imageID: 1)?.isStale == false)
    let check = try await store.library.checks(.thumbnail, imageIDs: [1]).first
    #expect(check?.held == Validators(entityTag: "\"\(sign)\""))
    #expect(try store.numbers("SELECT thumbnail_width FROM image WHERE id = 1") == [3])
    // What was returned is not kept a second time.
    #expect(try store.numbers("SELECT count(*) FROM successor WHERE kind = 3") == [0])
    #expect(try await store.library.takeNewer(imageID: 1))
    #expect(try await store.library.thumbnailBytes(imageID: 1) == sign)
    #expect(try await replaced(.thumbnail) == [:])
  }

  @Test func `an original that was outdated before the sign came stays so`() async throws {
    try await thumbnail(photo, 1)
    try await thumbnail([4, 4, 4, 4], 2)
    try await arrive([5], 1)
    try await thumbnail([6], 1, at: 1, instead: photo)
    try await thumbnail(sign, 1, at: 2, instead: [6])

    try await thumbnail(sign, 2, at: 3, misled: [1])

    #expect(try await store.library.thumbnailBytes(imageID: 1) == [6])
    #expect(try await store.library.original(imageID: 1)?.isStale == true)
  }

  @Test func `a newer thumbnail that arrives with the second sign stays`() async throws {
    try await thumbnail(photo, 1)
    try await thumbnail([4, 4, 4, 4], 2)
    try await arrive([5], 1)
    try await thumbnail(sign, 1, at: 1, instead: photo)

    try await arrive(fetched([8], 1, at: 2, instead: sign), fetched(sign, 2, at: 2, misled: [1]))

    #expect(try await store.library.thumbnailBytes(imageID: 1) == [8])
    #expect(try await store.library.successors(imageID: 1) == [])
    #expect(try await store.library.original(imageID: 1)?.isStale == true)
    #expect(try await store.library.successors(imageID: 2).count == 1)
  }

  @Test func `the same sign that comes again does not take the former thumbnail away`() async throws
  {
    try await thumbnail(photo, 1)
    try await thumbnail([4, 4, 4, 4], 2)
    try await thumbnail(sign, 1, at: 1, instead: photo)
    try await thumbnail(sign, 1, at: 9, instead: sign)

    try await thumbnail(sign, 2, at: 12, misled: [1])

    #expect(try await store.library.thumbnailBytes(imageID: 1) == photo)
  }

  @Test func `a thumbnail that both images had before does not come back`() async throws {
    try await thumbnail(photo, 1)
    try await thumbnail(photo, 2)
    try await thumbnail(sign, 1, at: 1, instead: photo)

    #expect(try await replaced(.thumbnail) == [:])
    try await thumbnail(sign, 2, at: 2, misled: [1])
    #expect(try await store.library.thumbnailBytes(imageID: 1) == sign)
    // The next frame of a webcam under two addresses: the second has the former frame beside its own.
    try await thumbnail([7], 1, at: 3, instead: sign)
    #expect(try await replaced(.thumbnail, by: [7]) == [:])
  }

  @Test func `a former thumbnail of too long ago, or of another address, does not come back`()
    async throws
  {
    try await thumbnail(photo, 1)
    try await thumbnail([4, 4, 4, 4], 2)
    try await thumbnail(sign, 1, at: -91 * 86_400, instead: photo)
    #expect(try await replaced(.thumbnail) == [:])

    try await thumbnail(photo, 3)
    try await thumbnail(sign, 3, at: 1, instead: photo)
    #expect(try await replaced(.thumbnail) == [3: .picture("tc")])
    try await store.sync(
      ["a", "b"].map { .sample($0, id: $0, thumbnail: "t\($0)") }
        + [.sample("c", id: "c", thumbnail: "other")]
    )
    try await thumbnail(sign, 2, at: 2, misled: [3])

    #expect(try await store.library.thumbnailBytes(imageID: 3) == sign)
    #expect(try await store.library.successors(imageID: 3) == [])
  }

  @Test func `the server of an image that has left its feed is not asked again`() async throws {
    try await thumbnail(photo, 1)
    try await thumbnail([4, 4, 4, 4], 2)
    try await thumbnail(sign, 1, at: 1, instead: photo)
    try await store.sync(["b", "c"].map { .sample($0, id: $0, thumbnail: "t\($0)") })
    let asked = "SELECT count(*) FROM image WHERE id = 1 AND thumbnail_check_at IS NOT NULL"
    #expect(try store.numbers(asked) == [0])

    try await thumbnail(sign, 2, at: 2, misled: [1])

    #expect(try await store.library.thumbnailBytes(imageID: 1) == photo)
    #expect(try store.numbers(asked) == [0])
  }

  @Test func `a cleaning forgets former thumbnails after 90 days`() async throws {
    try await thumbnail(photo, 1)
    try await thumbnail([4], 2)
    try await thumbnail(sign, 1, at: -91 * 86_400, instead: photo)
    try await thumbnail(sign, 2, at: -89 * 86_400, instead: [4])
    try await arrive([1], 3)
    try await arrive([2, 2], 3)
    try store.execute("UPDATE replaced_original SET replaced_at = replaced_at - 91 * 86400")

    #expect(try await clean() == 1)

    #expect(try store.numbers("SELECT image_id FROM successor") == [2])
  }

  @Test func `the former thumbnail goes with its image`() async throws {
    try await thumbnail(photo, 2)
    try await thumbnail(sign, 2, at: 1, instead: photo)
    _ = try await store.library.set(FeedChange(images: .given(1)), ofFeed: 1)

    _ = try await store.library.keepNewest(ofFeed: 1)

    #expect(try store.numbers("SELECT count(*) FROM successor") == [0])
  }
}
