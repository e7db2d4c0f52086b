import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import PostgresStore
@testable import SQLiteCache

/// Runs SQLite and PostgreSQL through the same random history, and expects the same answers to every query.
@Suite(.inTurns)
struct StoreAgreementTests {
  private typealias Subject = StoreBehaviourTests.Subject
  private typealias Store = StoreBehaviourTests.Store & ChangeFollowing & MirrorStoring

  private static let words = [
    "Moon", "moonlight", "Café", "cafe", "ÉCLAIR", "Straße", "Ωmega", "東京タワー", "京都NHK", "小川のせせらぎ",
    "한국어", "ภาษาไทย", "don't", "f1", "2024", "naïve", "e\u{301}tude", "O'Brien", "a\\b", "x:*&|!",
    "Łódź", "Ελλάδα", "Чёрный", "हिन्दी", "が\u{1112}\u{1161}\u{11AB}", "مُحَمَّد", "img 10", "img 2",
  ]

  private static let searches =
    words + [
      "moo", "京", "東京 moon", "nhk", "타", "국", "cafe eclair", "mars", "NAIVE", "etud", "straß", "ωm",
      "12", "a", "lodz", "ΕΛΛ", "черн", "हिन्द", "محمد", "한", "か", "STRASSE",
    ]

  /// The document at one moment: entries appear, change, move, lose their ids, and disappear.
  private struct Document {
    private var names: [Int]
    private var next: Int
    private var titles: [Int: Int] = [:]
    private var thumbnails: [Int: Int] = [:]

    init() { (names, next) = (Array(0..<12), 12) }

    mutating func change(_ generator: inout SeededGenerator) {
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        names.insert(next, at: Int.random(in: 0...names.count, using: &generator))
        next += 1
      }
      if Bool.random(using: &generator), names.count > 4 {
        names.remove(at: Int.random(in: 0..<names.count, using: &generator))
      }
      if Bool.random(using: &generator) { names.shuffle(using: &generator) }
      for name in names where Int.random(in: 0..<5, using: &generator) == 0 {
        titles[name, default: name] += 1
      }
      for name in names where Int.random(in: 0..<8, using: &generator) == 0 {
        thumbnails[name, default: 0] += 1
      }
    }

