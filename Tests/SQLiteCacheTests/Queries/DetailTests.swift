import Foundation
import Models
import Testing
import Workers

@testable import SQLiteCache

/// What cameras have written into originals, as the library keeps it.
@Suite(.onEachStore)
struct DetailTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let all: PictureDetails = {
    var details = PictureDetails()
    (details.camera, details.lens) = ("FUJIFILM X100V", "Fujinon 23mm F2")
    (details.exposure, details.aperture) = (86_400_000_000_000, 280)
    (details.sensitivity, details.focalLength) = (200, 2_300)
    details.taken = DateTaken(clock: -1, offset: -570)
    details.place = PicturePlace(latitude: -33_856_800, longitude: 151_215_300)
    return details
  }()

  private static let some: PictureDetails = {
    var details = PictureDetails()
    details.taken = DateTaken(clock: 1_563_127_353_450)
    return details
  }()

  private func hash(_ digit: Character) -> String { String(repeating: digit, count: 64) }

  @Test func `come back as they were stored, and so does their absence`() async throws {
    let details = [hash("a"): Self.all, hash("b"): Self.some, hash("c"): PictureDetails()]
    try await store.sync([.sample("o", id: "1")])

    try await store.library.store(details: details)

    let known = try await store.library.details(ofOriginals: ["a", "b", "c", "d"].map(hash))
    #expect(known == details)
    #expect(try await store.library.details(ofOriginals: []) == [:])
  }

  @Test func `other ones take their place`() async throws {
    try await store.sync([.sample("o", id: "1")])
    try await store.library.store(details: [hash("a"): Self.all])
    try await store.library.store(details: [hash("a"): Self.some])

    #expect(try await store.library.details(ofOriginals: [hash("a")]) == [hash("a"): Self.some])
    #expect(try store.numbers("SELECT count(*) FROM picture_details") == [1])
  }

  @Test func `values that no camera has are left out, such as those of a turned bit`() async throws
  {
    try await store.sync([.sample("o", id: "1")])
    try await store.library.store(details: [hash("a"): Self.all])
    try store.execute("UPDATE picture_details SET aperture = -280, latitude = 91000000")

    var expected = Self.all
    (expected.aperture, expected.place) = (nil, nil)
    #expect(try await store.library.details(ofOriginals: [hash("a")]) == [hash("a"): expected])
  }

  @Test func `cleaning keeps those of originals, and deletes the others`() async throws {
    try await store.sync([.sample("o", id: "1")])
    try await store.storeOriginal([1, 2, 3], imageID: 1, from: "o")
    let original = try #require(try await store.library.original(imageID: 1))
    try await store.library.store(details: [original.sha256: Self.all, hash("a"): Self.some])
    // Something else to clean: without it, cleaning has nothing to do.
    try await store.sync([.sample("p", id: "1")], to: .otherFeed)
    _ = try await store.library.removeFeed(id: 2, purging: false)

    _ = try await store.library.clean(.now)

    let known = try await store.library.details(ofOriginals: [original.sha256, hash("a")])
    #expect(known == [original.sha256: Self.all])
  }

  @Test func `a library that was not made yet has none`() async throws {
    #expect(try await store.library.details(ofOriginals: [hash("a")]) == [:])
  }
}
