import Foundation
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Newer pictures that are kept beside stored ones, and originals that were replaced.
@Suite(.onEachStore)
struct SuccessorTests {
  private let store: TemporaryStore
  /// The hash of bytes that no picture of these tests has.
  private static let otherHash = String(repeating: "0", count: 64)

  init() async throws {
    store = try TemporaryStore()
    try await Self.sync(store)
  }

  private static func sync(_ store: TemporaryStore) async throws {
    try await store.sync([
      .sample("a", id: "1", thumbnail: "ta"), .sample("b", id: "2", thumbnail: "tb"),
    ])
  }

  private typealias Library = TemporaryStore.Library

  /// Stores an original, or keeps it beside the stored one.
  @discardableResult
  private func arrive(
    _ bytes: [UInt8],
    imageID: Int64 = 1,
    from name: String = "a",
    days: Double = 0,
    _ doubts: SuccessorDoubt...,
    in library: (any Library)? = nil
  ) async throws -> StoredOriginal {
    let file = try await (library ?? store.library).openOriginalFile(imageID: imageID)
    try await file.makeRoom(for: bytes.count, of: nil, purpose: .viewing)
    try await file.restart(OriginalVersion(address: .picture(name)))
    try await file.append(bytes)
    let info = PictureInfo(format: .png, bytes: bytes.count, width: 1, height: 1)
    var receipt = OriginalReceipt.sample(info, from: name, arrived: Date() + days * 86_400)
    receipt.doubts = doubts
    return try await file.commit(receipt)
  }

  private func thumbnail(
    _ bytes: [UInt8],
    _ doubts: SuccessorDoubt...,
    from name: String = "ta",
    as kind: PictureKind = .thumbnail
  ) async throws {
    var thumbnail = FetchedThumbnail(
      imageID: 1,
      address: .picture(name),
      validators: Validators(entityTag: "\"\(bytes)\""),
      info: PictureInfo(format: .jpeg, bytes: bytes.count, width: 3, height: 2),
      bytes: bytes,
      fetched: .first,
      checkDate: .second
    )
    thumbnail.doubts = doubts
    var batch = PictureBatch()
    if doubts.isEmpty { batch.new = [thumbnail] } else { batch.doubtful = [thumbnail] }
    try await store.library.store(batch, kind)
  }

  /// The lengths of the files of originals.
  private func files() throws -> [Int] {
    try FileManager.default.subpathsOfDirectory(atPath: store.path + "/originals")
      .compactMap { FileSystem.size(of: store.path + "/originals/" + $0) }
      .filter { $0 < 100 }.sorted()
  }

  private func newer(_ imageID: Int64 = 1) async throws -> [Successor] {
    try await store.library.successors(imageID: imageID)
  }

  private func clean() async throws -> Int {
    let rehearsal = try await store.library.clean(.rehearsal).originals
    let cleaned = try await store.library.clean(.now).originals
    #expect(rehearsal == cleaned)
    return cleaned
  }

  @Test func `the stored original stays, and the newer one is beside it`() async throws {
    let stored = try await arrive([1, 2, 3])
    let listed = try await store.library.states(ids: [1])

    let after = try await arrive([4, 5], .sign, .smaller)

    #expect(after.sha256 == stored.sha256)
    #expect(try await store.library.states(ids: [1]) == listed)
    let newer = try #require(try await newer().first)
    #expect(newer.kind == .original)
    #expect(newer.doubts == [.sign, .smaller])
    let path = if case .file(let path) = newer.source { path } else { "" }
    #expect(FileManager.default.contents(atPath: path) == Data([4, 5]))
    #expect(try await clean() == 0)
    #expect(try files() == [2, 3])
  }

  @Test func `a newer original is neither handed out by its hash nor put into an object store`()
    async throws
  {
    try await arrive([1, 2, 3])
    try await arrive([4, 5], .redirected)
    let hash = try #require(SHA256Digest(hexadecimal: try await newer()[0].sha256))

    #expect(try await store.library.original(hash) == nil)
    #expect(try await store.library.imageIDs(withPictures: [hash])[hash] ?? [] == [])
    #expect(try await store.library.originalsToPut(after: 0, limit: 9).map(\.bytes) == [3])
  }

