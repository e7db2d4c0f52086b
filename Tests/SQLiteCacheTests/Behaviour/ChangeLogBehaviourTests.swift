import FoundationEssentials
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import SQLiteCache

/// The change log of every store, read through the protocols only.
@Suite(.inTurns)
struct ChangeLogBehaviourTests {
  typealias Kind = StoreBehaviourTests.Kind

  private struct Subject {
    let subject: StoreBehaviourTests.Subject
    var store: any StoreBehaviourTests.Store { subject.store }

    init(_ kind: Kind) async throws {
      subject = try StoreBehaviourTests.Subject(kind)
      try await subject.sync(entries)
    }

    func all() async throws -> [Change] {
      try await subject.settle()
      return try await store.changes(after: .beginning, limit: 1_000)
    }

    /// The changes that some work causes, in the order of the log; a minus marks a removal.
    func changed(by work: () async throws -> Void) async throws -> [String] {
      let last = try await all().last?.position ?? .beginning
      try await work()
      try await subject.settle()
      return try await store.changes(after: last, limit: 1_000).map(\.text).sorted()
    }

    func storeThumbnails() async throws {
      let wanted = try await subject.wanted(.thumbnail)
      try await store.store(PictureBatch(new: wanted.map { .sample($0) }), .thumbnail)
    }

    func storeOriginal(_ bytes: [UInt8], imageID: Int64, from name: String) async throws {
      let file = try await store.openOriginalFile(imageID: imageID)
      try await file.restart(OriginalVersion(address: .picture(name)))
      try await file.append(bytes)
      let info = PictureInfo(format: .png, bytes: bytes.count, width: 1, height: 1)
      _ = try await file.commit(.sample(info, from: name))
    }
  }

  private static let entries: [FeedEntry] = ["a", "b", "c"].map { name in
    .sample(name, id: name, title: "Title \(name)", thumbnail: "\(name)t")
  }

  @Test(arguments: Kind.allCases)
  func `has each feed and image once, and nothing before there is a library`(
    kind: Kind
  ) async throws {
    let empty = try StoreBehaviourTests.Subject(kind)
    let subject = try await Subject(kind)

    #expect(try await empty.store.changes(after: .beginning, limit: 9) == [])
    let changes = try await subject.all()
    #expect(changes.map(\.text).sorted() == ["feed 1", "image 1", "image 2", "image 3"])
    #expect(changes.allSatisfy { $0.position.number > 0 })
    #expect(try await subject.changed {} == [])
  }

  @Test(arguments: Kind.allCases)
  func `a change moves what it changes to the end`(kind: Kind) async throws {
    let subject = try await Subject(kind)
    try await subject.storeThumbnails()
    var entries = Self.entries
    entries[1] = .sample("b", id: "b", title: "Other", thumbnail: "bt")

    let renamed = try await subject.changed { try await subject.subject.sync(entries) }
    let titled = try await subject.changed {
      _ = try await subject.store.set(.title("Mine"), ofFeed: 1)
    }
    let original = try await subject.changed {
      try await subject.storeOriginal([1, 2], imageID: 3, from: "c")
    }
    let gone = try await subject.changed {
      try await subject.subject.sync(Array(entries.prefix(2)), listsEverything: true)
    }
    let new = try await subject.changed {
      try await subject.subject.sync([.sample("d", id: "d")] + entries)
    }

    #expect(renamed == ["image 2"])
    #expect(titled == ["feed 1"])
    #expect(original == ["image 3"])
    #expect(gone.contains("image 3") && !gone.contains("image 1"))
    #expect(new.contains("image 4") && new.contains("feed 1") && !new.contains("image 1"))
    #expect(try await subject.all().count == 5)
  }

  @Test(arguments: Kind.allCases)
  func `a thumbnail that is stored or replaced is a change of its image`(kind: Kind) async throws {
    let subject = try await Subject(kind)

    let stored = try await subject.changed { try await subject.storeThumbnails() }
    let changed = try await subject.changed {
      let checks = try await subject.store.checks(.thumbnail, imageIDs: [2])
      let batch = PictureBatch(changed: checks.map { .sample($0, bytes: [9]) })
      try await subject.store.store(batch, .thumbnail)
    }

    #expect(stored == ["image 1", "image 2", "image 3"])
    #expect(changed == ["image 2"])
  }

