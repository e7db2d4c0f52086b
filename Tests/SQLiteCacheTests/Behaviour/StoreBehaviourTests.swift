import Foundation
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// The behaviour that all stores share, tested through the protocols only.
@Suite(.inTurns)
struct StoreBehaviourTests {
  typealias Store = SyncStoring & LibraryManaging & HostPausing & ChangeReading

  typealias Kind = StoreKind

  /// An empty store, with its folder.
  struct Subject {
    let store: any Store
    /// The store's files.
    let files: TemporaryStore

    init(
      _ kind: Kind,
      bounds: StorageBounds = StorageBounds(),
      objects: String? = nil,
      isNew: Bool = false
    ) throws {
      files = try TemporaryStore(kind, bounds: bounds, objects: objects, isNew: isNew)
      store = files.library
    }

    private init(_ store: any Store, _ files: TemporaryStore) {
      (self.store, self.files) = (store, files)
    }

    /// The same library, opened as another program would.
    func reopened() -> Self { Self(files.reopened(), files) }

    /// Empties all packs of thumbnails in the folder.
    func damagePacks() throws {
      let folder = files.path + "/thumbnails"
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        try Data().write(to: URL(filePath: "\(folder)/\(name)"))
      }
    }

    /// Waits until the change log contains all writes: other tests' transactions on the server may delay them.
    func settle() async throws { try await files.settle() }

    /// Reads a document whose entries have one image each.
    @discardableResult
    func sync(
      _ entries: [FeedEntry],
      listsEverything: Bool = false,
      answer: FeedAnswer = FeedAnswer(),
      now: Date = .first
    ) async throws -> WrittenFeed {
      let writer = FeedWriter(store, feedAt: .feed, reach: .publicOnly, now: now)
      try await writer.append(entries)
      let document = FeedDocument(format: .rss, title: "Moon", listsEverything: listsEverything)
      return try await writer.finish(document, answer: answer, isWhole: true)
    }

    func wanted(
      _ kind: PictureKind,
      _ filter: PictureFilter = .missing,
      after last: WantedPicture? = nil,
      limit: Int = 10
    ) async throws -> [WantedPicture] {
      try await store.wanted(kind, feedID: 1, filter, after: last, limit: limit)
    }

