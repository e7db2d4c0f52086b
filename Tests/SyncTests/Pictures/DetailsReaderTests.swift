import FoundationEssentials
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

/// What cameras have written into originals, as syncs, viewers and verifications read it.
struct DetailsReaderTests {
  private static let path = "/library/originals/aa/aa.jpg"
  private static let details: PictureDetails = {
    var details = PictureDetails()
    details.camera = "X100V"
    details.taken = DateTaken(clock: 1_563_127_353_450, offset: 120)
    return details
  }()

  private let store = FakeDetails()
  private let decoder = FakeDetailsDecoding([path: details])

  private var reader: DetailsReader { DetailsReader(library: store, decoder: decoder) }

  private func original(_ path: String = path, isDamaged: Bool = false) -> StoredOriginal {
    StoredOriginal(
      path: path,
      sha256: "aa",
      info: .jpegSample,
      isStale: false,
      isDamaged: isDamaged
    )
  }

  @Test func `an original is read once`() async {
    let first = await reader.details(of: original())
    let second = await reader.details(of: original())

    #expect(first == Self.details)
    #expect(second == Self.details)
    #expect(decoder.paths == [Self.path])
    #expect(store.all == ["aa": Self.details])
  }

  @Test func `an original in a folder is read in the file that was checked`() async {
    var inFolder = original()
    let file = OpenedFile(path: Self.path, descriptor: -1, changed: (0, 0), close: { _ in })
    inFolder.file = file

    #expect(await reader.details(of: inFolder) == Self.details)
    #expect(decoder.opened == [file])
  }

  @Test func `an original that says nothing is read once, too`() async {
    let decoder = FakeDetailsDecoding([Self.path: PictureDetails()])
    let reader = DetailsReader(library: store, decoder: decoder)

    _ = await reader.details(of: original())

    #expect(await reader.details(of: original()) == PictureDetails())
    #expect(decoder.paths == [Self.path])
  }

  @Test(
    arguments: [
      (.unreadable(path: "/odd", message: "it is missing"), false), (.cancelled, false),
      (.noDecoder(lookedAt: []), false), (.timedOut(seconds: 10), false),
      (.crashed(signal: 9), false), (.undecodable(message: ""), true),
      (.unsupported(.jpegXL), true), (.crashed(signal: 11), true),
      (.tooMuchWork(seconds: 10), true),
    ] as [(ImagingError, Bool)]
  )
  func `an original that cannot be read is tried again, unless it is refused for what it is`(
    error: ImagingError,
    isForGood: Bool
  ) async {
    let decoder = FakeDetailsDecoding([Self.path: Self.details], error: error)
    let failures = FailedDetails()
    for _ in 1...3 {
      let reader = DetailsReader(library: store, decoder: decoder, failures: failures)
      #expect(await reader.details(of: original("/odd")) == nil)
    }

    #expect(decoder.paths.count == (isForGood ? 1 : 3))
    #expect(store.all == [:])
  }

  @Test func `what a verification reads of an original counts, whatever failed before`() async {
    let failures = FailedDetails()
    failures.add("aa")
    let reader = DetailsReader(library: store, decoder: decoder, failures: failures)
    #expect(await reader.details(of: original()) == nil)

    await reader.readAgain(Self.path, sha256: "aa")

    #expect(await reader.details(of: original()) == Self.details)
  }

  @Test func `an original that failed before its damage was known is read when it is repaired`()
    async
  {
    let failures = FailedDetails()
    failures.add("aa")
    let reader = DetailsReader(library: store, decoder: decoder, failures: failures)
    #expect(await reader.details(of: original(isDamaged: true)) == nil)
    #expect(decoder.paths == [])

    #expect(await reader.details(of: original()) == Self.details)
    #expect(decoder.paths == [Self.path])
  }

  @Test func `only so many failures are remembered`() {
    let failures = FailedDetails()
    for number in 1...SyncLimits.failedDetails { failures.add("\(number)") }
    #expect(failures.contains("1"))

    failures.add("another")

    #expect(failures.contains("another") && !failures.contains("1"))
  }

  @Test func `a damaged original is not read, and what is known of it counts`() async {
    #expect(await reader.details(of: original(isDamaged: true)) == nil)
    #expect(decoder.paths == [])

    store.put(["aa": Self.details])
    #expect(await reader.details(of: original(isDamaged: true)) == Self.details)
  }

  @Test func `a library that cannot be written gives details all the same`() async {
    let store = FakeDetails(canWrite: false)
    let reader = DetailsReader(library: store, decoder: decoder)

    #expect(await reader.details(of: original()) == Self.details)
    #expect(store.all == [:])
  }

  @Test func `a fetched original is read when it has been stored`() async throws {
    let bench = SyncBench([.original("moon"): .picture(PictureBytes.jpeg)])
    _ = bench.know("moon")
    let details = FakeDetailsDecoding(any: Self.details)
    let worker = OriginalWorker(
      network: bench.network,
      store: bench.store,
      imaging: nil,
      details: DetailsReader(library: store, decoder: details),
      wording: SyncBench.words,
      now: { SyncBench.now }
    )
    let image = try #require(await bench.store.image(id: 1))

    let fetched = try await worker.fetch(OriginalRequest(image)) { _ in }
    let again = try await worker.fetch(OriginalRequest(image)) { _ in }

    #expect(fetched.wasDownloaded && !again.wasDownloaded)
    #expect(store.all == [fetched.original.sha256: Self.details])
    #expect(details.paths == [fetched.original.path])
  }