    var entries: [FeedEntry] {
      names.map { name in
        let title = titles[name] ?? name
        let word = StoreAgreementTests.words[title % StoreAgreementTests.words.count]
        let thumbnail = thumbnails[name] ?? 0
        let hasThumbnail = name % 4 != 3 && thumbnail < 3
        return .sample(
          "p\(name)",
          id: name % 5 == 0 ? nil : name % 7 == 1 ? "same" : "id \(name)",
          title: title % 6 == 5 ? nil : "\(word) \(title)",
          caption: title % 3 == 0 ? "\(word)\nof \(name)" : nil,
          thumbnail: hasThumbnail ? "t\(name)-\(thumbnail)" : nil,
          published: name % 3 == 0
            ? nil : Date(timeIntervalSince1970: 1.6e9 + Double(name % 9) * 4e6)
        )
      }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `both stores answer alike`(seed: UInt64) async throws {
    let bounds = StorageBounds(keep: 1 << 30, keepFree: 1)
    let subjects = try StoreKind.allCases.map {
      try Subject($0, bounds: bounds, objects: Self.objects)
    }
    var generator = SeededGenerator(seed: seed)
    var document = Document()
    for round in 0..<8 {
      let now = Date.first + Double(round) * 7_200
      if round > 0 { document.change(&generator) }
      let listsEverything = Bool.random(using: &generator)
      let (chance, pick) = (
        Int.random(in: 0..<6, using: &generator), Int64.random(in: 1...14, using: &generator)
      )
      var counts: [ImageCounts] = []
      for subject in subjects {
        counts.append(
          try await subject.sync(document.entries, listsEverything: listsEverything, now: now)
            .counts
        )
        try await act(chance, pick, on: subject, now: now)
      }
      #expect(counts[0] == counts[1], "round \(round)")
      let one = try await answers(subjects[0], ofFiles: true)
      let other = try await answers(subjects[1], ofFiles: true)
      for (one, other) in zip(one, other) { #expect(one == other, "round \(round)") }
    }
  }

  /// The changes of a sync and its user outside the document.
  private func act(_ chance: Int, _ pick: Int64, on subject: Subject, now: Date) async throws {
    let store = subject.store
    for kind in [PictureKind.thumbnail, .madeThumbnail] {
      let wanted = try await subject.wanted(kind, PictureFilter(now: now), limit: 7)
      let (had, failed) = (wanted.dropFirst(2), wanted.prefix(2))
      let batch = PictureBatch(
        new: had.map { .sample($0, bytes: [UInt8($0.imageID % 5), UInt8(kind.rawValue)]) },
        failed: failed.map { order in
          FailedPicture(
            imageID: order.imageID,
            address: order.address,
            failureClass: order.imageID % 2 == 0 ? .permanent : .transient,
            reason: "reason \(order.imageID % 3)",
            failed: now
          )
        }
      )
      try await store.store(batch, kind)
    }
    switch chance {
    case 0: _ = try await store.setPinned(true, imageIDs: [pick, pick + 1, 99])
    case 1: _ = try await store.setPinned(false, imageIDs: [pick])
    case 2: _ = try await store.set(.title("Given \(pick)"), ofFeed: 1)
    case 3:
      let bounds = FeedChange(images: .given(Int(pick)), originals: .given(1))
      _ = try await store.set(bounds, ofFeed: 1)
    case 4: _ = try await store.set(FeedChange(images: .usual, originals: .usual), ofFeed: 1)
    default:
      let file = try await store.openOriginalFile(imageID: pick)
      try await file.restart(OriginalVersion(address: .picture("p\(pick)")))
      try await file.append([1, UInt8(pick)])
      let info = PictureInfo(format: .png, bytes: 2, width: 3, height: 2)
      let receipt = OriginalReceipt.sample(info, from: "p\(pick)", arrived: now)
      do {
        let stored = try await file.commit(receipt)
        try await put(stored, of: pick, on: subject, now: now)
      } catch { await file.discard() }
    }
    _ = try await store.keepNewest(ofFeed: 1)
  }

  private static let objects = "s3://photos"

  /// Puts every other original into the object store, if there is one; all are looked at, in the future.
  private func put(
    _ original: StoredOriginal,
    of pick: Int64,
    on subject: Subject,
    now: Date
  ) async throws {
    guard try await subject.store.figures().waitingObjects != nil else { return }
    await subject.store.noteLook(atOriginal: original.sha256, now: now + 1e9)
    guard pick % 2 == 0, let hash = SHA256Digest(hexadecimal: original.sha256) else { return }
    try await subject.files.library.notePut(hash, in: Self.objects)
  }

  /// The answers to all queries, as texts without transaction numbers.
  ///
  /// - Parameters:
  ///   - subject: The store.
  ///   - ofFiles: Whether also those about the originals on this disk.
  /// - Returns: The texts.
  /// - Throws: when the store cannot be read.
  private func answers(_ subject: Subject, ofFiles: Bool = false) async throws -> [String] {
    let store = subject.store
    var answers: [String] = []
    func add(_ name: String, _ value: Any) { answers.append("\(name): \(value)") }
    let all = try await store.imageIDs(matching: ImageQuery(order: .feed))
    add("images", try await store.images(ids: all))
    add("feeds", try await store.feeds())
    add("tiles", try await store.tiles(ids: all))
    add("failures", try await store.failures().sorted { $0.key < $1.key })
    for order in ImageQuery.Order.allCases where order != .random {
      let query = ImageQuery(order: order)
      add("list by \(order)", try await store.imageIDs(matching: query))
      add("timeline by \(order)", try await store.timeline(matching: query))
    }
    for search in Self.searches {
      let query = ImageQuery(order: .feed, search: search)
      let found = try? await store.imageIDs(matching: query)
      add("search for \(search)", found ?? [-1])
    }
    var query = ImageQuery(order: .newest)
    query.isOriginalStored = true
    add("with originals", try await store.imageIDs(matching: query))
    (query.isOriginalStored, query.shape) = (nil, .landscape)
    add("landscapes", try await store.imageIDs(matching: query))
    (query.shape, query.isPinned) = (nil, true)
    add("pinned", try await store.imageIDs(matching: query))
    let later = PictureFilter(now: .first + 9e6)
    for kind in [PictureKind.thumbnail, .madeThumbnail, .original] {
      for filter in [later, PictureFilter(now: later.now, all: true), PictureFilter(now: .first)] {
        add("wanted \(kind)", try await subject.wanted(kind, filter, limit: 99))
        add("count \(kind)", try await store.count(of: kind, feedID: 1, filter))
      }
      add("due \(kind)", try await Set(store.due(kind, feedID: 1, later)).sorted())
      add("checks \(kind)", try await store.checks(kind, imageIDs: all))
    }
    var figures = try await store.figures()
    (figures.databaseBytes, figures.thumbnailBytes) = (0, 0)
    if !ofFiles { figures.originalBytes = 0 }
    add("figures", figures)
    for id in all where ofFiles { add("why \(id)", try await store.storage(imageID: id) as Any) }
    try await subject.settle()
    let changes = try await store.changes(after: .beginning, limit: 999)
    add("log", changes.map { "\($0.isRemoval)\($0.position.kind)\($0.position.id)" }.sorted())
    return answers
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `one mirrors the other, page by page`(
    kind: StoreBehaviourTests.Kind,
    copyKind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(kind), try Subject(copyKind))
    let source = try #require(origin.store as? any Store)
    let target = try #require(copy.store as? any Store)
    let base = WebAddress.address("https://gallery.example/")
    let gallery = GalleryAddress(base: base, isStatic: false)
    var generator = SeededGenerator(seed: 5)
    var (document, position) = (Document(), ChangePosition.beginning)
    for round in 0..<6 {
      let now = Date.first + Double(round) * 7_200
      if round > 0 { document.change(&generator) }
      try await origin.sync(document.entries, listsEverything: true, now: now)
      try await act(round == 4 ? 0 : 3, 4 + Int64(round), on: origin, now: now)
      if round == 4 { _ = try await source.removeFeed(id: 1, purging: false) }
      try await origin.settle()
      let library = try await source.version().library
      var next: ChangePosition? = position
      while let start = next {
        let page = try await source.changePage(ChangeRequest(position: start, limit: 5))
        let written = MirrorPage(lines: page.lines, cursor: "\(page.version.number)")
        let mirror = MirrorTarget(gallery: gallery, library: library, now: now)
        _ = try await target.apply(written, to: mirror)
        position = ChangePosition(number: page.version.number, kind: .pin, id: .max)
        next = page.next
      }

      #expect(try await shown(target, but: base) == shown(source, but: base), "round \(round)")
      let state = try await target.mirror(of: base)
      let feed = try await source.feeds().first
      #expect(state?.images == feed?.imageCount ?? 0)
      #expect(state?.feeds.count == (feed == nil ? 0 : 1))
    }
    let wanted = try await target.wantedThumbnails(from: base, limit: 99)
    #expect(!wanted.isEmpty)
    #expect(try await target.figures().waitingThumbnails == wanted.count)
    #expect(
      try await target.images(ofFeed: 1, mirroredFrom: base).count == shown(source, but: base).count
    )
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `a copy answers as the library, and goes on as it does`(
    kind: StoreBehaviourTests.Kind,
    copyKind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(kind), try Subject(copyKind))
    var generator = SeededGenerator(seed: 7)
    var document = Document()
    for round in 0..<7 {
      let now = Date.first + Double(round) * 7_200
      if round > 0 { document.change(&generator) }
      try await origin.sync(document.entries, listsEverything: round % 2 == 0, now: now)
      try await act(round % 6, 2 + Int64(round), on: origin, now: now)

      let counts = try await origin.copy(to: copy, acceptsRemovals: true)
      try await expectAlike(origin, copy)
      #expect(counts.changedRows > 0)
    }
    #expect(try await origin.copy(to: copy).changedRows == 0)

    document.change(&generator)
    for subject in [origin, copy] {
      try await subject.sync(document.entries, now: .first + 1e6)
    }
    let ids = try await origin.store.imageIDs(matching: ImageQuery(order: .feed))
    #expect(try await copy.store.imageIDs(matching: ImageQuery(order: .feed)) == ids)
    await #expect { try await origin.copy(to: copy) } throws: { error in
      (error as? StoreError)?.reason == .changedSince
    }
  }

