import FoundationEssentials
import Models
import SQLiteCache
import Store
import Sync
import TestSupport
import Testing
import Workers

/// The thumbnails that a sync makes because the feed does not name any, or one that fails.
@Suite(.timeLimit(.minutes(60)))
struct MadeThumbnailTests {
  private let clock = Clock()
  private let validators = Validators(entityTag: "\"old\"", lastModified: "Mon")

  /// A feed of stored images without thumbnails, whose originals have replies.
  private func bench(
    _ replies: [String: FakeReply],
    images: [String] = ["moon"],
    imaging: FakeImaging = FakeImaging()
  ) -> SyncBench {
    var all: [WebAddress: FakeReply] = [.feed: FakeReply(status: 304)]
    for (name, reply) in replies { all[.original(name)] = reply }
    let bench = SyncBench(all, clock: clock, imaging: imaging)
    _ = bench.know(
      images: images.map { FeedImage(originalAddress: .original($0)) }
    )
    return bench
  }

  private func picture(_ bytes: [UInt8] = PictureBytes.jpeg) -> FakeReply {
    var reply = FakeReply.picture(bytes)
    reply.validators = validators
    return reply
  }

  private func keepOriginal(_ bench: SyncBench, imageID: Int64 = 1, name: String = "moon") {
    let original = StoredOriginal.sample(
      imageID: imageID,
      address: .original(name),
      validators: validators
    )
    bench.store.keepOriginal(original, imageID: imageID)
  }

  @Test func `makes one from the original, which is not kept`() async {
    let imaging = FakeImaging()
    let bench = bench(["moon": picture()], imaging: imaging)

    let facts = await bench.facts()

    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(facts.summaries.map(\.originals) == [TransferCounts()])
    #expect(imaging.decoded == [.file(path: bench.store.partial(imageID: 1))])
    #expect(bench.store.events.contains(.discarded(imageID: 1)))
    let made = bench.store.thumbnails.first
    #expect(made?.bytes == FakeImaging.bytes)
    #expect(made?.info == FakeImaging.info)
    #expect(made?.address == .original("moon"))
    #expect(made?.validators == validators)
    #expect(made?.sourceSHA256 == SHA256Digest(of: PictureBytes.jpeg).hexadecimal)
  }

  @Test func `uses an original that is stored, without network or budget`() async {
    let imaging = FakeImaging()
    let bench = bench([:], imaging: imaging)
    keepOriginal(bench)

    let summaries = await bench.summaries(SyncPlan(feeds: [.feed], originalBytes: 0))

    #expect(bench.network.addresses == [.feed])
    #expect(imaging.decoded == [.file(path: bench.store.originalPath(imageID: 1))])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(bench.store.thumbnails.first?.sourceSHA256 == StoredOriginal.sampleSHA256)
  }

