import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

/// Thumbnails that come in the place of stored ones, and may not be the same pictures.
struct DoubtfulThumbnailTests {
  private let clock = Clock()
  private let photo = TestPicture.jpeg(width: 320, height: 200)
  private let sign = TestPicture.jpeg(width: 64, height: 64)

  private func reply(_ bytes: [UInt8], tag: String = "\"photo\"") -> FakeReply {
    var reply = FakeReply.picture(bytes)
    reply.validators = Validators(entityTag: tag)
    reply.freshSeconds = 60
    return reply
  }

  private var removed: FakeReply {
    var reply = reply(sign, tag: "\"sign\"")
    reply.address = .sample("removed.png")
    return reply
  }

  /// The next sync of a feed of images, whose thumbnails are due.
  private func next(
    _ replies: [String: FakeReply],
    after earlier: SyncBench? = nil
  ) -> SyncBench {
    clock.go(100)
    var all: [WebAddress: FakeReply] = [
      .feed: .document(
        replies.keys.sorted().joined(separator: " "),
        validators: SyncBench.validators
      )
    ]
    for (name, reply) in replies { all[.thumbnail(name)] = reply }
    return SyncBench(all, store: earlier?.store ?? FaultyLibrary(), clock: clock)
  }

  /// A feed whose thumbnails are stored.
  private func stored(_ names: String...) async -> SyncBench {
    let replies = names.map { name in
      (name, reply(photo + Array(name.utf8), tag: "\"\(name)\""))
    }
    let bench = next(Dictionary(uniqueKeysWithValues: replies))
    _ = await bench.facts()
    return bench
  }

  private func newer(_ bench: SyncBench, _ imageID: Int64 = 1) async throws -> [Successor] {
    try await bench.store.successors(imageID: imageID)
  }

  @Test func `keeps a sign beside the stored one, and says so`() async throws {
    let first = await stored("moon")
    let original = StoredOriginal.sample(imageID: 1, address: .original("moon"))
    first.store.keepOriginal(original, imageID: 1)

    let bench = next(["moon": removed], after: first)
    let summaries = await bench.summaries()

    #expect(summaries.map(\.doubtful) == [[1]])
    #expect(summaries.map(\.thumbnails.stored) == [0])
    #expect(bench.store.thumbnails.map(\.bytes) == [photo + Array("moon".utf8)])
    let newer = try await newer(bench)
    #expect(newer.map(\.doubts) == [[.sign, .redirected, .smaller, .otherShape]])
    #expect(newer.map(\.source) == [.bytes(sign)])
    #expect(newer.map(\.arrived) == [clock.now])
    // Nothing says that the original has changed.
    #expect(try await bench.store.original(imageID: 1)?.isStale == false)
  }

  @Test func `asks with what the server gave for the newer one, and tells of it once`() async throws
  {
    let second = next(["moon": removed], after: await stored("moon"))
    _ = await second.facts()

    let third = next(["moon": FakeReply(status: 304)], after: second)
    let summaries = await third.summaries()
    let fourth = next(["moon": removed], after: third)
    let again = await fourth.summaries()

    #expect(third.network.requests.last?.validators == Validators(entityTag: "\"sign\""))
    #expect((summaries + again).map(\.doubtful) == [[], []])
    #expect(try await newer(fourth).count == 1)
  }

  @Test func `forgets the newer one when the stored one comes again`() async throws {
    let second = next(["moon": removed], after: await stored("moon"))
    _ = await second.facts()

    let third = next(["moon": reply(photo + Array("moon".utf8))], after: second)
    let summaries = await third.summaries()

    #expect(summaries.map(\.doubtful) == [[]])
    #expect(try await newer(third) == [])
    #expect(third.store.thumbnails.map(\.validators) == [Validators(entityTag: "\"photo\"")])
  }

