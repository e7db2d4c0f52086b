import Models
import Sync
import TestSupport
import Testing
import Workers

struct OriginalWorkerTests {
  private let jpeg = PictureBytes.jpeg

  @Test func `stores a whole picture with what its server says of it`() async throws {
    let validators = Validators(entityTag: "\"large\"")
    var reply = FakeReply.picture(jpeg)
    reply.validators = validators
    let bench = OriginalBench(reply)

    let fetched = try await bench.fetch()

    let original = try #require(try await bench.store.original(imageID: 1))
    let expected = FetchedOriginal(
      original: original,
      wasDownloaded: true,
      wireBytes: FakeReply.headerBytes + jpeg.count
    )
    let receipt = OriginalReceipt(
      info: .jpegSample,
      address: .original("moon"),
      validators: validators,
      arrived: OriginalBench.now,
      checkDate: OriginalBench.now
    )
    #expect(fetched == expected)
    #expect(original.sha256 == SHA256Digest(of: jpeg).hexadecimal)
    #expect(
      bench.store.events == [
        .committed(imageID: 1, jpeg, receipt)
      ]
    )
  }

  /// The original of an image of a mirrored gallery that cannot be reached.
  @Test(arguments: [
    ("file:///home/ann/moon.jpg", isUntold: true, isAsked: false),
    ("file:///home/ann/moon.jpg", isUntold: false, isAsked: false),
    ("https://gallery.example/images/9/original", isUntold: true, isAsked: false),
    ("https://former.example/images/9/original", isUntold: true, isAsked: false),
    ("https://third.example/images/9/original", isUntold: false, isAsked: true),
    ("https://gallery.example/files/1/original", isUntold: false, isAsked: true),
    ("https://site.example/moon.jpg", isUntold: false, isAsked: true),
  ])
  func `why a gallery did not give an original is said if nobody else has it`(
    address: String,
    isUntold: Bool,
    isAsked: Bool
  ) async throws {
    let (gallery, own) = (WebAddress.at("https://gallery.example/"), WebAddress.at(address))
    let hash = SHA256Digest(of: jpeg)
    var original = MirroredOriginal(
      imageID: 1,
      hash: hash,
      address: own,
      gallery: gallery,
      reach: nil
    )
    if isUntold { original.untold = .at("https://gallery.example/images/9/original") }
    let copy = try #require(GalleryAddress(base: gallery, isStatic: false).original(hash))
    let bench = OriginalBench(
      inTurn: [],
      mirrors: RecordingMirrors(originals: [original]),
      galleryReply: (copy, FakeReply(refusal: .untrusted))
    )
    let request = OriginalRequest(imageID: 1, address: own, reach: .publicOnly)

    var failure: Failure?
    do throws(Failure) { _ = try await bench.worker.fetch(request) { _ in } } catch {
      failure = error
    }

    #expect(bench.network.addresses == (isAsked ? [copy, own] : [copy]))
    #expect(failure?.isUntrusted == (isAsked ? nil : true))
  }

  @Test(arguments: [
    FakeReply(
      status: 403,
      validators: Validators(entityTag: "\"0123-without-place\""),
      mediaType: "application/problem+json"
    ),
    FakeReply(
      validators: Validators(entityTag: "\"0123-without-place-1\""),
      contentLength: PictureBytes.jpeg.count,
      chunks: [PictureBytes.jpeg]
    ),
  ])
  func `a gallery that sends no originals with their places is told apart`(
    reply: FakeReply
  ) async throws {
    try await expect(.feed(.gallery(.withheldOriginal)), from: reply)
  }

  @Test(arguments: [
    FakeReply(status: 403, mediaType: "application/problem+json"), FakeReply(status: 403),
  ])
  func `a gallery that refuses for another reason is not taken for one of those`(
    reply: FakeReply
  ) async throws {
    try await expect(.status(403), from: reply)
  }

  /// Fetches an original from a gallery with this reply, and expects this failure.
  private func expect(_ failure: Failure, from reply: FakeReply) async throws {
    let (gallery, own) = (WebAddress.at("https://gallery.example/"), WebAddress.at("file:///moon"))
    let hash = SHA256Digest(of: jpeg)
    let original = MirroredOriginal(
      imageID: 1,
      hash: hash,
      address: own,
      gallery: gallery,
      reach: nil
    )
    let copy = try #require(GalleryAddress(base: gallery, isStatic: false).original(hash))
    let bench = OriginalBench(
      inTurn: [],
      mirrors: RecordingMirrors(originals: [original]),
      galleryReply: (copy, reply)
    )
    var request = OriginalRequest(imageID: 1, address: own, reach: .publicOnly)
    request.copy = OriginalCopy(address: copy, hash: hash, reach: .publicOnly)

    await #expect(throws: failure) {
      _ = try await bench.worker.fetch(request) { _ in }
    }

    #expect(bench.network.addresses == [copy])
    #expect(try await bench.store.original(imageID: 1) == nil)
  }

  /// The worker for an image that stands for a file of the gallery's machine, of which the gallery has told no hash.
  private func benchOfUntold(_ reply: FakeReply) -> (bench: OriginalBench, place: WebAddress) {
    let place = WebAddress.at("https://ann:token@gallery.example/images/9/original")
    var original = MirroredOriginal(
      imageID: 1,
      hash: nil,
      address: .original("moon"),
      gallery: .at("https://ann:token@gallery.example/"),
      reach: nil
    )
    original.untold = place
    let bench = OriginalBench(
      inTurn: [],
      mirrors: RecordingMirrors(originals: [original]),
      galleryReply: (place, reply)
    )
    return (bench, place)
  }

  @Test(arguments: [false, true])
  func `a file of the gallery's machine is asked for where the gallery is now`(isCheck: Bool)
    async throws
  {
    let (bench, place) = benchOfUntold(.picture(jpeg))

    let fetched = try await bench.fetch(isCheck: isCheck)

    #expect(fetched.wasDownloaded)
    #expect(bench.network.addresses == [place])
    // A gallery would turn a picture for a page.
    #expect(bench.network.requests.map(\.accept) == ["*/*"])
    #expect(bench.committed == [jpeg])
    #expect(bench.receipts.map(\.address) == [.original("moon")])
  }

  @Test(arguments: [false, true])
  func `a file of the gallery's machine is asked for nowhere else`(isCheck: Bool) async {
    let (bench, place) = benchOfUntold(FakeReply(status: 404))

    await #expect(throws: Failure.status(404)) { try await bench.fetch(isCheck: isCheck) }

    #expect(bench.network.addresses == [place])
  }

  @Test func `another picture than the stored one does not replace it, since no hash was told`()
    async throws
  {
    let (bench, _) = benchOfUntold(.picture(PictureBytes.tiff))
    bench.store.keepOriginal(.sample(imageID: 1), imageID: 1)
    let stored = try await bench.store.original(imageID: 1)

    let fetched = try await bench.fetch(isCheck: true)

    #expect(!fetched.doubts.isEmpty)
    #expect(try await bench.store.original(imageID: 1)?.sha256 == stored?.sha256)
  }

  @Test(arguments: [
    (FakeReply(status: 404), Failure.status(404)), (FakeReply(status: 503), .status(503)),
    (.picture(Array("<html>".utf8)), nil), (FakeReply(refusal: .unreachable), nil),
  ])
  func `remembers the failure of an original that is looked at, as a sync does`(
    _ reply: FakeReply,
    _ failure: Failure?
  ) async throws {
    let bench = OriginalBench(reply, .picture(jpeg))
    var request = OriginalRequest(imageID: 1, address: .original("moon"), reach: .publicOnly)
    request.purpose = .viewing

    let error = await #expect(throws: Failure.self) {
      try await bench.worker.fetch(request) { _ in }
    }
    let failures = try await bench.store.failures()[7] ?? []
    _ = try await bench.worker.fetch(request) { _ in }

    let reason = SyncBench.words(try #require(failure ?? error))
    #expect(failures.map(\.reason) == [reason])
    #expect(failures.map(\.kind) == [.original])
    #expect(try await bench.store.failures() == [:])
  }

  @Test func `leaves the failure of an original that a sync asks for to the sync`() async throws {
    let bench = OriginalBench(FakeReply(status: 404))

    await #expect(throws: Failure.status(404)) { try await bench.fetch() }

    #expect(try await bench.store.failures() == [:])
  }

  @Test func `asks for a picture of any size, as it is, below the feed's folder`() async throws {
    let bench = OriginalBench(.picture(jpeg))

    _ = try await bench.fetch(fileFolder: "/photos")

    let request = NetworkRequest(
      address: .original("moon"),
      reach: .publicOnly,
      accept: "image/*, */*;q=0.5",
      acceptsCompression: false,
      byteLimit: 17_179_869_184,
      fileFolder: "/photos"
    )
    #expect(bench.network.requests == [request])
  }

  @Test func `tells how much has come, and of how much`() async throws {
    var reply = FakeReply.picture(jpeg)
    reply.chunks = [Array(jpeg.prefix(10)), Array(jpeg.dropFirst(10))]
    let bench = OriginalBench(reply)
    var told: [[Int?]] = []

    _ = try await bench.fetch { told.append([$0, $1]) }

    #expect(told == [[0, jpeg.count], [10, jpeg.count], [jpeg.count, jpeg.count]])
  }

  @Test func `takes a body of undeclared length that ends as its format wants`() async throws {
    let bench = OriginalBench(.undeclared(jpeg))
    var totals: [Int?] = []

    let fetched = try await bench.fetch { totals.append($1) }

    #expect(fetched.original.info == .jpegSample)
    #expect(totals == [nil, nil])
  }

  @Test func `refuses a body of undeclared length without its end marker`() async {
    await expectFailure(.cutPicture(.jpeg), of: .undeclared(jpeg.dropLast(2)))
  }

  @Test func `refuses a body of undeclared length whose format has no end marker`() async {
    await expectFailure(.cutPicture(.tiff), of: .undeclared(PictureBytes.tiff))
  }

  @Test func `takes a body of declared length whose format has no end marker`() async throws {
    let bench = OriginalBench(.picture(PictureBytes.tiff))

    let fetched = try await bench.fetch()

    #expect(fetched.original.info.format == .tiff)
  }

  @Test(arguments: [206, 304, 404, 416, 503])
  func `refuses another status than 200`(_ status: Int) async {
    let reply = FakeReply(status: status, chunks: [jpeg])

    await expectFailure(.status(status), of: reply, ending: .suspended(imageID: 1, length: 0))
  }

  @Test func `refuses a short page at its end`() async {
    let page = Array("<html><p>Sign in".utf8)

    await expectFailure(.notAPicture(looksLike: "an HTML page"), of: .picture(page))
  }

  @Test func `refuses a long page long before its end`() async {
    let page = Array("<html>".utf8) + Array(repeating: 0x20, count: 4_096)
    let reply = FakeReply(chunks: [page], breakage: .broken)

    await expectFailure(.notAPicture(looksLike: "an HTML page"), of: reply)
  }

  @Test func `does not ask when someone else has stored it meanwhile`() async throws {
    let bench = OriginalBench(.picture(jpeg))
    bench.store.keepOriginal(.sample(imageID: 1), imageID: 1)

    let fetched = try await bench.fetch()

    let original = try #require(try await bench.store.original(imageID: 1))
    #expect(fetched == FetchedOriginal(original: original, wasDownloaded: false, wireBytes: 0))
    #expect(bench.network.requests == [])
    #expect(bench.store.events == [.suspended(imageID: 1, length: 0)])
  }

  @Test func `asks again when the one that is stored is no longer right`() async throws {
    let bench = OriginalBench(.picture(jpeg))
    bench.store.keepOriginal(.sample(imageID: 1, isStale: true), imageID: 1)

    let fetched = try await bench.fetch()

    #expect(fetched.wasDownloaded)
    #expect(try await fetched.original == bench.store.original(imageID: 1))
    #expect(!fetched.original.isStale)
  }

  @Test(arguments: [
    StoreStep.findOriginal, .restartOriginal, .appendToOriginal, .commitOriginal,
  ])
  func `tells when it cannot be stored`(_ step: StoreStep) async {
    let ending = StoreEvent.suspended(imageID: 1, length: 0)

    await expectFailure(
      .store(FaultyLibrary.fullDisk),
      of: .picture(jpeg),
      failing: [step],
      ending: ending
    )
  }

  @Test func `does not ask when there is no file to write to`() async {
    let bench = OriginalBench(.picture(jpeg), failing: [.openOriginalFile])

    await #expect(throws: Failure.store(FaultyLibrary.fullDisk)) { try await bench.fetch() }
    #expect(bench.network.requests == [])
    #expect(bench.store.events == [])
  }

  // MARK: Other renditions

  /// Replies at the original's address, "large" and "small", in this order of the feed.
  private func bench(_ original: [FakeReply], large: FakeReply, small: FakeReply) -> OriginalBench {
    OriginalBench(inTurn: original, others: [("large", [large]), ("small", [small])])
  }

  @Test(arguments: [
    FakeReply(status: 404), FakeReply(status: 403), FakeReply(status: 410),
    .picture(Array("<!DOCTYPE html><html>".utf8)), .picture([]),
    .undeclared(PictureBytes.jpeg.dropLast(2)),
  ])
  func `takes the next one after a refusal or a broken picture`(_ reply: FakeReply) async throws {
    let bench = bench([reply], large: reply, small: .picture(jpeg))

    let fetched = try await bench.fetch()

    #expect(bench.network.addresses == ["moon", "large", "small"].map { .original($0) })
    #expect(fetched.original.address == .original("small"))
    #expect(!fetched.original.isStale)
    #expect(try await bench.store.image(id: 1)?.original == .stored)
    #expect(bench.store.failed(.original) == [])
  }

  @Test(arguments: [
    FakeReply(status: 503), FakeReply(status: 429), FakeReply(refusal: .unreachable),
  ])
  func `takes no other one after an error that may soon be over`(_ reply: FakeReply) async {
    let first = bench([reply], large: .picture(jpeg), small: .picture(jpeg))
    let second = bench([FakeReply(status: 404)], large: reply, small: .picture(jpeg))

    let one = await #expect(throws: Failure.self) { try await first.fetch() }
    let two = await #expect(throws: Failure.self) { try await second.fetch() }

    #expect(first.network.addresses == [.original("moon")])
    #expect(second.network.addresses == [.original("moon"), .original("large")])
    #expect(one?.pictureClass != .permanent)
    #expect(two?.pictureClass != .permanent)
  }

  @Test func `tells why the first choice cannot be had when no other one can`() async {
    let bench = bench(
      [FakeReply(status: 403)],
      large: FakeReply(status: 404),
      small: FakeReply(status: 404)
    )

    await #expect(throws: Failure.status(403)) { try await bench.fetch() }
  }

  @Test func `a check replaces no right original by another rendition`() async throws {
    let bench = bench(
      [.picture(jpeg), FakeReply(status: 404)],
      large: .picture(jpeg + [0]),
      small: .picture(jpeg)
    )
    _ = try await bench.fetch()

    await #expect(throws: Failure.status(404)) { try await bench.fetch(isCheck: true) }

    #expect(bench.committed == [jpeg])
  }

  @Test func `the first choice takes its place again when it comes back`() async throws {
    let bench = bench(
      [FakeReply(status: 404), .picture(jpeg + [0])],
      large: .picture(jpeg),
      small: .picture(jpeg)
    )
    _ = try await bench.fetch()

    let checked = try await bench.fetch(isCheck: true)

    #expect(bench.network.requests.last?.validators == Validators())
    #expect(checked.original.address == .original("moon"))
    #expect(bench.committed == [jpeg, jpeg + [0]])
  }

  // MARK: Thumbnails

  @Test func `makes the thumbnail that the feed does not name from the stored original`()
    async throws
  {
    let bench = OriginalBench(.picture(jpeg), namesThumbnail: false)
    let original = try await bench.fetch().original

    await bench.worker.makeThumbnail(imageID: 1)
    await bench.worker.makeThumbnail(imageID: 1)

    #expect(bench.imaging.decoded == [.file(path: original.path)])
    #expect(bench.store.events.last == .storedThumbnails([1]))
  }

  @Test func `makes no thumbnail when the feed names one`() async throws {
    let bench = OriginalBench(.picture(jpeg))
    _ = try await bench.fetch()

    await bench.worker.makeThumbnail(imageID: 1)

    #expect(bench.imaging.decoded == [])
  }

  @Test func `leaves a thumbnail that cannot be made to the next sync`() async throws {
    let imaging = FakeImaging(failure: .timedOut(seconds: 60))
    let bench = OriginalBench(.picture(jpeg), imaging: imaging, namesThumbnail: false)
    _ = try await bench.fetch()

    await bench.worker.makeThumbnail(imageID: 1)

    #expect(try await bench.store.wantedThumbnail(madeFor: 1) != nil)
  }

  private func expectFailure(
    _ failure: Failure,
    of reply: FakeReply,
    failing: Set<StoreStep> = [],
    ending: StoreEvent = .discarded(imageID: 1)
  ) async {
    let bench = OriginalBench(reply, failing: failing)

    await #expect(throws: failure) { try await bench.fetch() }
    #expect(bench.store.events == [ending])
  }
}