  @Test func `only the newest stays beside it`() async throws {
    try await arrive([1, 2, 3])
    try await arrive([4, 5], .sign)
    try await arrive([6], .sign)

    #expect(try await newer().map(\.info.bytes) == [1])
    #expect(try await clean() == 1)
    #expect(try files() == [1, 3])
  }

  @Test func `nothing is beside it once it comes again, or a sure one comes`() async throws {
    try await arrive([1, 2, 3])
    try await arrive([4, 5], .sign)
    try await arrive([1, 2, 3])
    #expect(try await newer() == [])

    try await arrive([4, 5], .sign)
    try await arrive([7, 8, 9, 9])
    #expect(try await newer() == [])
    #expect(try await store.library.original(imageID: 1)?.info.bytes == 4)
  }

  @Test func `the newer one takes its place when it is accepted, also of a pinned image`()
    async throws
  {
    try await arrive([1, 2, 3])
    try await thumbnail([1])
    _ = try await store.library.setPinned(true, imageIDs: [1])
    try await arrive([4, 5], .pinned)
    try await thumbnail([2, 2], .redirected)
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1])

    #expect(try await store.library.takeNewer(imageID: 1))

    #expect(try await store.library.original(imageID: 1)?.info.bytes == 2)
    #expect(try await store.library.original(imageID: 1)?.isStale == false)
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [2, 2])
    #expect(try await newer() == [])
    #expect(try await store.library.takeNewer(imageID: 1) == false)
    // The former original is kept for a time.
    #expect(try await clean() == 0)
    #expect(try files() == [2, 3])
  }

  @Test func `a thumbnail that is accepted alone outdates the original`() async throws {
    try await arrive([1, 2, 3])
    try await thumbnail([1])
    try await thumbnail([2, 2], .otherFormat)

    #expect(try await store.library.takeNewer(imageID: 1))

    #expect(try await store.library.thumbnailBytes(imageID: 1) == [2, 2])
    #expect(try await store.library.original(imageID: 1)?.isStale == true)
    let held = try await store.library.held(.thumbnail, imageID: 1, against: "00")
    #expect(held?.isRedirected == false)
  }

  @Test func `a thumbnail whose address has another signature by now is accepted`() async throws {
    try await store.sync([.sample("a", id: "1", thumbnail: "t.jpg?token=1")])
    try await thumbnail([1], from: "t.jpg?token=1")
    try await thumbnail([2, 2], .sign, from: "t.jpg?token=1")
    try await store.sync([.sample("a", id: "1", thumbnail: "t.jpg?token=2")])

    #expect(try await store.library.takeNewer(imageID: 1))

    #expect(try await store.library.thumbnailBytes(imageID: 1) == [2, 2])
    #expect(try await newer() == [])
  }

  @Test func `a thumbnail that was made because the named one failed is accepted`() async throws {
    try await thumbnail([1])
    try store.execute("UPDATE image SET thumbnail_state = 3 WHERE id = 1")
    try await thumbnail([2, 2], .sign, from: "a", as: .madeThumbnail)

    #expect(try await store.library.takeNewer(imageID: 1))

    #expect(try await store.library.thumbnailBytes(imageID: 1) == [2, 2])
    #expect(try store.numbers("SELECT thumbnail_state FROM image WHERE id = 1") == [3])
    #expect(try await newer() == [])
  }

  @Test func `a thumbnail is not accepted for another one that the feed names by now`() async throws
  {
    try await thumbnail([1])
    try await thumbnail([2, 2], .sign)
    try await store.sync([.sample("a", id: "1", thumbnail: "other")])

    #expect(try await store.library.takeNewer(imageID: 1) == false)
    #expect(try await store.library.thumbnailBytes(imageID: 1) == [1])
  }

  @Test func `a thumbnail's server is asked with what it gave for the newer one`() async throws {
    try await thumbnail([1])
    try await thumbnail([2, 2], .sign)

    let check = try await store.library.checks(.thumbnail, imageIDs: [1]).first

    #expect(check?.held == Validators(entityTag: "\"[2, 2]\""))
    #expect(try await newer().map(\.source) == [.bytes([2, 2])])
  }

  @Test func `other images with the same bytes are known`() async throws {
    let hash = try await arrive([1, 2, 3]).sha256
    let other = try await store.library.held(.original, imageID: 1, against: hash)
    try await arrive([9], imageID: 2, from: "b")
    let held = try await store.library.held(.original, imageID: 2, against: hash)

    #expect(other?.others == [])
    #expect(held?.others == [.picture("a")])
    #expect(held?.isPinned == false)
    #expect(held?.isListed == true)
    #expect(held?.isNamed == true)
    try await store.sync([.sample("c", id: "1", thumbnail: "ta")])
    #expect(try await store.library.held(.original, imageID: 2, against: hash)?.isListed == false)
    #expect(try await store.library.held(.original, imageID: 1, against: hash)?.isNamed == false)
  }

  @Test func `an outdated original of an older library is not one whose image has left its feed`()
    async throws
  {
    let store = try TemporaryStore(isNew: true)
    try await Self.sync(store)
    try await arrive([1, 2, 3], in: store.library)
    try store.execute(
      """
      UPDATE image SET original_state = 2, original_check_at = NULL, thumbnail_check_at = 1
      WHERE id = 1
      """
    )
    switch StoreKind.current {
    case .sqlite: try store.sqlite.makeFirstVersion()
    case .postgres: try store.execute("DROP TABLE successor, replaced_original, picture_redirect")
    }
    let library = store.reopened()

    _ = try await library.setPinned(true, imageIDs: [2])

    #expect(try await library.held(.original, imageID: 1, against: "00")?.isListed == true)
  }

  @Test func `a replaced original of a listed image is kept for 90 days`() async throws {
    try await arrive([1, 2, 3])
    try await arrive([4, 5])
    #expect(try await clean() == 0)

    try store.execute("UPDATE replaced_original SET replaced_at = replaced_at - 89 * 86400")
    #expect(try await clean() == 0)
    try store.execute("UPDATE replaced_original SET replaced_at = replaced_at - 86401")
    #expect(try await clean() == 1)
    #expect(try files() == [2])
    #expect(try store.numbers("SELECT count(*) FROM replaced_original") == [0])
  }

  @Test func `of a picture that changes often, the newest two stay, and one that stayed long`()
    async throws
  {
    try await arrive([1], days: -60)
    for (day, length) in [(-20.0, 2), (-19.0, 3), (-18.5, 4), (-18.0, 5)] {
      try await arrive([UInt8](repeating: 1, count: length), days: day)
    }

    #expect(try await clean() == 2)
    #expect(try files() == [1, 4, 5])
  }

  @Test func `an original that is the image's again is not a replaced one`() async throws {
    try await arrive([1, 2, 3])
    try await arrive([4, 5])
    try await arrive([1, 2, 3])

    #expect(try store.numbers("SELECT count(*) FROM replaced_original") == [1])
    #expect(try await clean() == 0)
  }

  @Test func `everything goes with a feed that is purged`() async throws {
    try await arrive([1, 2, 3])
    try await arrive([4, 5])
    try await arrive([6], .sign)
    try await thumbnail([1])
    try await thumbnail([2], .sign)

    _ = try await store.library.removeFeed(id: 1, purging: true)

    #expect(try files() == [])
    for table in ["successor", "replaced_original", "picture_redirect", "original"] {
      #expect(try store.numbers("SELECT count(*) FROM \(table)") == [0], "\(table)")
    }
  }

  @Test func `everything goes with an image that its feed no longer keeps`() async throws {
    try await arrive([1, 2, 3], imageID: 2, from: "b")
    try await arrive([6], imageID: 2, from: "b", .sign)
    _ = try await store.library.set(FeedChange(images: .given(1)), ofFeed: 1)

    _ = try await store.library.keepNewest(ofFeed: 1)

    #expect(try files() == [])
    #expect(try store.numbers("SELECT count(*) FROM successor") == [0])
  }

  @Test func `a redirect is remembered until an answer comes without one`() async throws {
    let file = try await store.library.openOriginalFile(imageID: 1)
    try await file.restart(OriginalVersion(address: .picture("a")))
    try await file.append([1])
    let info = PictureInfo(format: .png, bytes: 1, width: 1, height: 1)
    var receipt = OriginalReceipt.sample(info, from: "a")
    receipt.isRedirected = true
    _ = try await file.commit(receipt)
    let before = try await store.library.held(.original, imageID: 1, against: "00")
    let again = UnchangedPicture(
      imageID: 1,
      address: .picture("a"),
      validators: nil,
      checkDate: .second
    )
    try await store.library.store(PictureBatch(unchanged: [again]), .original)
    let after = try await store.library.held(.original, imageID: 1, against: "00")

    #expect(before?.isRedirected == true)
    #expect(after?.isRedirected == false)
  }

  @Test(arguments: [PictureKind.thumbnail, .original])
  func `an answer about the newer one does not make a redirect to the stored one known`(
    kind: PictureKind
  ) async throws {
    try await arrive([1, 2, 3])
    try await thumbnail([1])
    try await arrive([4, 5], .redirected)
    try await thumbnail([2, 2], .redirected)
    var again = UnchangedPicture(
      imageID: 1,
      address: .picture(kind == .original ? "a" : "ta"),
      validators: nil,
      checkDate: .second
    )
    again.isRedirected = true

    try await store.library.store(PictureBatch(unchanged: [again]), kind)
    let beside = try await store.library.held(kind, imageID: 1, against: "00")
    again.repeatedSHA256 = Self.otherHash
    try await store.library.store(PictureBatch(unchanged: [again]), kind)
    let alone = try await store.library.held(kind, imageID: 1, against: "00")

    #expect(beside?.isRedirected == false)
    #expect(beside?.successorDoubts == [.redirected])
    #expect(alone?.isRedirected == true)
    #expect(alone?.successor == nil)
  }

  /// The former picture was put back while a request for the one that had replaced it was under way.
  @Test(arguments: [PictureKind.thumbnail, .original])
  func `an answer with the bytes of the newer one does not forget it`(kind: PictureKind)
    async throws
  {
    try await arrive([1, 2, 3])
    try await thumbnail([1])
    try await arrive([4, 5], .redirected)
    try await thumbnail([2, 2], .redirected)
    let newer = try await store.library.held(kind, imageID: 1, against: "00")?.successor
    var again = UnchangedPicture(
      imageID: 1,
      address: .picture(kind == .original ? "a" : "ta"),
      validators: nil,
      checkDate: .second
    )
    again.repeatedSHA256 = newer

    try await store.library.store(PictureBatch(unchanged: [again]), kind)
    let kept = try await store.library.held(kind, imageID: 1, against: "00")?.successor
    again.repeatedSHA256 = Self.otherHash
    try await store.library.store(PictureBatch(unchanged: [again]), kind)

    #expect(newer != nil && kept == newer)
    #expect(try await store.library.held(kind, imageID: 1, against: "00")?.successor == nil)
  }

  @Test(arguments: [nil, "s3://photos"])
  func `what is beside a stored original gives way first`(objects: String?) async throws {
    let store = try TemporaryStore(bounds: StorageBounds(keep: 100), objects: objects)
    try await Self.sync(store)
    let library = store.library
    let first = try await arrive([UInt8](repeating: 1, count: 40), in: library)
    try await arrive([UInt8](repeating: 2, count: 30), .sign, in: library)
    _ = try await library.setPinned(true, imageIDs: [1])

    try await arrive([UInt8](repeating: 3, count: 60), imageID: 2, from: "b", in: library)

    #expect(try await library.original(imageID: 1)?.sha256 == first.sha256)
    #expect(try await library.successors(imageID: 1) == [])
    #expect(try await library.original(imageID: 2)?.info.bytes == 60)
    #expect(try store.numbers("SELECT count(*) FROM successor") == [0])
  }
}