  private func expectAlike(_ origin: Subject, _ copy: Subject) async throws {
    let (one, other) = (try await answers(origin), try await answers(copy))
    for (one, other) in zip(one, other) { #expect(one == other) }
    let source = try #require(origin.store as? any Store)
    let target = try #require(copy.store as? any Store)
    let (version, copied) = (try await source.version(), try await target.version())
    #expect(copied.library == version.library)
    #expect(copied.epoch == version.epoch + 1)
    let changes = try await source.changes(after: .beginning, limit: 999)
    #expect(try await target.changes(after: .beginning, limit: 999) == changes)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a copy wants the thumbnails again that are damaged in the library`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(.sqlite), try Subject(kind))
    try await origin.sync(Document().entries)
    let wanted = try await origin.wanted(.thumbnail, limit: 99)
    let unmade = try await origin.wanted(.madeThumbnail, limit: 99)
    #expect(!wanted.isEmpty && !unmade.isEmpty)
    for (kind, pictures) in [(PictureKind.thumbnail, wanted), (.madeThumbnail, unmade)] {
      let new = pictures.map { FetchedThumbnail.sample($0, bytes: [UInt8(kind.rawValue)]) }
      try await origin.store.store(PictureBatch(new: new), kind)
    }
    try origin.damagePacks()

    let counts = try await origin.copy(to: copy, reporting: wanted.count + unmade.count)

    #expect(counts.missing == wanted.count + unmade.count)
    #expect(try await copy.wanted(.thumbnail, limit: 99).map(\.imageID) == wanted.map(\.imageID))
    #expect(
      try await copy.wanted(.madeThumbnail, limit: 99).map(\.imageID) == unmade.map(\.imageID)
    )
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `what is gone goes from the copy, too`(
    kind: StoreBehaviourTests.Kind,
    copyKind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(kind), try Subject(copyKind))
    try await origin.sync(Document().entries)
    try await act(5, 3, on: origin, now: .first)
    try await origin.copy(to: copy)
    _ = try await origin.store.removeFeed(id: 1, purging: true)

    try await origin.copy(to: copy, acceptsRemovals: true)

    try await expectAlike(origin, copy)
    let figures = try await copy.store.figures()
    #expect((figures.images, figures.thumbnails, figures.originals) == (0, 0, 0))
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `a copy has what is known about the pictures of a feed`(
    kind: StoreBehaviourTests.Kind,
    copyKind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(kind), try Subject(copyKind))
    try await origin.sync(Document().entries)
    _ = try await origin.store.set(FeedChange(imageChoice: .given(.front)), ofFeed: 1)
    try await origin.store.set(PictureReferer.page, ofFeed: 1)
    try await origin.copy(to: copy)
    let first = try await copy.store.feed(at: .feed)
    _ = try await origin.store.set(FeedChange(imageChoice: .usual), ofFeed: 1)
    try await origin.copy(to: copy)
    let second = try await copy.store.feed(at: .feed)

    #expect(first?.imageChoice == .front)
    #expect(second?.imageChoice == .all)
    #expect([first?.pictureReferer, second?.pictureReferer] == [.page, .page])
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, [0, 1, 2])
  func `a complete copy stays as it was when the next run does not come to its end`(
    kind: StoreBehaviourTests.Kind,
    changes: Int
  ) async throws {
    let (origin, copy) = (try Subject(.sqlite), try Subject(kind))
    var (document, generator) = (Document(), SeededGenerator(seed: 3))
    try await origin.sync(document.entries)
    try await act(5, 3, on: origin, now: .first)
    try await origin.copy(to: copy)
    let before = try await answers(copy)
    for _ in 0..<3 { document.change(&generator) }
    try await origin.sync(document.entries, now: .first + 7_200)
    try await act(0, 2, on: origin, now: .first + 7_200)
    let target = FillingStore(
      try #require(copy.store as? any LibraryCopying),
      changes: changes
    )

    await #expect(throws: FillingStore.full) { try await origin.copy(to: target) }

    #expect(try await answers(copy.reopened()) == before)
    try await origin.copy(to: copy)
    try await expectAlike(origin, copy)
    #expect(try await answers(copy.reopened()) == answers(origin))
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `nothing opens a copy that was interrupted, until it is taken up`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(.sqlite), try Subject(kind))
    try await origin.sync(Document().entries)
    let target = FillingStore(try #require(copy.store as? any LibraryCopying), changes: 1)
    await #expect(throws: FillingStore.full) { try await origin.copy(to: target) }

    for isWriting in [false, true] {
      await #expect {
        let other = copy.reopened()
        if isWriting {
          try await other.sync(Document().entries)
        } else {
          _ = try await other.store.feeds()
        }
      } throws: { error in
        (error as? StoreError)?.reason == .unfinishedCopy
      }
    }
    let other = try Subject(.sqlite)
    try await other.sync(Document().entries)
    try await origin.copy(to: copy)
    #expect(try await answers(copy) == answers(origin))
    await #expect { try await other.copy(to: copy) } throws: { error in
      (error as? StoreError)?.reason == .occupied
    }
    #expect(try await answers(copy) == answers(origin))
  }

  @Test(arguments: [1, 2, 3])
  func `takes up a copy that an older program began`(changes: Int) async throws {
    let (origin, copy) = (try Subject(.sqlite), try Subject(.sqlite))
    try await origin.sync(Document().entries)
    _ = try await origin.store.set(FeedChange(imageChoice: .given(.front)), ofFeed: 1)
    let target = FillingStore(
      try #require(copy.store as? any LibraryCopying),
      changes: changes
    )
    await #expect(throws: FillingStore.full) { try await origin.copy(to: target) }
    try copy.files.sqlite.makeFirstVersion()

    let other = copy.reopened()
    try await origin.copy(to: other)

    #expect(try await answers(other) == answers(origin))
    #expect(try await other.store.feed(at: .feed)?.imageChoice == .front)
    try copy.files.checkIndexes()
  }

  /// The content of images in the order of the feed, without the ids that each library assigns.
  private func shown(_ store: any Store, but gallery: WebAddress) async throws -> [String] {
    let ids = try await store.imageIDs(matching: ImageQuery(order: .feed))
    return try await store.states(ids: ids).map { state in
      "\(state.position) \(state.date) \(state.entryID ?? "-") \(state.isEntryAmbiguous) \(state.isGone) "
        + "\(state.fields)"
    }
  }
}

