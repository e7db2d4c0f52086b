import FoundationEssentials
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// Pictures that a sign has replaced, and that come back once the same sign came for another image.
///
/// The sign has the format and the size of the pictures, and comes under their own addresses.
struct ReturnedPictureTests {
  private let clock = Clock()
  private let photo = TestPicture.jpeg(width: 320, height: 200)
  private var sign: [UInt8] { photo + [7, 7] }

  private func reply(_ bytes: [UInt8]) -> FakeReply {
    var reply = FakeReply.picture(bytes)
    reply.validators = Validators(entityTag: "\"\(bytes.hashValue)\"")
    reply.freshSeconds = 60
    return reply
  }

  /// The next sync of a feed of images, all of whose pictures are due; one without bytes has not changed.
  private func next(
    _ bytes: [(name: String, bytes: [UInt8]?)],
    _ kind: PictureKind = .thumbnail,
    after earlier: SyncBench? = nil
  ) -> SyncBench {
    clock.go(100)
    let names = bytes.map(\.name).joined(separator: " ")
    var all: [WebAddress: FakeReply] = [
      .feed: .document(names, validators: SyncBench.validators)
    ]
    for (name, bytes) in bytes {
      let address: WebAddress = kind == .original ? .original(name) : .thumbnail(name)
      all[address] = bytes.map(reply) ?? FakeReply(status: 304)
    }
    return SyncBench(all, store: earlier?.store ?? FaultyLibrary(), clock: clock)
  }

  private func photo(_ name: String) -> [UInt8] { photo + Array(name.utf8) }

  /// The images whose newer pictures each of several syncs tells of, and the last bench.
  private func follow(
    _ syncs: [[(name: String, bytes: [UInt8]?)]],
    _ kind: PictureKind = .thumbnail
  ) async -> (told: [[Int64]], last: SyncBench) {
    var told: [[Int64]] = []
    var bench = next(syncs[0], kind)
    for (index, sync) in syncs.enumerated() {
      if index > 0 { bench = next(sync, kind, after: bench) }
      let plan =
        kind == .original
        ? SyncPlan(feeds: [.feed], fetchesThumbnails: false, fetchesOriginals: true)
        : SyncPlan(feeds: [.feed])
      told.append(await bench.summaries(plan).flatMap(\.doubtful))
    }
    return (told, bench)
  }

  /// What is beside the stored thumbnails of the images 1 to 3.
  private func beside(_ bench: SyncBench) async throws -> [[PictureSource]] {
    var sources: [[PictureSource]] = []
    for id in Int64(1)...3 {
      sources.append(try await bench.store.successors(imageID: id).map(\.source))
    }
    return sources
  }

  @Test func `the first image gets its thumbnail back when the sign comes for a second one`()
    async throws
  {
    let (told, last) = await follow([
      [("mars", photo("mars")), ("moon", photo("moon")), ("sun", photo("sun"))],
      [("mars", sign), ("moon", nil), ("sun", nil)],
      [("mars", nil), ("moon", sign), ("sun", nil)],
    ])

    #expect(told == [[], [], [1, 2]])
    #expect(last.store.thumbnails.map(\.bytes) == ["mars", "moon", "sun"].map(photo))
    #expect(try await beside(last) == [[.bytes(sign)], [.bytes(sign)], []])
    #expect(try await last.store.successors(imageID: 1).map(\.doubts) == [[.shared]])
  }

  @Test func `the server of the returned thumbnail is asked with what it gave for the sign`()
    async throws
  {
    let (told, last) = await follow([
      [("mars", photo("mars")), ("moon", photo("moon"))], [("mars", sign), ("moon", nil)],
      [("mars", nil), ("moon", sign)], [("mars", sign), ("moon", sign)],
      [("mars", photo("mars")), ("moon", nil)],
    ])

    let asked = last.network.requests.first { $0.address == .thumbnail("mars") }
    #expect(asked?.validators == reply(sign).validators)
    #expect(told == [[], [], [1, 2], [], []])
    #expect(last.store.thumbnails.map(\.bytes) == ["mars", "moon"].map(photo))
    #expect(try await beside(last) == [[], [.bytes(sign)], []])
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `all of three images keep their thumbnails, in whatever order the sign comes`(
    order: [Int]
  ) async throws {
    let names = ["mars", "moon", "sun"]
    var syncs: [[(name: String, bytes: [UInt8]?)]] = [names.map { ($0, photo($0)) }]
    for place in order {
      syncs.append(names.enumerated().map { ($1, $0 == place ? sign : nil) })
    }

    let (told, last) = await follow(syncs)

    #expect(
      told.map { Set($0) } == [
        [], [], Set(order[0...1].map { Int64($0) + 1 }), [Int64(order[2]) + 1],
      ]
    )
    #expect(last.store.thumbnails.map(\.bytes) == names.map(photo))
    #expect(try await beside(last) == [[.bytes(sign)], [.bytes(sign)], [.bytes(sign)]])
  }