  @Test(arguments: [FakeReply(status: 304), nil])
  func `keeps the next sign beside it, too, when one came again by its redirect`(
    again: FakeReply?
  ) async throws {
    func redirected(_ reply: FakeReply) -> FakeReply {
      var reply = reply
      reply.address = .sample("x.jpg")
      return reply
    }
    let sign = redirected(reply(photo + [1], tag: "\"sign\""))
    let second = next(["moon": sign], after: await stored("moon"))
    _ = await second.facts()
    let third = next(["moon": redirected(again ?? sign)], after: second)
    _ = await third.facts()

    let fourth = next(["moon": redirected(reply(photo + [2], tag: "\"other\""))], after: third)
    let summaries = await fourth.summaries()

    #expect(summaries.map(\.doubtful) == [[1]])
    #expect(try await newer(fourth).map(\.doubts) == [[.redirected]])
    #expect(fourth.store.thumbnails.map(\.bytes) == [photo + Array("moon".utf8)])
  }

  @Test func `keeps the newest one only`() async throws {
    let second = next(["moon": removed], after: await stored("moon"))
    _ = await second.facts()
    let other = TestPicture.jpeg(width: 65, height: 64)

    let third = next(["moon": reply(other)], after: second)
    _ = await third.facts()

    #expect(try await newer(third).map(\.source) == [.bytes(other)])
  }

  @Test func `takes a picture that came by a redirect before, too`() async throws {
    func webcam(_ bytes: [UInt8], _ name: String) -> FakeReply {
      var reply = reply(bytes)
      reply.address = .sample(name)
      return reply
    }
    let first = next(["cam": webcam(photo, "10-00.jpg")])
    _ = await first.facts()

    let second = next(["cam": webcam(photo + [1], "11-00.jpg")], after: first)
    let summaries = await second.summaries()

    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(second.store.thumbnails.map(\.bytes) == [photo + [1]])
  }

  @Test func `keeps a picture beside several that it came for at once`() async throws {
    let first = await stored("mars", "moon", "sun")
    let notice = photo + [7]

    let replies = ["mars": reply(notice), "moon": reply(notice), "sun": reply(photo + [8])]
    let second = next(replies, after: first)
    let summaries = await second.summaries()

    #expect(summaries.map(\.doubtful) == [[1, 2]])
    #expect(try await newer(second).map(\.doubts) == [[.shared]])
    #expect(second.store.thumbnails.map(\.bytes).last == photo + [8])
  }

  @Test func `keeps a picture beside several whose feed names other addresses for them`()
    async throws
  {
    let first = await stored("mars", "moon")
    let notice = reply(photo + [3])
    first.store.name(.sample("n/mars.jpg"), asThumbnailOf: 1)
    first.store.name(.sample("n/moon.jpg"), asThumbnailOf: 2)
    let bench = SyncBench(
      [
        .feed: FakeReply(status: 304), .sample("n/mars.jpg"): notice,
        .sample("n/moon.jpg"): notice,
      ],
      store: first.store,
      clock: clock
    )

    let summaries = await bench.summaries()

    #expect(summaries.map { $0.doubtful.sorted() } == [[1, 2]])
    #expect(summaries.map(\.thumbnails.waiting) == [0])
    #expect(try await newer(bench, 2).map(\.doubts) == [[.shared]])
    let names = ["mars", "moon"].map { photo + Array($0.utf8) }
    #expect(bench.store.thumbnails.map(\.bytes) == names)
  }

  @Test func `keeps a picture beside one that it comes for later`() async throws {
    let notice = photo + [7]
    let second = next(["moon": reply(notice), "sun": removed], after: await stored("moon", "sun"))
    _ = await second.facts()

    let third = next(["moon": FakeReply(status: 304), "sun": reply(notice)], after: second)
    let summaries = await third.summaries()

    // The first image gets its picture back.
    #expect(summaries.map { $0.doubtful.sorted() } == [[1, 2]])
    #expect(try await newer(third, 2).map(\.doubts) == [[.shared]])
  }

  @Test func `keeps a sign that the feed names beside the stored one, and wants no other`()
    async throws
  {
    let first = await stored("moon")
    first.store.name(.sample("deleted.jpg"), asThumbnailOf: 1)
    let bench = SyncBench(
      [.feed: FakeReply(status: 304), .sample("deleted.jpg"): reply(photo + [3])],
      store: first.store,
      clock: clock
    )

    let summaries = await bench.summaries()

    #expect(summaries.map(\.doubtful) == [[1]])
    #expect(summaries.map(\.thumbnails.waiting) == [0])
    #expect(try await newer(bench).map(\.doubts) == [[.sign]])
    #expect(bench.store.thumbnails.map(\.bytes) == [photo + Array("moon".utf8)])
  }
}