  @Test(arguments: Kind.allCases)
  func `takes no number when nothing has changed for others`(kind: Kind) async throws {
    let subject = try await Subject(kind)
    try await subject.storeThumbnails()
    try await subject.storeOriginal([1, 2], imageID: 3, from: "c")

    let changes = try await subject.changed {
      try await subject.subject.sync(Self.entries, now: .second)
      let failed = FailedPicture(
        imageID: 1,
        address: .picture("a"),
        failureClass: .permanent,
        reason: "not found",
        failed: .second
      )
      try await subject.store.store(PictureBatch(failed: [failed]), .original)
      let unchanged = UnchangedPicture(
        imageID: 2,
        address: .picture("bt"),
        validators: Validators(entityTag: "\"2\""),
        checkDate: .second + 60
      )
      try await subject.store.store(PictureBatch(unchanged: [unchanged]), .thumbnail)
      try await subject.storeOriginal([1, 2], imageID: 3, from: "c")
      try subject.store.notePause(of: "a.bc", until: .second)
      _ = try await subject.store.set(.title(nil), ofFeed: 1)
      _ = try await subject.store.setPinned(false, imageID: 1)
    }

    #expect(changes == [])
  }

  @Test(arguments: Kind.allCases)
  func `a pin is in the log until it is taken away, and its image knows it`(
    kind: Kind
  ) async throws {
    let subject = try await Subject(kind)

    let pinned = try await subject.changed {
      for _ in 1...2 { _ = try await subject.store.setPinned(true, imageID: 2) }
    }
    let isPinned = try await subject.store.image(id: 2)?.isPinned
    let unpinned = try await subject.changed {
      _ = try await subject.store.setPinned(false, imageID: 2)
    }

    #expect(pinned == ["pin 2"])
    #expect(isPinned == true)
    #expect(unpinned == ["-pin 2"])
    #expect(try await subject.store.image(id: 2)?.isPinned == false)
    #expect(try await subject.store.setPinned(true, imageID: 2))
    #expect(try await subject.store.setPinned(true, imageID: 9) == false)
  }

  @Test(arguments: Kind.allCases)
  func `several images are pinned by one change, and can be listed`(kind: Kind) async throws {
    let subject = try await Subject(kind)

    var known: [Int64] = []
    let pinned = try await subject.changed {
      known = try await subject.store.setPinned(true, imageIDs: [3, 9, 1])
    }
    let query = ImageQuery(order: .feed, feedID: 1, isPinned: true)

    #expect(known == [3, 1])
    #expect(pinned == ["pin 1", "pin 3"])
    #expect(try await subject.store.imageIDs(matching: query) == [1, 3])
  }

  @Test(arguments: Kind.allCases)
  func `a feed that is removed leaves tombstones until it comes back`(kind: Kind) async throws {
    let subject = try await Subject(kind)
    _ = try await subject.store.setPinned(true, imageID: 2)
    _ = try await subject.all()

    let removed = try await subject.changed {
      _ = try await subject.store.removeFeed(id: 1, purging: false)
    }
    let whole = try await subject.all().map(\.text)
    let back = try await subject.changed {
      try await subject.subject.sync(Self.entries, now: .second)
    }

    #expect(removed == ["-feed 1", "-image 1", "-image 2", "-image 3"])
    #expect(whole.sorted() == removed)
    #expect(back == ["feed 1", "image 1", "image 2", "image 3", "pin 2"])
    #expect(try await subject.all().map(\.text).sorted() == back)
  }

  @Test(arguments: Kind.allCases)
  func `what is purged keeps its tombstone, and takes no second number`(kind: Kind) async throws {
    let subject = try await Subject(kind)
    _ = try await subject.all()
    _ = try await subject.store.removeFeed(id: 1, purging: false)
    let before = try await subject.all()

    _ = try await subject.store.removeFeed(id: 1, purging: true)

    #expect(try await subject.all() == before)
    #expect(before.map(\.isRemoval) == [true, true, true, true])
  }

  @Test(arguments: Kind.allCases)
  func `is read in pages, which may end inside a transaction`(kind: Kind) async throws {
    let subject = try await Subject(kind)
    _ = try await subject.store.setPinned(true, imageID: 2)
    let all = try await subject.all()

    try await subject.subject.settle()
    var read: [Change] = []
    var position = ChangePosition.beginning
    while let change = try await subject.store.changes(after: position, limit: 1).first {
      read.append(change)
      position = change.position
    }

    #expect(read == all)
    #expect(all.count == 5)
  }
}

extension Change {
  fileprivate var text: String { "\(isRemoval ? "-" : "")\(position.kind) \(position.id)" }
}
