import Foundation
import LibraryFiles
import Models
import Store
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct LibraryTreeTests {
  private let store: TemporaryStore

  init() async throws {
    store = try TemporaryStore()
    try await store.sync([
      .sample("a", id: "a", published: .first), .sample("b", id: "b", published: .first),
      .sample("c", id: "c", published: .first.addingTimeInterval(-40 * 86_400)),
    ])
    try await store.sync([.sample("d", id: "d", published: .first)], to: .otherFeed)
  }

  private func tree() async throws -> LibraryTree {
    try await store.settle()
    return try #require(await store.library.tree())
  }

  private func hash(_ text: String) throws -> SHA256Digest {
    try SHA256.digest(of: Array(text.utf8), path: "a text")
  }

  /// The lines of images, as a client makes them from its copy.
  private func lines(_ condition: String) throws -> String {
    let ids = try store.numbers("SELECT id FROM image WHERE \(condition) ORDER BY id")
    let numbers = try store.numbers("SELECT change_seq FROM image WHERE \(condition) ORDER BY id")
    return zip(ids, numbers).map { "\($0) \($1)\n" }.joined()
  }

  @Test func `a client can compute every hash`() async throws {
    _ = try await store.library.setPinned(true, imageID: 2)
    let tree = try await tree()

    let feed = tree.feeds[0]
    #expect(tree.feeds.map(\.images) == [3, 1])
    #expect(feed.hash == (try hash("feed 1 \(feed.number)\n" + lines("feed_id = 1"))))
    #expect(feed.months.map { Timeline.text(ofMonth: $0.month) } == ["2023-10", "2023-11"])
    #expect(feed.months[1].hash == (try hash("month 1 2023-11\n" + lines("id IN (1, 2)"))))
    let leaf = feed.months[1].leaves[0]
    #expect(leaf.images == 2 && leaf.ids.contains(1) && leaf.ids.contains(2))
    #expect(leaf.hash == (try hash("images\n" + lines("id IN (1, 2)"))))
    let feeds = tree.feeds.map { "feed \($0.id) \($0.hash.hexadecimal)\n" }.joined()
    let pins = "pin 2 \(tree.pins[0].number)\n"
    #expect(tree.hash == (try hash("library \(tree.version.library)\n\(feeds)\(pins)")))
  }

  @Test func `only what has changed has other hashes`() async throws {
    let before = try await tree()
    #expect(try await tree().hash == before.hash)

    try await store.storeOriginal([1], imageID: 1, from: "a")
    let after = try await tree()

    #expect(after.hash != before.hash)
    #expect(after.feeds[1] == before.feeds[1])
    #expect(after.feeds[0].hash != before.feeds[0].hash)
    #expect(after.feeds[0].months[0] == before.feeds[0].months[0])
    #expect(after.feeds[0].months[1].hash != before.feeds[0].months[1].hash)
  }

  @Test func `what is hidden is in no tree`() async throws {
    _ = try await store.library.removeFeed(id: 1, purging: false)

    #expect(try await tree().feeds.map(\.id) == [2])
  }

  @Test func `gives the images of a leaf`() async throws {
    let month = try await tree().feeds[0].months[1]

    let images = try await store.library.images(
      ofFeed: 1,
      month: month.month,
      ids: month.leaves[0].ids
    )

    #expect(images.map(\.id) == [1, 2])
    #expect(images.map(\.entryID) == ["a", "b"])
    let rest = try await store.library.images(ofFeed: 1, month: month.month, ids: 2...9)
    #expect(rest.map(\.id) == [2])
  }

  @Test func `without a library there is no tree`() async throws {
    #expect(try await TemporaryStore(isNew: true).library.tree() == nil)
  }

  // MARK: Leaves

  @Test func `a long month is cut, and each image is in one leaf`() {
    let ids = (1...7_001).map { Int64($0 * 3) }
    let leaves = LibraryTree.leaves(of: ids[...])

    #expect(leaves.flatMap(\.ids) == ids)
    #expect(leaves.allSatisfy { $0.ids.count <= LibraryTree.imagesPerLeaf && !$0.ids.isEmpty })
    #expect(leaves.count <= 8)
    #expect(leaves.first?.range.lowerBound == 0)
    #expect(leaves.last?.range.upperBound == LibraryTree.highestID)
    for (one, next) in zip(leaves, leaves.dropFirst()) {
      #expect(one.range.upperBound + 1 == next.range.lowerBound)
    }
    #expect(leaves.allSatisfy { leaf in leaf.ids.allSatisfy(leaf.range.contains) })
  }

  /// Only a damaged library has such ids.
  @Test(arguments: [
    (-5_000)...5_000, (Int64.max - 5_000)...Int64.max, Int64.min...(Int64.min + 5_000),
  ])
  func `ids outside of the range are in a leaf, too`(ids: ClosedRange<Int64>) {
    let ids = Array(ids)

    #expect(LibraryTree.leaves(of: ids[...]).flatMap(\.ids) == ids)
  }

  @Test func `an image more changes few leaves`() {
    let ids = (1...20_000).map { Int64($0 * 3) }
    let before = Set(LibraryTree.leaves(of: ids[...]).map { Array($0.ids) })
    let more = (ids + [30_001]).sorted()
    let after = Set(LibraryTree.leaves(of: more[...]).map { Array($0.ids) })

    #expect(after.subtracting(before).count <= 2)
  }

  @Test(arguments: [12, 13, 23, 24, 4_799, 23_651, 24_288, 24_323, 119_987])
  func `the seconds of a month are those whose month it is`(month: Int) {
    let seconds = Timeline.seconds(ofMonth: month)

    #expect(Timeline.month(ofSecond: seconds.lowerBound) == month)
    #expect(Timeline.month(ofSecond: seconds.upperBound - 1) == month)
    #expect(Timeline.month(ofSecond: seconds.upperBound) == month + 1)
    #expect(Timeline.month(ofSecond: seconds.lowerBound - 1) == month - 1)
  }
}