    func images(_ query: ImageQuery = ImageQuery(order: .feed)) async throws -> [WebImage] {
      try await store.images(ids: store.imageIDs(matching: query))
    }
  }

  private static let three: [FeedEntry] = ["a", "b", "c"].map { name in
    .sample(name, id: name, title: "Title \(name)", thumbnail: "\(name)t")
  }

  // MARK: Documents

  @Test(arguments: Kind.allCases)
  func `a feed is known with its first image, and has what its document says`(
    kind: Kind
  ) async throws {
    let subject = try Subject(kind)

    let written = try await subject.sync(Self.three)

    #expect(written.counts == ImageCounts(total: 3, new: 3))
    let feed = try #require(try await subject.store.feeds().first)
    #expect(feed == written.feed)
    #expect(feed.title == "Moon")
    #expect(feed.status == .updated)
    #expect(feed.imageCount == 3)
    #expect(try await subject.store.feed(at: .feed) == feed)
    #expect(try await subject.images().map(\.title) == ["Title a", "Title b", "Title c"])
  }

  @Test(arguments: Kind.allCases)
  func `the same document again changes nothing`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let before = try await subject.images()

    let written = try await subject.sync(Self.three, now: .second)

    #expect(written.counts == ImageCounts(total: 3))
    #expect(written.feed.status == .unchanged)
    #expect(try await subject.images() == before)
  }

  @Test(arguments: Kind.allCases)
  func `an image that moves or is renamed keeps its id`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let next: [FeedEntry] = [
      .sample("c", id: "c", title: "Other", thumbnail: "ct"), .sample("new", id: "new"),
      .sample("a", id: "a", title: "Title a", thumbnail: "at"),
    ]

    let written = try await subject.sync(next, listsEverything: true, now: .second)

    #expect(written.counts == ImageCounts(total: 3, new: 1, changed: 1, gone: 1))
    let images = try await subject.images()
    #expect(Set(images.map(\.id)) == [1, 2, 3, 4])
    #expect(images.first { $0.id == 3 }?.title == "Other")
    #expect(images.first { $0.id == 2 }?.isGone == true)
  }

  @Test(arguments: Kind.allCases)
  func `a document that breaks off keeps its images and forgets the validators`(
    kind: Kind
  ) async throws {
    let subject = try Subject(kind)
    let validators = Validators(entityTag: "\"1\"")
    try await subject.sync(Self.three, answer: FeedAnswer(validators: validators))
    let writer = FeedWriter(subject.store, feedAt: .feed, reach: nil, now: .second)
    try await writer.append([.sample("d", id: "d")])

    let (feed, counts) = try await writer.breakOff(problem: "it broke", isExcess: false)

    #expect(counts == ImageCounts(total: 1, new: 1))
    #expect(feed?.problem == "it broke")
    #expect(feed?.validators == Validators())
    #expect(try await subject.images().count == 4)
  }

  @Test(arguments: Kind.allCases)
  func `a permanent redirect is followed the second time`(kind: Kind) async throws {
    let subject = try Subject(kind)
    let answer = FeedAnswer(permanentAddress: .otherFeed)

    let first = try await subject.sync(Self.three, answer: answer)
    let second = try await subject.sync(Self.three, answer: answer, now: .second)

    #expect(first.move == nil)
    #expect(first.feed.movedTo == .otherFeed)
    #expect(second.move == .moved(from: .feed, to: .otherFeed))
    #expect(try await subject.store.feed(at: .feed)?.address == .otherFeed)
  }

  @Test(arguments: Kind.allCases)
  func `a list remembers its feeds, and leaves out those that the user removes`(
    kind: Kind
  ) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let list = WebAddress.address("https://feeds.example/list")
    let writer = FeedWriter(subject.store, feedAt: list, reach: .publicOnly, now: .first)
    let feeds: [WebAddress] = [.feed, .otherFeed]
    let document = FeedDocument(
      format: .opml,
      listsEverything: true,
      continuation: .feeds(feeds)
    )

    let written = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)
    _ = try await subject.store.removeFeed(id: 1, purging: false)

    #expect(written.list == ListedFeeds(followed: feeds, total: 2, new: 2))
    let listed = try await subject.store.contents(ofFeedAt: list).listed
    #expect(listed == ListedFeeds(followed: [.otherFeed], total: 2))
  }

  // MARK: Feeds

  @Test(arguments: Kind.allCases)
  func `a feed that is removed hides its images, and comes back with them`(
    kind: Kind
  ) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)

    let removed = try await subject.store.removeFeed(id: 1, purging: false)
    let hidden = try await subject.images()
    let again = try await subject.store.removeFeed(id: 1, purging: false)
    try await subject.sync(Self.three, now: .second)

    #expect(removed?.images == 3)
    #expect(hidden == [])
    #expect(again == nil)
    #expect(try await subject.images().map(\.id) == [1, 2, 3])
  }

  @Test(arguments: Kind.allCases)
  func `a given title goes before the document's until it is taken back`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)

    #expect(try await subject.store.set(.title("Mine"), ofFeed: 1)?.title == "Mine")
    #expect(try await subject.store.set(.title(nil), ofFeed: 1)?.title == "Moon")
    #expect(try await subject.store.set(.title("Mine"), ofFeed: 2) == nil)
  }

  @Test(arguments: Kind.allCases)
  func `a setting that is not named stays as it is`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)

    _ = try await subject.store.set(.title("Mine"), ofFeed: 1)
    let fixed = try await subject.store.set(FeedChange(interval: .given(1_800)), ofFeed: 1)
    #expect(fixed?.title == "Mine")
    #expect(fixed?.schedule.givenInterval == 1_800)
    _ = try await subject.store.set(.title(nil), ofFeed: 1)
    #expect(try await subject.store.feed(at: .feed)?.schedule.givenInterval == 1_800)
    let learned = try await subject.store.set(FeedChange(interval: .usual), ofFeed: 1)
    #expect(learned?.schedule.givenInterval == nil)
  }

  @Test(arguments: Kind.allCases)
  func `keeps when a feed is asked, and forgets it with the feed`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let first = try await subject.store.feed(at: .feed)?.schedule
    let note = FeedNote(status: .failed, problem: "away")
    let noted = try await subject.store.noteSync(ofFeedAt: .feed, note, now: .second)
    let kept = try await subject.store.feed(at: .feed)?.schedule
    _ = try await subject.store.removeFeed(id: 1, purging: false)
    try await subject.sync(Self.three, now: .second)

    #expect(first?.changes.count == 1)
    #expect(first?.due != nil)
    #expect(kept == noted?.feed.schedule)
    #expect(kept?.failures == 1)
    #expect(kept?.changes == first?.changes)
    #expect(try await subject.store.feed(at: .feed)?.schedule.failures == 0)
  }

  @Test(arguments: Kind.allCases)
  func `a lock is held by one until it is released`(kind: Kind) async throws {
    let subject = try Subject(kind)
    guard case .taken(let lock) = try await subject.store.lockFeed(at: .feed, now: .first) else {
      Issue.record("a free lock was not taken")
      return
    }

    let second = try await subject.store.lockFeed(at: .feed, now: .first)
    lock.release()
    let third = try await subject.store.lockFeed(at: .feed, now: .first)

    if case .taken = second { Issue.record("a held lock was taken") }
    if case .held = third { Issue.record("a released lock was not taken") }
  }

  @Test(arguments: Kind.allCases)
  func `of two pauses of a host the later one holds`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let later = Date(timeIntervalSince1970: 4_000_000_000)

    try subject.store.notePause(of: "a.bc", until: later)
    try subject.store.notePause(of: "a.bc", until: later - 60)

    // A server's clock may make a pause a little longer.
    let pause = try #require(try subject.store.pause(of: "a.bc"))
    #expect((0..<10).contains(pause.timeIntervalSince(later)))
    #expect(try subject.store.pause(of: "b.bc") == nil)
  }

  // MARK: Pictures

  @Test(arguments: Kind.allCases)
  func `thumbnails are wanted, page by page, until they are stored`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)

    let first = try await subject.wanted(.thumbnail, limit: 2)
    let rest = try await subject.wanted(.thumbnail, after: first.last)
    let stored = PictureBatch(new: first.map { .sample($0, bytes: [7]) })
    try await subject.store.store(stored, .thumbnail)

    #expect(first.map(\.imageID) == [1, 2])
    #expect(rest.map(\.imageID) == [3])
    #expect(try await subject.wanted(.thumbnail).map(\.imageID) == [3])
    #expect(try await subject.store.thumbnailBytes(imageID: 1) == [7])
    #expect(try await subject.store.thumbnailBytes(imageID: 3) == nil)
    let count = try await subject.store.count(of: .thumbnail, feedID: 1, .missing)
    #expect(count == PictureCount(offered: 1, heldBack: 0))
  }

  @Test(arguments: Kind.allCases)
  func `a picture that failed is held back until its time`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let failed = FailedPicture(
      imageID: 2,
      address: .picture("bt"),
      failureClass: .permanent,
      reason: "not found",
      failed: .first
    )

    try await subject.store.store(PictureBatch(failed: [failed]), .thumbnail)

    let count = try await subject.store.count(of: .thumbnail, feedID: 1, .missing)
    #expect(count.offered == 2)
    #expect(count.heldBack == 1)
    #expect(count.failures.map(\.reason) == ["not found"])
    #expect(try await subject.wanted(.thumbnail).map(\.imageID) == [1, 3])
    let retrying = PictureFilter(now: .first, retriesFailed: true)
    #expect(try await subject.wanted(.thumbnail, retrying).map(\.imageID) == [1, 2, 3])
    #expect(try await subject.store.failures()[1]?.map(\.count) == [1])
  }

  @Test(arguments: Kind.allCases)
  func `a stored thumbnail is due at its date, and put off by an unchanged one`(
    kind: Kind
  ) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let wanted = try await subject.wanted(.thumbnail)
    try await subject.store.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    let then = PictureFilter(now: .second)

    let early = try await subject.store.due(.thumbnail, feedID: 1, .missing)
    let due = try await subject.store.due(.thumbnail, feedID: 1, then)
    let checks = try await subject.store.checks(.thumbnail, imageIDs: [1, 9])
    let unchanged = UnchangedPicture(
      imageID: 1,
      address: .picture("at"),
      validators: nil,
      checkDate: .second + 60
    )
    try await subject.store.store(PictureBatch(unchanged: [unchanged]), .thumbnail)

    #expect(early == [])
    #expect(Set(due) == [1, 2, 3])
    #expect(checks.map(\.held) == [Validators(entityTag: "\"t\"")])
    #expect(try await Set(subject.store.due(.thumbnail, feedID: 1, then)) == [2, 3])
  }

  @Test(arguments: Kind.allCases)
  func `an image without a thumbnail wants one made`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync([.sample("a", id: "a")])

    let wanted = try await subject.wanted(.madeThumbnail)
    #expect(try await subject.wanted(.madeThumbnail, .missing.from(.stored)) == [])
    let made = PictureBatch(new: wanted.map { .sample($0) })
    try await subject.store.store(made, .madeThumbnail)

    #expect(wanted.map(\.address) == [.picture("a")])
    #expect(try await subject.wanted(.madeThumbnail) == [])
    #expect(try await subject.wanted(.thumbnail) == [])
    #expect(try await subject.wanted(.original).map(\.imageID) == [1])
  }

  @Test(arguments: Kind.allCases)
  func `another address makes stored pictures wanted again`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)
    let wanted = try await subject.wanted(.thumbnail)
    try await subject.store.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)

    var next = Self.three
    next[1] = .sample("b", id: "b", title: "Title b", thumbnail: "other")
    try await subject.sync(next, now: .second)

    #expect(try await subject.wanted(.thumbnail).map(\.address) == [.picture("other")])
  }

  // MARK: Listings

  @Test(arguments: Kind.allCases)
  func `lists in an order, a part at a time, and by words`(kind: Kind) async throws {
    let subject = try Subject(kind)
    try await subject.sync(Self.three)

    let page = ImageQuery(order: .title, limit: 1, offset: 1)
    #expect(try await subject.store.imageIDs(matching: page) == [2])
    #expect(try await subject.store.imageIDs(matching: ImageQuery(order: .oldest)) == [3, 2, 1])
    #expect(try await subject.store.imageIDs(matching: ImageQuery(search: "titl c")) == [3])
    #expect(try await subject.store.imageIDs(matching: ImageQuery(search: "mars")) == [])
    let random = ImageQuery(order: .random, seed: 4)
    #expect(try await Set(subject.store.imageIDs(matching: random)) == [1, 2, 3])
    #expect(try await subject.store.images(ids: [3, 9, 1]).map(\.id) == [3, 1])
    #expect(try await subject.store.image(id: 9) == nil)
  }

  // MARK: No library

  @Test(arguments: Kind.allCases)
  func `a change of what must be there makes no library`(kind: Kind) async throws {
    let subject = try Subject(kind, isNew: true)
    let store = subject.store
    let changes: [@Sendable () async throws -> Void] = [
      { _ = try await store.setPinned(true, imageIDs: [1]) },
      { _ = try await store.takeNewer(imageID: 1) },
      { _ = try await store.removeFeed(id: 1, purging: true) },
      { _ = try await store.set(.title("Mine"), ofFeed: 1) },
      { try await store.unfollow(folderAt: "/copies") },
      { _ = try await store.move(feed: 1, toFolder: .at("file:///pictures/")) },
    ]

    for change in changes {
      let error = await #expect(throws: StoreError.self) { try await change() }
      #expect(error?.reason == .noLibrary)
    }
    let reading = await #expect(throws: StoreError.self) { try await store.feeds() }
    #expect(reading?.reason == .noLibrary)
    if kind == .sqlite {
      #expect(!FileManager.default.fileExists(atPath: subject.files.path + "/gallery.sqlite"))
    }

    // The first feed begins one.
    try await subject.sync(Self.three)
    #expect(try await store.setPinned(true, imageIDs: [1]) == [1])
  }

  /// Puts the file of an original into the folder of a store, and returns its path.
  private func leaveOriginal(_ subject: Subject) throws -> String {
    let hash = String(repeating: "ab", count: 32)
    let folder = subject.files.path + "/originals/ab"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(filePath: "\(folder)/\(hash).jpg"))
    return "\(folder)/\(hash).jpg"
  }

  @Test(arguments: Kind.allCases)
  func `no library begins over the files of one whose database is lost`(kind: Kind) async throws {
    let subject = try Subject(kind, isNew: true)
    let path = try leaveOriginal(subject)
    let store = subject.store
    let requests: [@Sendable () async throws -> Void] = [
      { _ = try await store.feeds() },
      { _ = try await store.imageIDs(matching: ImageQuery()) },
      { _ = try await store.setPinned(true, imageIDs: [1]) },
    ]

    let remains = LibraryRemains(folder: subject.files.path, originals: 1)
    for request in requests {
      let error = await #expect(throws: StoreError.self) { try await request() }
      #expect(error?.reason == .lostDatabase(remains))
    }
    let syncing = await #expect(throws: StoreError.self) { try await subject.sync(Self.three) }
    #expect(syncing?.reason == .lostDatabase(remains))
    if kind == .sqlite {
      #expect(!FileManager.default.fileExists(atPath: subject.files.path + "/gallery.sqlite"))
    }
    #expect(FileManager.default.fileExists(atPath: path))

    // Without the file, the next sync begins one.
    try FileManager.default.removeItem(atPath: path)
    try await subject.sync(Self.three)
    _ = try leaveOriginal(subject)
    #expect(try await subject.reopened().store.feeds().count == 1)
    try await subject.reopened().sync(Self.three, now: .second)
  }

  @Test(arguments: Kind.allCases)
  func `a first sync goes on that was killed before its database was made`(
    kind: Kind
  ) async throws {
    let subject = try Subject(kind, isNew: true)
    for folder in ["locks", "partial", "originals/ab", "thumbnails", "trash"] {
      try FileManager.default.createDirectory(
        atPath: "\(subject.files.path)/\(folder)",
        withIntermediateDirectories: true
      )
    }
    try Data([1]).write(to: URL(filePath: subject.files.path + "/partial/1"))

    let reading = await #expect(throws: StoreError.self) { try await subject.store.feeds() }
    #expect(reading?.reason == .noLibrary)
    try await subject.sync(Self.three)

    #expect(try await subject.store.feeds().count == 1)
  }
}
