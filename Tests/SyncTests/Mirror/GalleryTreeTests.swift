import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// The comparison of a copy with the tree of its gallery.
struct GalleryTreeTests {
  private static let feed = hash("the feed")
  private static let month = hash("the month")
  private static let november = Timeline.month(ofSecond: 1_793_606_400)

  private static func hash(_ text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

  private static func leaf(_ hash: String, _ first: Int64, _ last: Int64) -> String {
    #"{"hash":"\#(hash)","first":\#(first),"last":\#(last)}"#
  }

  private static func image(_ id: Int64, number: Int64) -> String {
    #"{"seq":\#(number),"op":"put","type":"image","id":\#(id),"data":{"feed":1,"position":1,"#
      + #""date":"2026-11-02T08:00:00Z","firstSeen":"2026-11-02T08:00:00Z","#
      + #""originalURL":"https://own.example/a.jpg"}}"#
  }

  private static func root(feeds: Int64 = 1) -> RootNode {
    RootNode(
      hash: "",
      library: MirrorBench.library,
      cursor: "1.b",
      feeds: (1...feeds).map { RootNode.Feed(id: $0, seq: 9, hash: feed.hexadecimal) },
      pins: []
    )
  }

  /// A copy with three images in a month, and its gallery, whose month has these leaves.
  private func bench(
    _ leaves: [String],
    images: Int = 3,
    pages: [(SHA256Digest, FakeReply)] = []
  ) -> MirrorBench {
    let node = Self.node([
      #"{"month":"2026-11","hash":"\#(Self.month.hexadecimal)","images":\#(images)}"#
    ])
    let month =
      #"{"hash":"\#(Self.month.hexadecimal)","month":"2026-11","leaves":["#
      + leaves.joined(separator: ",") + "]}"
    var replies = [Self.feed: FakeReply.document(node), Self.month: .document(month)]
    for (hash, reply) in pages { replies[hash] = reply }
    let own = (1...3).map { MirroredImage(id: $0, number: 1, month: Self.november) }
    return MirrorBench(
      Self.addressed(replies),
      mirrors: RecordingMirrors(.sample(images: 3), images: own)
    )
  }

  /// The node of the feed with these months.
  private static func node(_ months: [String]) -> String {
    #"{"hash":"\#(feed.hexadecimal)","id":1,"feed":{"seq":9,"op":"put","type":"feed","id":1,"#
      + #""data":{"url":"https://own.example/"}},"months":["# + months.joined(separator: ",") + "]}"
  }

  private static func addressed(
    _ replies: [SHA256Digest: FakeReply]
  ) -> [WebAddress: FakeReply] {
    var addressed: [WebAddress: FakeReply] = [:]
    for (hash, reply) in replies {
      if let address = MirrorBench.gallery.treeNode(hash) { addressed[address] = reply }
    }
    return addressed
  }

  @Test func `asks for the leaves that differ, and removes what is in none`() async throws {
    let same = Self.hash("images\n1 1\n").hexadecimal
    let other = Self.hash("images\n2 5\n")
    let bench = bench(
      [Self.leaf(same, 0, 1), Self.leaf(other.hexadecimal, 2, 2)],
      pages: [(other, .document(Self.image(2, number: 5)))]
    )

    try await bench.apply(Self.root())

    let expected = [Self.feed, Self.month, other].compactMap(MirrorBench.gallery.treeNode)
    #expect(bench.network.addresses == expected)
    let changes = bench.mirrors.pages.flatMap(\.lines).map { line in
      "\(line.position.kind) \(line.position.id) \(line.state == .removed ? "removed" : "put")"
    }
    #expect(changes == ["feed 1 put", "image 2 put", "image 3 removed"])
    #expect(bench.mirrors.pages.last?.cursor == "1.b")
  }

  @Test(
    arguments: [
      [(1, 3), (1, 3)], [(2, 3), (1, 1)], [(1, 2), (2, 3)], [(3, 1)],
      [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)],
    ] as [[(Int64, Int64)]]
  )
  func `a month whose leaves overlap, or are more than its images, is refused`(
    leaves: [(Int64, Int64)]
  ) async throws {
    let bench = bench(leaves.map { Self.leaf("", $0.0, $0.1) })

    await #expect(throws: Failure.feed(.gallery(.wrongNode))) {
      try await bench.apply(Self.root())
    }

    #expect(bench.network.addresses.count == 2)
  }

  @Test func `a month that differs has to have a leaf that differs`() async throws {
    let same = Self.hash("images\n1 1\n2 1\n3 1\n").hexadecimal
    let bench = bench([Self.leaf(same, 0, 9)])

    await #expect(throws: Failure.feed(.gallery(.wrongNode))) {
      try await bench.apply(Self.root())
    }
  }

  @Test func `a root with more feeds than a gallery may have is refused`() async throws {
    let limit = SyncLimits.feedsPerGallery
    let bench = bench([])

    await #expect(throws: Failure.feed(.beyondLimit(of: "feeds", limit: limit))) {
      try await bench.apply(Self.root(feeds: Int64(limit) + 1))
    }
    #expect(bench.network.addresses == [])
  }

  @Test(arguments: ["", "../a", String(repeating: "a", count: 1_025)])
  func `a root with a cursor that cannot be stored is refused`(cursor: String) async throws {
    var root = Self.root()
    root.cursor = cursor
    let bench = bench([])

    await #expect(throws: Failure.feed(.gallery(.wrongNode))) { try await bench.apply(root) }
    #expect(bench.mirrors.pages == [])
  }

  @Test func `months that lead to one image again and again end with the limit of documents`()
    async throws
  {
    var bounds = FeedBounds()
    bounds.documents = 1
    let leaf = Self.hash("images\n1 5\n")
    var replies = [leaf: FakeReply.document(Self.image(1, number: 5))]
    let months = (1...9).map { number in
      let (name, hash) = ("2026-0\(number)", Self.hash("\(number)").hexadecimal)
      replies[Self.hash("\(number)")] = .document(
        #"{"hash":"\#(hash)","month":"\#(name)","leaves":[\#(Self.leaf(leaf.hexadecimal, 0, 9))]}"#
      )
      return #"{"month":"\#(name)","hash":"\#(hash)","images":1}"#
    }
    replies[Self.feed] = .document(Self.node(months))
    let bench = MirrorBench(
      Self.addressed(replies),
      mirrors: RecordingMirrors(.sample()),
      bounds: bounds
    )

    await #expect(throws: Failure.feed(.beyondBound(.documents(1), stored: 1))) {
      try await bench.apply(Self.root())
    }
  }
}
