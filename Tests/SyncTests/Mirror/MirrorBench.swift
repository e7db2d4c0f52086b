import Models
import TestSupport
import Workers

@testable import Sync

/// The parts of a mirror's sync, with a gallery of fake replies and a store that records its pages.
struct MirrorBench {
  static let library = "11111111-2222-4333-8444-555555555555"
  static let gallery = GalleryAddress(base: .sample("gallery/"), isStatic: false)

  let network: FakeNetwork
  let mirrors: RecordingMirrors
  let copy: MirrorCopy
  private let client: GalleryClient
  private let plan: SyncPlan
  private let progress = SyncProgress()

  init(
    _ replies: [WebAddress: FakeReply] = [:],
    mirrors: RecordingMirrors = RecordingMirrors(),
    bounds: FeedBounds = FeedBounds(),
    takingOver former: WebAddress? = nil,
    signatures: any SignedDocumentChecking = FakeSignatures()
  ) {
    let bench = SyncBench(replies)
    var tools = bench.tools()
    tools.sha256 = { SHA256Digest(of: $0).hexadecimal }
    tools.signatures = signatures
    var plan = SyncPlan(feeds: [Self.gallery.base], fetchesThumbnails: false, bounds: bounds)
    plan.formerGallery = former
    self.plan = plan
    client = GalleryClient(
      Self.gallery,
      reach: .publicOnly,
      bounds: bounds,
      tools: tools,
      progress: progress
    )
    copy = MirrorCopy(mirrors, client, plan: plan)
    self.mirrors = mirrors
    network = bench.network
  }

  func sync() async -> MirrorSync.Result {
    let (_, teller) = AsyncStream<SyncFact>.makeStream()
    let sync = MirrorSync(
      client: client,
      store: mirrors,
      copy: copy,
      known: nil,
      plan: plan,
      shared: SharedSync(plan, progress, teller: teller)
    )
    return await sync.run()
  }

  /// Applies a tree whose root has the hash of its text.
  func apply(_ root: RootNode) async throws(Failure) {
    var (root, tree) = (root, GalleryTree(client: client, copy: copy))
    root.hash = SHA256Digest(of: Array(root.text.utf8)).hexadecimal
    try await copy.take(library: root.library, signedBy: root.key)
    try await tree.apply(root)
  }
}

/// A mirror that records its pages, and counts each image as a new one.
final class RecordingMirrors: MirrorStoring {
  private let state: MirrorState?
  /// The only gallery with that state; nil for every one.
  private let gallery: WebAddress?
  private let images: [MirroredImage]
  private let applied = Locked<[MirrorPage]>([])
  private let signers = Locked<[LibraryKey?]>([])
  private let told = Locked<[String?]>([])

  private let originals: [MirroredOriginal]

  init(
    _ state: MirrorState? = nil,
    of gallery: WebAddress? = nil,
    images: [MirroredImage] = [],
    originals: [MirroredOriginal] = []
  ) {
    (self.state, self.gallery) = (state, gallery)
    self.originals = originals
    self.images = images
  }

  var pages: [MirrorPage] { applied.snapshot }

  /// The titles of the pages.
  var titles: [String?] { told.snapshot }

  /// The keys of the pages.
  var keys: [LibraryKey?] { signers.snapshot }

  func version() -> LibraryVersion { LibraryVersion(library: "own", epoch: 1, number: 1) }

  func mirror(of gallery: WebAddress) -> MirrorState? {
    self.gallery.map { $0 == gallery } ?? true ? state : nil
  }

  func galleries(ofLibrary library: String) -> [WebAddress] { gallery.map { [$0] } ?? [] }

  func apply(_ page: MirrorPage, to target: MirrorTarget) -> MirrorCounts {
    var counts = MirrorCounts()
    for line in page.lines {
      if case .image = line.state { counts.new += 1 }
      counts.textBytes += line.textBytes
    }
    applied.withLock { $0.append(page) }
    signers.withLock { $0.append(target.key) }
    told.withLock { $0.append(target.title) }
    return counts
  }

  func images(ofFeed originID: Int64, mirroredFrom gallery: WebAddress) -> [MirroredImage] {
    images
  }

  func wantedThumbnails(from gallery: WebAddress, limit: Int) -> [MirroredThumbnail] { [] }

  func wantedThumbnail(imageID: Int64) -> MirroredThumbnail? { nil }

  func wantedOriginals(
    from gallery: WebAddress,
    before imageID: Int64?,
    limit: Int
  ) -> [MirroredOriginal] {
    let older = originals.filter { $0.imageID < imageID ?? .max }
    return Array(older.sorted { $0.imageID > $1.imageID }.prefix(limit))
  }

  func mirroredOriginal(imageID: Int64) -> MirroredOriginal? {
    originals.first { $0.imageID == imageID }
  }

  func imageID(withOriginal hash: SHA256Digest, besides imageID: Int64) -> Int64? { nil }
}

extension MirrorState {
  /// The state of a copy with one feed.
  static func sample(
    key: LibraryKey? = nil,
    cursor: String? = "1.a",
    images: Int = 0
  ) -> MirrorState {
    MirrorState(
      feed: Feed(id: 7, address: MirrorBench.gallery.base),
      library: MirrorBench.library,
      key: key,
      cursor: cursor,
      isStatic: false,
      feeds: [1: 9],
      pins: [],
      images: images
    )
  }
}

extension ChangeLine {
  static func sample(_ id: Int64, _ kind: ChangedKind, _ state: State) -> ChangeLine {
    ChangeLine(position: ChangePosition(number: id, kind: kind, id: id), state: state)
  }

  static func feed(_ id: Int64) -> ChangeLine {
    sample(id, .feed, .feed(Feed(id: id, address: .sample("feed/\(id)"))))
  }

  static func image(_ id: Int64, captionBytes: Int = 0) -> ChangeLine {
    let fields = ImageFields(
      title: nil,
      caption: String(repeating: "x", count: captionBytes),
      author: nil,
      licence: nil,
      published: nil,
      pageAddress: nil,
      thumbnailAddress: nil,
      originalAddress: "a:b",
      width: nil,
      height: nil
    )
    let image = ImageState(
      id: id,
      number: id,
      feedID: 1,
      position: id,
      date: 0,
      firstSeen: 0,
      fields: fields,
      entryID: nil,
      isEntryAmbiguous: false,
      isGone: false,
      thumbnail: nil,
      original: nil
    )
    return sample(id, .image, .image(image))
  }
}
