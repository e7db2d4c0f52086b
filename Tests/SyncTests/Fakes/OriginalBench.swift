import FoundationEssentials
import Models
import Sync
import TestSupport
import Workers

/// A worker for originals with fakes, and one image named "moon" whose original has replies.
struct OriginalBench {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let strong = Validators(entityTag: "\"one\"")

  let network: FakeNetwork
  let store: FaultyLibrary
  let imaging: FakeImaging
  let worker: OriginalWorker

  /// Answers the first request with the first reply, and so on.
  init(
    _ replies: FakeReply...,
    failing: Set<StoreStep> = [],
    imaging: FakeImaging = FakeImaging(),
    namesThumbnail: Bool = true
  ) {
    self.init(inTurn: replies, failing: failing, imaging: imaging, namesThumbnail: namesThumbnail)
  }

  init(
    inTurn replies: [FakeReply],
    failing: Set<StoreStep> = [],
    imaging: FakeImaging = FakeImaging(),
    namesThumbnail: Bool = true,
    others: [(name: String, replies: [FakeReply])] = [],
    mirrors: RecordingMirrors? = nil,
    galleryReply: (address: WebAddress, reply: FakeReply)? = nil
  ) {
    var all = [WebAddress.original("moon"): replies]
    for other in others { all[.original(other.name)] = other.replies }
    if let (address, reply) = galleryReply { all[address] = [reply] }
    network = FakeNetwork(inTurn: all)
    store = FaultyLibrary(failing: failing)
    let feed = Feed(id: 7, address: .feed)
    var moon = FeedImage(named: "moon")
    if !namesThumbnail { moon.thumbnailAddress = nil }
    moon.renditions = others.map { .original($0.name) }
    store.keep(feed, images: [moon])
    self.imaging = imaging
    worker = OriginalWorker(
      network: network,
      store: store,
      mirrors: mirrors,
      imaging: imaging,
      wording: SyncBench.words,
      now: { Self.now }
    )
  }

  /// Stores the first bytes of a picture as a partial file, with the validators `strong` unless others are given.
  func keep(
    _ bytes: [UInt8],
    first count: Int,
    at address: WebAddress = .original("moon"),
    of validators: Validators = strong
  ) {
    keep(bytes.prefix(count), at: address, of: validators, total: bytes.count)
  }

  /// Stores the first bytes of a picture whose length the server did not declare.
  func keepUndeclared(_ bytes: [UInt8], first count: Int) {
    keep(bytes.prefix(count), at: .original("moon"), of: Self.strong, total: nil)
  }

  private func keep(
    _ bytes: ArraySlice<UInt8>,
    at address: WebAddress,
    of validators: Validators,
    total: Int?
  ) {
    let version = OriginalVersion(
      address: address,
      validators: validators,
      rangeValidator: validators.entityTag ?? validators.lastModified,
      total: total
    )
    store.keepPartial(Array(bytes), of: version, imageID: 1)
  }

  func fetch(
    fileFolder: String? = nil,
    budget: TransferBudget? = nil,
    isCheck: Bool = false,
    since: Date? = nil,
    progress: (Int, Int?) -> Void = { _, _ in }
  ) async throws(Failure) -> FetchedOriginal {
    var request = OriginalRequest(
      imageID: 1,
      address: .original("moon"),
      reach: .publicOnly,
      fileFolder: fileFolder,
      isCheck: isCheck,
      since: since
    )
    request.budget = budget
    return try await worker.fetch(request) { progress($0.received, $0.total) }
  }

  /// The offsets of the requests; nil for a request of everything.
  var offsets: [Int?] { network.requests.map { $0.range?.offset } }

  /// The receipts of the stored originals.
  var receipts: [OriginalReceipt] {
    store.events.compactMap { if case .committed(_, _, let receipt) = $0 { receipt } else { nil } }
  }

  /// The stored bytes.
  var committed: [[UInt8]] {
    store.events.compactMap { if case .committed(_, let bytes, _) = $0 { bytes } else { nil } }
  }
}
