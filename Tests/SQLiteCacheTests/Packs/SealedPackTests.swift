import Foundation
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

/// Full packs, which mirrors fetch by their hash.
struct SealedPackTests {
  private let store: TemporaryLibrary

  init() async throws {
    store = try TemporaryLibrary()
    try await store.sync([
      .sample("a", id: "a", thumbnail: "a"), .sample("b", id: "b", thumbnail: "b"),
      .sample("c", id: "c", thumbnail: "c"),
    ])
    // Two thumbnails fill a pack, and the third one begins another.
    for bytes in [[UInt8](repeating: 1, count: Limits.packBytes - 3), [2, 2, 2], [3, 3]] {
      let wanted = try await store.library.wanted(
        .thumbnail,
        feedID: 1,
        .missing,
        after: nil,
        limit: 1
      )
      try await store.library.store(
        PictureBatch(new: wanted.map { .sample($0, bytes: bytes) }),
        .thumbnail
      )
    }
  }

  private func thumbnails() async throws -> [Int64: ImageState.Thumbnail] {
    let page = try await store.library.changePage(ChangeRequest(kinds: [.image], limit: 9))
    var thumbnails: [Int64: ImageState.Thumbnail] = [:]
    for line in page.lines {
      if case .image(let state) = line.state { thumbnails[state.id] = state.thumbnail }
    }
    return thumbnails
  }

  /// The image whose thumbnail has this many bytes.
  private func thumbnail(_ bytes: Int) async throws -> ImageState.Thumbnail {
    try #require(await thumbnails().values.first { $0.info.bytes == bytes })
  }

  @Test func `a change tells where a thumbnail is in a sealed pack`() async throws {
    let reference = try #require(try await thumbnail(3).pack)

    let pack = try #require(try await store.library.pack(reference.hash))
    #expect(pack.bytes == Limits.packBytes)
    let bytes = try Data(contentsOf: URL(filePath: pack.path))
    #expect(bytes[reference.offset..<reference.offset + 3] == Data([2, 2, 2]))
    let hash = try SHA256.digest(of: Array(bytes.prefix(pack.bytes)), path: pack.path)
    #expect(hash == reference.hash)
    #expect(try await thumbnail(2).pack == nil)
    #expect(try await store.library.pack(SHA256Digest(words: [1, 2, 3, 4])) == nil)
  }

  @Test func `a hole takes the hash away until its room is given back`() async throws {
    let old = try #require(try await thumbnail(3).pack)
    let id = try #require(
      try store.numbers("SELECT image_id FROM thumbnail WHERE bytes = 3").first
    )
    let checks = try await store.library.checks(.thumbnail, imageIDs: [id])
    try await store.library.store(
      PictureBatch(changed: checks.map { .sample($0, bytes: [9, 9, 9, 9]) }),
      .thumbnail
    )

    #expect(try await thumbnail(Limits.packBytes - 3).pack == nil)
    #expect(try await store.library.pack(old.hash) == nil)
    try await store.library.prepareForFollowers()
    #expect(try await thumbnail(Limits.packBytes - 3).pack == nil)

    try await store.library.flush()
    try await store.library.prepareForFollowers()
    let new = try #require(try await thumbnail(Limits.packBytes - 3).pack)
    #expect(try await store.library.pack(new.hash)?.bytes == Limits.packBytes)
  }

  @Test func `a pack is for everybody while each of its pictures is listed`() async throws {
    let pack = try #require(try await thumbnail(3).pack)
    let packs = try await store.library.publicPacks()
    #expect(packs == [pack.hash: try #require(try await store.library.pack(pack.hash))])

    try store.execute(
      "UPDATE image SET is_hidden = 1 WHERE id = (SELECT image_id FROM thumbnail WHERE bytes = 3)"
    )
    #expect(try await store.library.publicPacks() == [:])
    #expect(try await store.library.pack(pack.hash) != nil)
    try store.execute("UPDATE image SET is_hidden = 0; UPDATE feed SET is_removed = 1")
    #expect(try await store.library.publicPacks() == [:])
  }

  @Test func `a pack with room that was given back is not for everybody`() async throws {
    let id = try #require(
      try store.numbers("SELECT image_id FROM thumbnail WHERE bytes = 3").first
    )
    let checks = try await store.library.checks(.thumbnail, imageIDs: [id])
    try await store.library.store(
      PictureBatch(changed: checks.map { .sample($0, bytes: [9, 9, 9, 9]) }),
      .thumbnail
    )
    try await store.library.flush()
    try await store.library.prepareForFollowers()

    #expect(try await thumbnail(Limits.packBytes - 3).pack != nil)
    #expect(try await store.library.publicPacks() == [:])
  }

  @Test func `states come in the order that is asked for, without those that are hidden`()
    async throws
  {
    try store.execute("UPDATE image SET is_hidden = 1 WHERE id = 2")

    #expect(try await store.library.states(ids: [3, 2, 1, 99]).map(\.id) == [3, 1])
  }
}