  // MARK: Verifications

  private func verify(_ fault: CheckFinding.Condition? = nil) async {
    let filed = FiledOriginal(id: 4, path: Self.path, sha256: "aa", bytes: 3, imageIDs: [1])
    let library = FakeInspection(originals: [filed], fault: fault)
    let verifier = LibraryVerifier(library: library, repairer: FakeRepairer(), details: reader)
    for await _ in verifier.verify(VerificationPlan()).facts {}
  }

  @Test func `a verification reads originals again, and corrects what is known`() async {
    var wrong = Self.details
    wrong.camera = "X100W"
    store.put(["aa": wrong])

    await verify()

    #expect(store.all == ["aa": Self.details])
    #expect(store.writes == 1)

    await verify()
    #expect(store.writes == 1)
  }

  @Test func `a verification does not read damaged originals`() async {
    await verify(.damaged(.otherContent))

    #expect(decoder.paths == [])
    #expect(store.all == [:])
  }

  // MARK: Folders

  @Test func `a picture of a folder has the date at which it was taken`() async throws {
    let folder = FakeFolder(["a.jpg": "1", "b.jpg": "2", "c.jpg": "3"])
    var bench = SyncBench([:], folder: folder)
    let details = FakeDetailsDecoding([
      "/photos/a.jpg": Self.details, "/photos/b.jpg": PictureDetails(),
    ])
    bench.details = DetailsReader(library: store, decoder: details)
    let plan = SyncPlan(feeds: [FakeFolder.address], fetchesThumbnails: false)

    _ = await bench.summaries(plan)

    let ids = try await bench.store.imageIDs(matching: ImageQuery(order: .feed))
    let dates = try await bench.store.images(ids: ids).map(\.published?.timeIntervalSince1970)
    // 16:02:33 in UTC; the others have the dates of their files.
    #expect(dates == [1_563_120_153, 999_999, 999_998])

    var rehearsal = plan
    (rehearsal.isDryRun, rehearsal.isForced) = (true, true)
    let rehearsed = await bench.summaries(rehearsal)
    #expect(rehearsed.map(\.images) == [ImageCounts(total: 3)])
    #expect(rehearsed.map(\.status) == [.unchanged])

    folder.put(["new.jpg": "4", "a.jpg": "1", "b.jpg": "2"])
    let writes = store.writes
    rehearsal.isForced = false
    let next = await bench.summaries(rehearsal)
    #expect(next.map(\.images) == [ImageCounts(total: 3, new: 1, gone: 1)])
    #expect(store.writes == writes)
    _ = await bench.summaries(plan)
    // The dry run has stored nothing of what it has read.
    let reads = details.paths.filter { $0 != "/photos/c.jpg" }.sorted()
    #expect(reads == ["/photos/a.jpg", "/photos/b.jpg", "/photos/new.jpg", "/photos/new.jpg"])
  }
}

/// Details in memory.
private final class FakeDetails: DetailsStoring {
  private let state = Locked<(details: [String: PictureDetails], writes: Int)>(([:], 0))
  private let canWrite: Bool

  init(canWrite: Bool = true) { self.canWrite = canWrite }

  var all: [String: PictureDetails] { state.withLock { $0.details } }

  var writes: Int { state.withLock { $0.writes } }

  func put(_ details: [String: PictureDetails]) { state.withLock { $0.details = details } }

  func details(
    ofOriginals hashes: [String]
  ) async throws(StoreError) -> [String: PictureDetails] {
    all.filter { hashes.contains($0.key) }
  }

  func store(details: [String: PictureDetails]) async throws(StoreError) {
    guard canWrite else { throw StoreError(reason: .other, path: "", message: "read-only") }
    state.withLock { state in
      state.details.merge(details) { $1 }
      state.writes += 1
    }
  }
}

/// Reads details of files by their paths, and records these.
private final class FakeDetailsDecoding: DetailsDecoding {
  private let details: [String: PictureDetails]
  private let any: PictureDetails?
  private let asked = Locked<[PictureSource]>([])

  private let error: ImagingError

  /// Creates a decoder that fails all other files.
  init(
    _ details: [String: PictureDetails],
    error: ImagingError = .unreadable(path: "", message: "it is missing")
  ) {
    (self.details, any, self.error) = (details, nil, error)
  }

  /// Creates a decoder that finds the same in all files.
  init(any: PictureDetails) { (details, self.any, error) = ([:], any, .wrongAnswer) }

  var paths: [String] { asked.withLock { $0.compactMap(Self.path) } }

  /// The files that were open already.
  var opened: [OpenedFile] {
    asked.withLock { asked in
      asked.compactMap { picture -> OpenedFile? in
        if case .opened(let file) = picture { file } else { nil }
      }
    }
  }

  private static func path(of picture: PictureSource) -> String? {
    switch picture {
    case .bytes: nil
    case .file(let path): path
    case .opened(let file): file.path
    }
  }

  func details(of picture: PictureSource) async throws(ImagingError) -> PictureDetails {
    guard let path = Self.path(of: picture) else { throw .wrongAnswer }
    asked.withLock { $0.append(picture) }
    guard let found = any ?? details[path] else { throw error }
    return found
  }
}
