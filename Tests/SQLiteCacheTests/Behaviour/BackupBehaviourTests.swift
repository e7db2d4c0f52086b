import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import PostgresStore
@testable import SQLiteCache

/// Backups of a library, and libraries that are restored from them, in both databases.
@Suite(.inTurns)
struct BackupBehaviourTests {
  private typealias Kind = StoreBehaviourTests.Kind
  private typealias Subject = StoreBehaviourTests.Subject
  private typealias Store = ChangeFollowing & LibraryKeyKeeping & LibraryCopying & LibraryCleaning
    & DetailsStoring

  private func store(_ subject: Subject) throws -> any Store {
    try #require(subject.store as? any Store)
  }

  private func entries(_ names: String...) -> [FeedEntry] {
    names.map { .sample($0, id: $0, title: "Title \($0)", thumbnail: "\($0)t") }
  }

  /// A library of two images, with a thumbnail and a key pair.
  private func library(_ kind: StoreBehaviourTests.Kind) async throws -> Subject {
    let subject = try Subject(kind)
    try await subject.sync(entries("a", "b"))
    let new = try await subject.wanted(.thumbnail, limit: 1)
      .map { FetchedThumbnail.sample($0, bytes: [1, 2, 3]) }
    try await subject.store.store(PictureBatch(new: new), .thumbnail)
    _ = try await store(subject).signer()
    return subject
  }