  @Test func `images that have shared a thumbnail from the beginning are not touched`() async throws
  {
    let (told, last) = await follow([
      [("mars", photo), ("moon", photo), ("sun", photo("sun"))],
      [("mars", nil), ("moon", nil), ("sun", photo)],
    ])

    #expect(told == [[], [3]])
    #expect(last.store.thumbnails.map(\.bytes) == [photo, photo, photo("sun")])
    #expect(try await beside(last) == [[], [], [.bytes(photo)]])
  }

  @Test func `a webcam under two addresses goes on under the first one`() async throws {
    let frames = (0..<4).map { photo + [UInt8($0), 1] }

    var syncs: [[(name: String, bytes: [UInt8]?)]] = [[("cam", frames[0]), ("mirror", frames[0])]]
    for frame in frames.dropFirst() {
      syncs += [[("cam", frame), ("mirror", nil)], [("cam", nil), ("mirror", frame)]]
    }

    let (_, last) = await follow(syncs)

    #expect(last.store.thumbnails.map(\.bytes)[0] == frames[3])
    #expect(try await last.store.successors(imageID: 1) == [])
  }

  @Test func `a webcam is not touched by the pictures of other images`() async throws {
    let (told, last) = await follow([
      [("cam", photo("1")), ("moon", photo("moon"))], [("cam", photo("2")), ("moon", nil)],
      [("cam", photo("3")), ("moon", photo("new"))],
    ])

    #expect(told == [[], [], []])
    #expect(last.store.thumbnails.map(\.bytes) == [photo("3"), photo("new")])
  }

  @Test func `a new image with the picture of a webcam gives nothing back`() async throws {
    let (told, last) = await follow([
      [("cam", photo("1"))], [("cam", photo("2"))], [("cam", nil), ("archive", photo("2"))],
    ])

    #expect(told == [[], [], []])
    #expect(last.store.thumbnails.map(\.bytes) == [photo("2"), photo("2")])
  }

  @Test func `an original that a changed thumbnail outdated is right again`() async throws {
    let first = next([("mars", photo("mars")), ("moon", photo("moon"))])
    _ = await first.facts()
    let original = StoredOriginal.sample(imageID: 1, address: .original("mars"))
    first.store.keepOriginal(original, imageID: 1)
    let second = next([("mars", sign), ("moon", nil)], after: first)
    _ = await second.facts()
    let outdated = try await second.store.original(imageID: 1)?.isStale

    let third = next([("mars", nil), ("moon", sign)], after: second)
    _ = await third.facts()

    #expect(outdated == true)
    #expect(try await third.store.original(imageID: 1)?.isStale == false)
  }

  // MARK: Originals

  @Test(arguments: [false, true])
  func `the first image gets its original back when the sign comes for a second one`(
    isSecondPinned: Bool
  ) async throws {
    var bench = next(["mars", "moon", "sun"].map { ($0, photo($0)) }, .original)
    let plan = SyncPlan(feeds: [.feed], fetchesThumbnails: false, fetchesOriginals: true)
    _ = await bench.summaries(plan)
    if isSecondPinned { _ = try await bench.store.library.setPinned(true, imageIDs: [2]) }
    let before = try await bench.store.original(imageID: 1)?.sha256

    bench = next([("mars", sign), ("moon", nil), ("sun", nil)], .original, after: bench)
    _ = await bench.summaries(plan)
    let between = try await bench.store.original(imageID: 1)?.sha256
    bench = next([("mars", nil), ("moon", sign), ("sun", nil)], .original, after: bench)
    let told = await bench.summaries(plan).flatMap(\.doubtful)

    #expect(told == [1, 2])
    #expect(between == SHA256Digest(of: sign).hexadecimal)
    #expect(try await bench.store.original(imageID: 1)?.sha256 == before)
    #expect(try await bench.store.original(imageID: 1)?.isStale == false)
    #expect(try await bench.store.successors(imageID: 1).map(\.doubts) == [[.shared]])
    let doubts: [SuccessorDoubt] = isSecondPinned ? [.shared, .pinned] : [.shared]
    #expect(try await bench.store.successors(imageID: 2).map(\.doubts) == [doubts])
    #expect(try await bench.store.successors(imageID: 3) == [])
  }

  @Test func `a sign that comes for two images at once replaces neither original`() async throws {
    let (told, last) = await follow(
      [
        [("mars", photo("mars")), ("moon", photo("moon"))], [("mars", sign), ("moon", sign)],
      ],
      .original
    )

    #expect(told == [[], [1, 2]])
    for (id, name) in [(Int64(1), "mars"), (2, "moon")] {
      let hash = SHA256Digest(of: photo(name)).hexadecimal
      #expect(try await last.store.original(imageID: id)?.sha256 == hash)
      #expect(try await last.store.successors(imageID: id).count == 1)
    }
  }
}