extension StoreBehaviourTests.Subject {
  @discardableResult
  func copy(
    to other: Self,
    for purpose: CopyPurpose = .move,
    reporting damaged: Int = 0,
    isVerified: Bool = false,
    acceptsRemovals: Bool = false
  ) async throws -> MoveCounts {
    let target = try #require(other.store as? any LibraryCopying)
    return try await copy(
      to: target,
      for: purpose,
      reporting: damaged,
      verifiedBy: isVerified ? other.store as? any LibraryInspecting : nil,
      acceptsRemovals: acceptsRemovals
    )
  }

  @discardableResult
  func copy(
    to target: any LibraryCopying,
    for purpose: CopyPurpose = .move,
    reporting damaged: Int = 0,
    verifiedBy inspector: (any LibraryInspecting)? = nil,
    acceptsRemovals: Bool = false
  ) async throws -> MoveCounts {
    let mover = LibraryMover(
      from: try #require(store as? any LibraryCopying),
      named: "the library",
      to: target,
      at: "the copy",
      originals: SharedOriginals(),
      hasSameObjects: true,
      objects: nil,
      for: purpose,
      verifiedBy: inspector,
      acceptsRemovals: acceptsRemovals,
      bringBack: { _ in }
    )
    var counts: MoveCounts?
    var reported = 0
    for await fact in mover.move().facts {
      switch fact {
      case .ended(let ended): counts = ended
      case .failed(let error): throw error
      case .damagedThumbnail: reported += 1
      default: Issue.record("\(fact)")
      }
    }
    #expect(reported == damaged)
    return try #require(counts)
  }
}