  private func expect(
    _ reason: StoreError.Reason,
    from origin: Subject,
    to target: Subject,
    _ purpose: CopyPurpose
  ) async {
    await #expect { try await origin.copy(to: target, for: purpose) } throws: { error in
      (error as? StoreError)?.reason == reason
    }
  }

  private func titles(_ subject: Subject) async throws -> [String?] {
    try await subject.images().map(\.title)
  }

  // MARK: Backups

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `a backup is read as the library, and takes only what is new`(
    kind: StoreBehaviourTests.Kind,
    other: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(kind), try Subject(other))

    #expect(try await origin.copy(to: backup, for: .backup).changedRows > 0)
    #expect(try await origin.copy(to: backup, for: .backup).changedRows == 0)

    #expect(try await backup.reopened().images() == origin.images())
    #expect(try await store(backup.reopened()).isBackup())
    #expect(try await !store(origin).isBackup())
    try await origin.sync(entries("a", "c"), listsEverything: true, now: .second)
    try await origin.copy(to: backup, for: .backup)
    #expect(try await backup.reopened().images() == origin.images())
    let key = try await store(origin).signer()?.key
    #expect(try store(backup.reopened()).storedKey()?.key == key)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `a backup has what cameras have written into originals`(
    kind: StoreBehaviourTests.Kind,
    other: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(kind), try Subject(other))
    let hashes = ["a", "b"].map { String(repeating: $0, count: 64) }
    var details = PictureDetails()
    (details.camera, details.exposure) = ("X100V", 4_000_000)
    details.place = PicturePlace(latitude: -33_856_800, longitude: 151_215_300)
    let all = [hashes[0]: details, hashes[1]: PictureDetails()]
    try await store(origin).store(details: all)

    try await origin.copy(to: backup, for: .backup)

    #expect(try await store(backup.reopened()).details(ofOriginals: hashes) == all)
    #expect(try await origin.copy(to: backup, for: .backup).changedRows == 0)
  }

  // MARK: Removals

  /// Syncs images of a feed of a library, the newest last.
  private func sync(
    _ names: ClosedRange<Int>,
    ofFeed feed: Int = 0,
    _ subject: Subject
  ) async throws {
    let address = WebAddress.address("https://feeds.example/\(feed)")
    let writer = FeedWriter(subject.store, feedAt: address, reach: .publicOnly, now: .first)
    try await writer.append(
      names.map { name in
        let date = Date.first + Double(name) * 60
        return .sample("\(feed)-\(name)", id: "\(feed)-\(name)", published: date)
      }
    )
    let document = FeedDocument(format: .rss, title: "Moon", listsEverything: false)
    _ = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)
  }

  @Test(
    arguments: StoreBehaviourTests.Kind.allCases,
    [(1, 18, true), (2, 18, true), (3, 17, false), (1, 1, true), (2, 40, true), (5, 40, false)]
  )
  func `a backup loses at most a tenth of many images unasked`(
    kind: StoreBehaviourTests.Kind,
    sizes: (lost: Int, kept: Int, isTaken: Bool)
  ) async throws {
    let (origin, backup) = (try Subject(kind), try Subject(kind))
    try await sync(1...sizes.kept, ofFeed: 0, origin)
    try await sync(1...sizes.lost, ofFeed: 1, origin)
    try await origin.copy(to: backup, for: .backup)
    _ = try await origin.store.removeFeed(id: 2, purging: true)

    if sizes.isTaken {
      #expect(try await origin.copy(to: backup, for: .backup).removedImages == sizes.lost)
    } else {
      let removals = StoreError.Reason.removals(sizes.lost, of: sizes.lost + sizes.kept)
      await expect(removals, from: origin, to: backup, .backup)
      #expect(try await backup.reopened().images().count == sizes.lost + sizes.kept)
    }
    try await origin.copy(to: backup, for: .backup, acceptsRemovals: true)
    #expect(try await backup.reopened().images() == origin.images())
  }

  @Test(
    arguments: StoreBehaviourTests.Kind.allCases,
    [(CopyPurpose.backup, false), (.backup, true), (.move, false), (.move, true)]
  )
  func `a copy keeps what a library without its feeds has lost, until that is accepted`(
    kind: StoreBehaviourTests.Kind,
    way: (purpose: CopyPurpose, isPurging: Bool)
  ) async throws {
    let (origin, copy) = (try await library(kind), try Subject(kind))
    try await origin.copy(to: copy, for: way.purpose)
    let before = try await copy.reopened().images()
    _ = try await origin.store.removeFeed(id: 1, purging: way.isPurging)

    for _ in 0..<2 {
      await expect(.removals(2, of: 2), from: origin, to: copy, way.purpose)
      #expect(try await copy.reopened().images() == before)
    }

    let counts = try await origin.copy(to: copy, for: way.purpose, acceptsRemovals: true)
    #expect(counts.removedImages == 2)
    #expect(try await copy.reopened().images() == [])
    #expect(try await origin.copy(to: copy, for: way.purpose).removedImages == 0)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `an image that gives way to a newer one of its feed is not lost`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try Subject(kind), try Subject(kind))
    try await sync(1...20, origin)
    _ = try await origin.store.set(FeedChange(images: .given(20)), ofFeed: 1)
    try await origin.copy(to: backup, for: .backup)

    try await sync(11...30, origin)
    _ = try await origin.store.keepNewest(ofFeed: 1)
    #expect(try await origin.copy(to: backup, for: .backup).removedImages == 0)
    #expect(try await backup.reopened().images() == origin.images())

    _ = try await origin.store.set(FeedChange(images: .given(5)), ofFeed: 1)
    _ = try await origin.store.keepNewest(ofFeed: 1)
    await expect(.removals(15, of: 20), from: origin, to: backup, .backup)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `nothing writes to a backup`(kind: StoreBehaviourTests.Kind) async throws {
    let (origin, backup) = (try await library(.sqlite), try Subject(kind))
    try await origin.copy(to: backup, for: .backup)
    let opened = backup.reopened()

    for write in [
      { _ = try await opened.sync(entries("c")) },
      { _ = try await opened.store.removeFeed(id: 1, purging: false) },
      { _ = try await opened.store.setPinned(true, imageIDs: [1]) },
      { _ = try await opened.store.set(.title("Mine"), ofFeed: 1) },
    ] as [() async throws -> Void] {
      await #expect { try await write() } throws: { ($0 as? StoreError)?.reason == .backup }
    }

    #expect(try await opened.images() == origin.images())
    #expect(try await origin.copy(to: backup, for: .backup).changedRows == 0)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, [0, 1, 2])
  func `a backup that is cut off keeps its earlier state`(
    kind: StoreBehaviourTests.Kind,
    changes: Int
  ) async throws {
    let (origin, backup) = (try await library(.sqlite), try Subject(kind))
    try await origin.copy(to: backup, for: .backup)
    try await origin.sync(entries("b", "c", "d"), listsEverything: true, now: .second)
    _ = try await origin.store.setPinned(true, imageIDs: [3])
    let target = FillingStore(try store(backup), changes: changes)

    await #expect(throws: FillingStore.full) {
      try await origin.copy(to: target, for: .backup)
    }

    #expect(try await titles(backup.reopened()) == ["Title a", "Title b"])
    try await origin.copy(to: backup, for: .backup)
    #expect(try await backup.reopened().images() == origin.images())
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a first backup that is cut off is not read before it is completed`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(.sqlite), try Subject(kind))
    let target = FillingStore(try store(backup), changes: 1)
    await #expect(throws: FillingStore.full) {
      try await origin.copy(to: target, for: .backup)
    }

    await #expect { try await backup.reopened().images() } throws: {
      ($0 as? StoreError)?.reason == .unfinishedCopy
    }

    try await origin.copy(to: backup, for: .backup)
    #expect(try await backup.reopened().images() == origin.images())
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a backup is made of one library, and of nothing else that is there`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let origin = try await library(.sqlite)
    let (backup, copy, other) = (try Subject(kind), try Subject(kind), try await library(kind))
    let (empty, ofEmpty) = (try Subject(.sqlite), try Subject(kind))
    try await origin.copy(to: backup, for: .backup)
    try await origin.copy(to: copy)
    try await empty.sync(entries("a"))
    _ = try await empty.store.removeFeed(id: 1, purging: true)
    try await empty.copy(to: ofEmpty, for: .backup)

    await expect(.occupied, from: origin, to: other, .backup)
    await expect(.occupied, from: other, to: backup, .backup)
    await expect(.occupied, from: origin, to: ofEmpty, .backup)
    await expect(.notBackup, from: origin, to: copy, .backup)
    await expect(.backup, from: origin, to: backup, .move)
    await expect(.backup, from: backup, to: try Subject(kind), .move)
    await expect(.backup, from: backup, to: try Subject(kind), .backup)

    #expect(try await titles(other) == ["Title a", "Title b"])
    #expect(try await backup.reopened().images() == origin.images())
    #expect(try await store(ofEmpty.reopened()).isBackup())
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `cleaning a backup deletes what is removed, and the next backup goes on`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(.sqlite), try Subject(kind))
    _ = try await origin.store.removeFeed(id: 1, purging: false)
    try await origin.copy(to: backup, for: .backup)

    let cleaned = try await store(backup.reopened()).clean(CleaningPlan())

    #expect((cleaned.feeds, cleaned.images) == (1, 2))
    try await origin.sync(entries("a", "b"), now: .second)
    try await origin.copy(to: backup, for: .backup)
    #expect(try await backup.reopened().images() == origin.images())
    #expect(try await store(backup.reopened()).isBackup())
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `cleaning a backup deletes no object that its library may have put since`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(.sqlite), try Subject(kind))
    try await origin.copy(to: backup, for: .backup)
    let (objects, hash) = (FakeObjects(), SHA256Digest(words: [10, 0, 0, 0]))
    let object = StoredObject(hash: hash, bytes: 3, changed: FakeObjects.now - 999_999)
    objects.state.withLock { $0.objects[hash] = object }
    func clean(_ subject: Subject, isRehearsal: Bool) async throws -> CleanedLibrary.Files {
      let records = try #require(subject.store as? any ObjectRecording)
      let originals = ObjectOriginals(objects, of: records) { FakeObjects.now }
      let cleaner = ObjectCleaner(try store(subject), originals)
      return try await cleaner.clean(CleaningPlan(isRehearsal: isRehearsal)).objects
    }

    #expect(try await clean(backup.reopened(), isRehearsal: true) == .init())
    #expect(try await clean(backup.reopened(), isRehearsal: false) == .init())
    #expect(objects.state.withLock { $0.objects.count } == 1)
    #expect(try await clean(origin, isRehearsal: false) == .init(count: 1, bytes: 3))
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a purged feed of many images goes from a backup, and the others stay`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try Subject(.sqlite), try Subject(kind))
    let names = [["a"], (1...2_100).map { "b\($0)" }, ["c", "d"]]
    for (feed, names) in names.enumerated() {
      let address = WebAddress.address("https://feeds.example/\(feed)")
      let writer = FeedWriter(origin.store, feedAt: address, reach: .publicOnly, now: .first)
      try await writer.append(names.map { .sample($0, id: $0, title: $0) })
      let document = FeedDocument(format: .rss, title: "Moon", listsEverything: false)
      _ = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)
    }
    try await origin.copy(to: backup, for: .backup)
    _ = try await origin.store.removeFeed(id: 2, purging: true)

    try await origin.copy(to: backup, for: .backup, acceptsRemovals: true)

    #expect(try await titles(backup.reopened()).compactMap { $0 }.sorted() == ["a", "c", "d"])
    #expect(try await backup.reopened().images() == origin.images())
    #expect(try await origin.copy(to: backup, for: .backup).changedRows == 0)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a feed has the address of a purged one in the backup, too, however many are between them`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try Subject(.sqlite), try Subject(kind))
    func address(_ feed: Int) -> WebAddress { .address("https://feeds.example/\(feed)") }
    func sync(_ feed: Int, movedTo target: WebAddress? = nil) async throws {
      let writer = FeedWriter(
        origin.store,
        feedAt: address(feed),
        reach: .publicOnly,
        now: .first
      )
      try await writer.append([.sample("a\(feed)", id: "1")])
      let document = FeedDocument(format: .rss, title: "Moon", listsEverything: false)
      let answer = FeedAnswer(permanentAddress: target)
      _ = try await writer.finish(document, answer: answer, isWhole: true)
    }
    for feed in 1...1_002 { try await sync(feed) }
    try await origin.copy(to: backup, for: .backup)
    _ = try await origin.store.removeFeed(id: 1_002, purging: true)
    for _ in 1...2 { try await sync(1, movedTo: address(1_002)) }

    try await origin.copy(to: backup, for: .backup)

    let moved = try await backup.reopened().store.feed(at: address(1_002))
    #expect(moved?.id == 1 && moved?.address == address(1_002))
    #expect(try await backup.reopened().store.feeds().count == 1_001)
    #expect(try await origin.copy(to: backup, for: .backup).changedRows == 0)
  }

  // MARK: Damaged backups

  /// A library of two images with thumbnails, and its backup.
  private func backedUp(_ kind: StoreBehaviourTests.Kind) async throws -> (Subject, Subject) {
    let (origin, backup) = (try await library(.sqlite), try Subject(kind))
    let new = try await origin.wanted(.thumbnail).map { FetchedThumbnail.sample($0, bytes: [4]) }
    try await origin.store.store(PictureBatch(new: new), .thumbnail)
    try await origin.copy(to: backup, for: .backup)
    return (origin, backup)
  }

  private func thumbnails(_ subject: Subject) async throws -> [[UInt8]?] {
    let opened = subject.reopened().store
    return try await [opened.thumbnailBytes(imageID: 1), opened.thumbnailBytes(imageID: 2)]
  }

  /// Changes the bytes of all thumbnails, but not their number.
  private func damageThumbnails(_ subject: Subject, _ kind: StoreBehaviourTests.Kind) throws {
    guard kind == .sqlite else {
      let bytes = "decode(repeat('09', octet_length(bytes)), 'hex')"
      return try subject.files.execute("UPDATE thumbnail SET bytes = \(bytes)")
    }
    let pack = URL(filePath: subject.files.path + "/thumbnails/1.pack")
    try Data(try Data(contentsOf: pack).map { $0 ^ 0xff }).write(to: pack)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a verified backup gets what is damaged again, and then nothing more`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = try await backedUp(kind)
    let stored = try await thumbnails(origin)
    #expect(try await thumbnails(backup) == stored && !stored.contains(nil))
    try damageThumbnails(backup, kind)
    #expect(try await origin.copy(to: backup, for: .backup).renewed == 0)

    let counts = try await origin.copy(to: backup, for: .backup, isVerified: true)

    #expect((counts.renewed, counts.changedRows, counts.missing) == (2, 2, 0))
    #expect(try await thumbnails(backup) == stored)
    #expect(try await backup.reopened().images() == origin.images())
    let again = try await origin.copy(to: backup, for: .backup, isVerified: true)
    #expect((again.renewed, again.changedRows, again.databaseFaults) == (0, 0, 0))
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a thumbnail that has changed in the library does not count as damaged in the backup`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = try await backedUp(kind)
    let checks = try await origin.store.checks(.thumbnail, imageIDs: [1, 2])
    try #require(checks.count == 2)
    let changed = checks.map { FetchedThumbnail.sample($0, bytes: [5, 6]) }
    try await origin.store.store(PictureBatch(changed: changed), .thumbnail)

    let counts = try await origin.copy(to: backup, for: .backup, isVerified: true)

    #expect((counts.renewed, counts.missing) == (0, 0))
    #expect(try await thumbnails(backup) == thumbnails(origin))
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `the indexes of a library are made again`(kind: StoreBehaviourTests.Kind) async throws {
    let origin = try await library(kind)
    let inspector = try #require(origin.store as? any LibraryInspecting)

    try await inspector.repairDatabase()

    #expect(try await inspector.databaseFaults() == [])
    #expect(try await titles(origin) == ["Title a", "Title b"])
  }

  @Test(arguments: ["", "remove"])
  func `any backup gets thumbnails again whose files are cut or missing`(change: String)
    async throws
  {
    let (origin, backup) = try await backedUp(.sqlite)
    let stored = try await thumbnails(origin)
    if change == "remove" {
      try FileManager.default.removeItem(atPath: backup.files.path + "/thumbnails")
    } else {
      try backup.damagePacks()
    }

    let counts = try await origin.copy(to: backup.reopened(), for: .backup)

    #expect((counts.renewed, counts.missing) == (2, 0))
    #expect(try await thumbnails(backup) == stored)
    #expect(try await origin.copy(to: backup.reopened(), for: .backup).renewed == 0)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a thumbnail of a backup is never replaced by a damaged one of the library`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = try await backedUp(kind)
    let stored = try await thumbnails(origin)
    try origin.damagePacks()
    let damaged = origin.reopened()

    #expect(try await damaged.copy(to: backup, for: .backup).missing == 0)
    #expect(try await damaged.copy(to: backup, for: .backup, isVerified: true).renewed == 0)
    #expect(try await thumbnails(backup) == stored)

    // The row of the thumbnail differs, but it is the same picture.
    try damaged.files.execute("UPDATE thumbnail SET etag = 'new'")
    let counts = try await damaged.copy(to: backup, for: .backup, reporting: 2)
    #expect((counts.missing, counts.renewed) == (2, 0))
    #expect(try await thumbnails(backup) == stored)
    #expect(try await damaged.copy(to: backup, for: .backup).changedRows == 0)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a thumbnail that is damaged in the library and in the backup is reported, and comes later`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = try await backedUp(kind)
    let pack = URL(filePath: origin.files.path + "/thumbnails/1.pack")
    let bytes = try Data(contentsOf: pack)
    try damageThumbnails(origin, .sqlite)
    try damageThumbnails(backup, kind)

    let counts = try await origin.copy(to: backup, for: .backup, reporting: 2, isVerified: true)

    #expect((counts.missing, counts.renewed) == (2, 0))
    #expect(try await thumbnails(backup) == [nil, nil])
    try bytes.write(to: pack)
    #expect(try await origin.copy(to: backup, for: .backup).missing == 0)
    #expect(try await thumbnails(backup) == thumbnails(origin))
  }

  @Test func `a verified backup has its indexes again`() async throws {
    let (origin, backup) = try await backedUp(.sqlite)
    // The index of words loses all of them (www.sqlite.org/fts5.html, section 6.4).
    try backup.files.execute("INSERT INTO image_search(image_search) VALUES ('delete-all')")
    let broken = backup.reopened()
    func faults(_ subject: Subject) async throws -> [String] {
      try await #require(subject.store as? any LibraryInspecting).databaseFaults()
    }
    #expect(try await faults(broken) != [])

    let counts = try await origin.copy(to: broken, for: .backup, isVerified: true)

    #expect(counts.databaseFaults > 0)
    #expect(try await faults(backup.reopened()) == [])
    #expect(try await backup.reopened().images(ImageQuery(search: "title")).map(\.id) == [1, 2])
  }

  // MARK: Restored libraries

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `a restored library is the same gallery in a later epoch, and repeats no id`(
    kind: StoreBehaviourTests.Kind,
    other: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(kind), try Subject(.sqlite))
    try await origin.copy(to: backup, for: .backup)
    // Clients see this image, which the backup lacks.
    try await origin.sync(entries("a", "b", "lost"), now: .second)
    try await origin.settle()
    let (version, key) = (try await store(origin).version(), try await store(origin).signer()?.key)
    let restored = try Subject(other)

    try await backup.reopened().copy(to: restored, for: .restore)

    let opened = restored.reopened()
    #expect(try await titles(opened) == ["Title a", "Title b"])
    #expect(try await !store(opened).isBackup())
    #expect(try await store(opened).signer()?.key == key)
    try await opened.sync(entries("a", "b", "new"), now: .second)
    try await opened.settle()
    let next = try await store(opened).version()
    #expect(next.library == version.library)
    #expect(next.epoch > version.epoch + 1)
    #expect(next.number > version.number)
    let ids = try await opened.images().map(\.id)
    #expect(ids.prefix(2) == [1, 2])
    #expect(try #require(ids.dropFirst(2).first) > 2 + LibraryVersion.idsLeftOut)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a restored library replaces no library, and comes from nothing but a backup`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(.sqlite), try Subject(kind))
    try await origin.copy(to: backup, for: .backup)
    let (copy, other) = (try Subject(kind), try await library(kind))
    try await origin.copy(to: copy)

    await expect(.notBackup, from: copy, to: try Subject(kind), .restore)
    await expect(.notEmpty, from: backup, to: copy, .restore)
    await expect(.notEmpty, from: backup, to: origin, .restore)
    await expect(.occupied, from: backup, to: other, .restore)
    let removed = try Subject(kind)
    try await origin.copy(to: removed)
    for words in ["1 feed", "1 removed feed"] {
      await #expect { try await backup.copy(to: removed, for: .restore) } throws: { error in
        (error as? StoreError)?.message == words
      }
      _ = try await removed.store.removeFeed(id: 1, purging: false)
    }

    #expect(try await origin.images() == copy.images())
    try await origin.copy(to: copy)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a restoring that is cut off is taken up, and its library is backed up again`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, backup) = (try await library(.sqlite), try Subject(.sqlite))
    try await origin.copy(to: backup, for: .backup)
    let restored = try Subject(kind)
    let target = FillingStore(try store(restored), changes: 2)
    await #expect(throws: FillingStore.full) {
      try await backup.copy(to: target, for: .restore)
    }

    try await backup.copy(to: restored, for: .restore)
    try await restored.sync(entries("a", "c"), now: .second)
    try await restored.copy(to: backup, for: .backup)

    #expect(try await backup.reopened().images() == restored.images())
    await expect(.changedSince, from: origin, to: restored, .move)
  }

  @Test(
    arguments: [
      // A library's epochs grow by one with each copy; a day has one of its own at least.
      (1, 1_767_225_600.0, 1), (1, 1_767_225_600 + 400 * 86_400, 399), (500, 1.8e9, 500),
      (3, 0, 3), (.max, 1.8e9, .max),
    ] as [(Int64, Double, Int64)]
  )
  func `an epoch after a backup is never one of its library or of an earlier day`(
    epoch: Int64,
    seconds: Double,
    base: Int64
  ) {
    let header = LibraryHeader(
      library: "uuid",
      epoch: epoch,
      number: 7,
      prunedNumber: 5,
      lastIDs: ["feed": 2, "image": 9, "original": 4],
      isBackup: true
    )

    let restored = header.restored(now: Date(timeIntervalSince1970: seconds))

    #expect(restored.epoch == base)
    let first = base.adding(1).multiplied(by: LibraryVersion.numbersOfEpoch)
    #expect(restored.number == first)
    #expect(restored.lastIDs == ["feed": 1_000_002, "image": 1_000_009, "original": 4])
    #expect((restored.library, restored.prunedNumber) == ("uuid", 5))
  }
}