  @Test func `lets those wait that the budget has no room for`() async {
    let names = ["a", "b", "c"]
    let replies = Dictionary(uniqueKeysWithValues: names.map { ($0, picture()) })
    let bench = bench(replies, images: names)

    let facts = await bench.facts(
      SyncPlan(feeds: [.feed], originalBytes: 2 * PictureBytes.jpeg.count)
    )

    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 2, waiting: 1)])
  }

  @Test func `fetches every original once when all are kept`() async {
    let imaging = FakeImaging()
    let bench = bench(["moon": picture()], imaging: imaging)

    let summaries = await bench.summaries(.everything)

    #expect(bench.network.addresses == [.feed, .original("moon")])
    #expect(imaging.decoded == [.file(path: bench.store.originalPath(imageID: 1))])
    #expect(summaries.map(\.originals) == [TransferCounts(stored: 1)])
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `makes one as soon as its original is kept, while others are still to come`() async {
    let gate = Gate()
    let imaging = FakeImaging()
    let bench = bench(
      ["moon": picture(PictureBytes.jpeg + [0]), "sun": .held(by: gate)],
      images: ["sun", "moon"],
      imaging: imaging
    )

    let run = bench.start(.everything)
    await bench.store.madeBatches.reaches(1)
    let early = bench.store.thumbnails.map(\.imageID)
    gate.open()
    let summaries = await run.allFacts().summaries

    #expect(early == [2])
    let paths = [2, 1].map { bench.store.originalPath(imageID: $0) }
    #expect(imaging.decoded == paths.map { .file(path: $0) })
    #expect(summaries.map(\.thumbnails) == [TransferCounts(stored: 2)])
  }

  @Test func `one that cannot be made of a kept original is told and counted once`() async {
    let bench = bench(
      ["moon": picture()],
      imaging: FakeImaging(failure: .undecodable(message: "no"))
    )

    let facts = await bench.facts(.everything)

    #expect(facts.problems.map(\.subject) == [.madeThumbnail])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(failed: 1)])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(stored: 1)])
  }

  @Test(arguments: [
    (ImagingError.undecodable(message: "no"), FailureClass.permanent),
    (.unsupported(.svg), .permanent),
    (.tooManyPixels(width: 9, height: 9, limit: 1), .permanent),
    (.crashed(signal: 11), .permanent), (.tooMuchWork(seconds: 10), .permanent),
    (.timedOut(seconds: 60), .transient), (.crashed(signal: 9), .transient),
  ])
  func `remembers why one cannot be made`(error: ImagingError, expected: FailureClass) async {
    let bench = bench(["moon": picture()], imaging: FakeImaging(failure: error))

    let facts = await bench.facts()
    let again = await bench.facts()

    let failure = Failure.imaging(error)
    let problem = SyncProblem(
      subject: .madeThumbnail,
      address: .original("moon"),
      failure: failure
    )
    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(failed: 1)])
    #expect(bench.store.failed(.madeThumbnail).map(\.picture.failureClass) == [expected])
    #expect(bench.store.failed(.madeThumbnail).map(\.picture.reason) == [SyncBench.words(failure)])
    #expect(bench.store.events.contains(.discarded(imageID: 1)))
    #expect(again.problems == [])
    #expect(again.summaries.map(\.thumbnails.waiting) == [1])
    #expect(again.summaries.map { $0.thumbnails.heldBack.map(\.count) } == [[1]])
  }

  @Test func `a failed download is remembered, too`() async {
    let bench = bench(["moon": FakeReply(status: 404)])

    let facts = await bench.facts()

    #expect(facts.problems.map(\.failure) == [.status(404)])
    #expect(bench.store.failed(.madeThumbnail).map(\.picture.address) == [.original("moon")])
  }

  @Test func `fetches nothing without a decoder, and says so once`() async {
    let bench = bench(
      ["a": picture(), "b": picture()],
      images: ["a", "b"],
      imaging: FakeImaging(isReady: false)
    )

    let facts = await bench.facts()

    #expect(facts.problems.map(\.subject) == [.making])
    #expect(facts.problems.map(\.address) == [.feed])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(waiting: 2)])
    #expect(bench.network.addresses == [.feed])
    #expect(bench.store.failed(.madeThumbnail) == [])
  }

  @Test func `a dry run counts what is to be made`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304)], clock: clock, imaging: FakeImaging())
    bench.store.keep(
      Feed(id: 7, address: .feed, status: .updated, validators: SyncBench.validators),
      images: [FeedImage(originalAddress: .original("moon"))]
    )

    let summaries = await bench.summaries(SyncPlan(feeds: [.feed], isDryRun: true))

    #expect(summaries.map(\.thumbnails) == [TransferCounts(waiting: 1)])
    #expect(bench.network.addresses == [.feed])
  }

  @Test func `asks the server of the original when it is due, and keeps what it still has`() async {
    let bench = bench(["moon": picture().then(FakeReply(status: 304))])
    _ = await bench.facts()
    clock.go(1)

    let summaries = await bench.summaries()

    #expect(bench.network.requests.last?.address == .original("moon"))
    #expect(bench.network.requests.last?.validators == validators)
    #expect(summaries.map(\.thumbnails) == [TransferCounts()])
    #expect(bench.store.keptThumbnails.map(\.address) == [.original("moon")])
  }

  @Test func `the same original once more is not news, another one is made again`() async {
    let imaging = FakeImaging()
    var other = picture(PictureBytes.jpeg + [0])
    other.validators = Validators(entityTag: "\"new\"", lastModified: "Mon")
    let bench = bench(["moon": picture().then(picture(), other)], imaging: imaging)
    _ = await bench.facts()
    clock.go(1)

    let same = await bench.summaries()
    clock.go(60)
    let changed = await bench.summaries()

    #expect(same.map(\.thumbnails) == [TransferCounts()])
    #expect(changed.map(\.thumbnails) == [TransferCounts(stored: 1)])
    #expect(imaging.decoded.count == 2)
    let source = SHA256Digest(of: PictureBytes.jpeg + [0]).hexadecimal
    #expect(bench.store.thumbnails.map(\.sourceSHA256) == [source])
  }

  // MARK: Named ones that fail

  /// A feed of "moon", whose named thumbnail and original have these replies.
  private func bench(_ thumbnail: FakeReply, original: FakeReply, imaging: FakeImaging) -> SyncBench
  {
    let bench = SyncBench(
      [
        .feed: FakeReply(status: 304), .thumbnail("moon"): thumbnail, .original("moon"): original,
      ],
      clock: clock,
      imaging: imaging
    )
    _ = bench.know("moon")
    return bench
  }

  @Test(arguments: FailingPicture.all)
  func `one that fails is made from its original when that is kept`(
    _ failing: FailingPicture
  ) async {
    let imaging = FakeImaging()
    let bench = bench(failing.reply, original: picture(), imaging: imaging)

    let facts = await bench.facts(.everything)
    let again = await bench.facts(.everything)

    #expect(facts.problems.map(\.failure) == [failing.failure])
    #expect(imaging.decoded == [.file(path: bench.store.originalPath(imageID: 1))])
    #expect(bench.store.thumbnails.map(\.address) == [.original("moon")])
    #expect(again.problems == [])
    #expect(again.summaries.map(\.thumbnails) == [TransferCounts()])
  }

  @Test(arguments: [403, 404, 410])
  func `one that is refused is made from an original that is not kept`(status: Int) async {
    let bench = bench(FakeReply(status: status), original: picture(), imaging: FakeImaging())

    let facts = await bench.facts()

    #expect(facts.problems.map(\.failure) == [.status(status)])
    #expect(bench.store.thumbnails.map(\.bytes) == [FakeImaging.bytes])
    #expect(bench.store.events.contains(.discarded(imageID: 1)))
  }

  @Test func `one that fails for a while costs no original`() async {
    let bench = bench(FakeReply(status: 500), original: picture(), imaging: FakeImaging())

    _ = await bench.facts()

    #expect(!bench.network.addresses.contains(.original("moon")))
    #expect(bench.store.thumbnails == [])
  }

  @Test func `one that fails is asked for again when its original fails, too`() async {
    let replies = FakeReply(status: 404).then(picture())
    let bench = bench(replies, original: FakeReply(status: 404), imaging: FakeImaging())

    let first = await bench.facts()
    clock.go(5 * 86_400)
    _ = await bench.facts()

    #expect(first.problems.map(\.subject) == [.thumbnail, .madeThumbnail])
    #expect(bench.store.thumbnails.map(\.address) == [.thumbnail("moon")])
  }

  @Test func `a repair makes one from the original if the named one fails`() async throws {
    let imaging = FakeImaging()
    let bench = bench(
      picture().then(FakeReply(status: 404)),
      original: picture(),
      imaging: imaging
    )
    _ = await bench.facts(.everything)
    let before = bench.store.thumbnails.map(\.bytes)
    try await bench.store.library.mark(.thumbnail(imageID: 1), as: .damaged)

    try await PictureRepairer(tools: bench.tools()).repair(.thumbnail(imageID: 1))

    #expect(before == [PictureBytes.jpeg])
    #expect(bench.store.thumbnails.map(\.bytes) == [FakeImaging.bytes])
  }

  @Test func `a repair that fails is remembered, and no thumbnail of a removed feed is repaired`()
    async throws
  {
    let thing = CheckedThing.thumbnail(imageID: 1)
    let bench = bench(
      picture().then(FakeReply(status: 404)),
      original: FakeReply(status: 404),
      imaging: FakeImaging()
    )
    _ = await bench.facts(.everything)
    let repairer = PictureRepairer(tools: bench.tools())
    try await bench.store.library.mark(thing, as: .damaged)
    #expect(await repairer.obstacle(to: thing) == nil)

    await #expect(throws: Failure.self) { try await repairer.repair(thing) }

    #expect(await repairer.obstacle(to: thing) == .failed)
    #expect(await repairer.obstacle(to: .database) == nil)
    #expect(await repairer.obstacle(to: .original(path: "/a", imageIDs: [1])) == .failed)
    #expect(await repairer.obstacle(to: .original(path: "/a", imageIDs: [])) == nil)
    #expect(await repairer.obstacle(to: .thumbnail(imageID: 9)) == .removedFeed)
  }

  @Test func `a repair makes those that stored originals give`() async throws {
    let bench = bench(
      FakeReply(status: 404),
      original: picture(),
      imaging: FakeImaging(isReady: false)
    )
    _ = await bench.facts(.everything)
    var tools = bench.tools()
    tools.imaging = FakeImaging()
    var made: [Int64] = []

    try await PictureRepairer(tools: tools).makeThumbnails { made.append($0) }

    #expect(made == [1])
    #expect(bench.store.thumbnails.map(\.bytes) == [FakeImaging.bytes])
  }

  // MARK: The camera's data

  /// A WebP of 10 x 10 pixels without alpha, with EXIF that tells a place, or without.
  private static func webP(hasEXIF: Bool) -> [UInt8] {
    let flags: UInt8 = hasEXIF ? 8 : 0
    let side = PictureBytes.little(9, 3)
    return PlaceSamples.riff(
      [("VP8X", [flags, 0, 0, 0] + side + side), ("VP8L", PlaceSamples.webPPixels)]
        + (hasEXIF ? [("EXIF", PlaceSamples.exif())] : [])
    )
  }

  /// Stores a thumbnail with the camera's data in the place of the one that a sync has stored.
  private func storeTelling(
    _ kind: PictureKind,
    _ bytes: [UInt8] = Self.webP(hasEXIF: true),
    source: String?,
    in bench: SyncBench
  ) async throws -> FetchedThumbnail {
    _ = await bench.facts()
    var telling = try #require(bench.store.thumbnails.first)
    telling.bytes = bytes
    telling.info = PictureInfo(
      format: .webP,
      bytes: telling.bytes.count,
      width: 10,
      height: 10
    )
    telling.sourceSHA256 = source
    try await bench.store.library.store(PictureBatch(new: [telling]), kind)
    return telling
  }

  private func removeMetadata(
    of thumbnail: FetchedThumbnail,
    in bench: SyncBench
  ) async throws -> Bool {
    let stored = StoredThumbnail(imageID: 1, info: thumbnail.info, bytes: thumbnail.bytes)
    return try await PictureRepairer(tools: bench.tools()).removeMetadata(of: stored)
  }

  @Test(arguments: [PictureKind.madeThumbnail, .thumbnail])
  func `a repair removes the camera's data from one that was made here, and nothing else`(
    _ kind: PictureKind
  ) async throws {
    let bench =
      kind == .madeThumbnail
      ? bench(["moon": picture()])
      : bench(picture(), original: picture(), imaging: FakeImaging())
    let telling = try await storeTelling(kind, source: StoredOriginal.sampleSHA256, in: bench)
    let requests = bench.network.addresses

    let first = try await removeMetadata(of: telling, in: bench)
    // It has been replaced meanwhile.
    let second = try await removeMetadata(of: telling, in: bench)

    #expect(first)
    #expect(!second)
    let cleaned = try #require(bench.store.thumbnails.first)
    #expect(cleaned.bytes == Self.webP(hasEXIF: false))
    #expect(cleaned.info.bytes == cleaned.bytes.count)
    #expect((cleaned.info.width, cleaned.info.height) == (10, 10))
    #expect(cleaned.address == telling.address)
    #expect(cleaned.validators == telling.validators)
    #expect(cleaned.sourceSHA256 == telling.sourceSHA256)
    #expect(bench.network.addresses == requests)
  }

  @Test func `a repair removes the place from a named one, and nothing else`() async throws {
    let bench = bench(picture(), original: picture(), imaging: FakeImaging())
    let telling = try await storeTelling(.thumbnail, source: nil, in: bench)

    #expect(try await removeMetadata(of: telling, in: bench))

    let cleaned = try #require(bench.store.thumbnails.first)
    #expect(!PlaceSamples.tell(cleaned.bytes))
    #expect(cleaned.bytes.count == telling.bytes.count)
    #expect(cleaned.bytes.firstRange(of: Array("A tower".utf8)) != nil)
    #expect(cleaned.sourceSHA256 == SHA256Digest(of: telling.bytes).hexadecimal)
    // A second look finds nothing, as after a sync that stored it without its place.
    #expect(try await !removeMetadata(of: cleaned, in: bench))
    #expect(bench.store.thumbnails.map(\.bytes) == [cleaned.bytes])
  }

  @Test func `a repair draws a named one whose place cannot be removed`() async throws {
    let bench = bench(picture(), original: picture(), imaging: FakeImaging())
    let strange = PlaceSamples.strangePNG
    let telling = try await storeTelling(.thumbnail, strange, source: nil, in: bench)

    #expect(try await removeMetadata(of: telling, in: bench))

    let drawn = try #require(bench.store.thumbnails.first)
    #expect(drawn.bytes == FakeImaging.bytes)
    #expect(drawn.info.format == FakeImaging.info.format)
    #expect(drawn.sourceSHA256 == SHA256Digest(of: strange).hexadecimal)
  }

  @Test func `a repair leaves a thumbnail without a place as its feed has it`() async throws {
    let bench = bench(picture(), original: picture(), imaging: FakeImaging())
    var sample = EXIFSample.tower()
    sample.place = []
    let bytes = PlaceSamples.riff([
      ("VP8X", [8, 0, 0, 0] + PictureBytes.little(9, 3) + PictureBytes.little(9, 3)),
      ("VP8L", PlaceSamples.webPPixels), ("EXIF", sample.bytes),
    ])
    let telling = try await storeTelling(.thumbnail, bytes, source: nil, in: bench)

    #expect(try await !removeMetadata(of: telling, in: bench))
    #expect(bench.store.thumbnails.map(\.bytes) == [telling.bytes])
  }
}