/// The original files of two libraries that share one folder.
private struct SharedOriginals: OriginalCopying {
  func copy(_ hash: SHA256Digest, _ format: ImageFormat, bytes: Int) -> CopiedOriginal { .wasThere }

  func settle() {}
}

/// A store whose disk is full after some changes of a copy.
struct FillingStore: LibraryCopying {
  static let full = StoreError(reason: .full, path: "disk", message: "")
  private let store: any LibraryCopying
  private let left: Locked<Int>

  init(_ store: any LibraryCopying, changes: Int) {
    self.store = store
    left = Locked(changes)
  }

  func withState(
    _ body: @escaping @Sendable (any LibraryState) throws(StoreError) -> Void
  ) async throws(StoreError) { try await store.withState(body) }

  func beginCopy(of header: LibraryHeader, for purpose: CopyPurpose) throws(StoreError) {
    try store.beginCopy(of: header, for: purpose)
  }

  func withCopy(
    _ body: (any LibraryState) throws(StoreError) -> Void
  ) throws(StoreError) { try store.withCopy(body) }

  func changeCopy(_ change: CopyChange) throws(StoreError) {
    let left = left.withLock { left in
      left -= 1
      return left
    }
    if left < 0 { throw Self.full }
    try store.changeCopy(change)
  }

  func storedKey() throws(StoreError) -> (any LibrarySigning)? { try store.storedKey() }

  func keepKey(_ key: any LibrarySigning, of library: String) throws(StoreError) {
    try store.keepKey(key, of: library)
  }

  func endCopy(of header: LibraryHeader, for purpose: CopyPurpose) throws(StoreError) {
    if left.withLock({ $0 }) <= 0 { throw Self.full }
    try store.endCopy(of: header, for: purpose)
  }

  func abandonCopy() { store.abandonCopy() }

  func isBackup() async throws(StoreError) -> Bool { try await store.isBackup() }
}
