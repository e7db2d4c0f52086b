import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import PostgresStore
@testable import SQLiteCache

/// The rules that a mirror obeys in every store: which gallery goes on with a copy, and which images of it stay.
@Suite(.inTurns)
struct MirrorBehaviourTests {
  private typealias Subject = StoreBehaviourTests.Subject
  private typealias Store = StoreBehaviourTests.Store & ChangeFollowing & MirrorStoring

  private static let base = WebAddress.address("https://gallery.example/")
  private static let other = WebAddress.address("https://other.example/")

  /// A copy of a gallery that has one feed with the images 1 to 3.
  private struct Copy {
    let subject: Subject
    let store: any Store
    let lines: [ChangeLine]
    /// The ids of the images in the copy.
    let ids: [Int64]

    init(_ kind: StoreBehaviourTests.Kind) async throws {
      let origin = try Subject(.sqlite)
      try await origin.sync(["a", "b", "c"].map { .sample($0, id: $0) })
      let source = try #require(origin.store as? any Store)
      lines = try await source.changePage(ChangeRequest(position: .beginning, limit: 99)).lines
      subject = try Subject(kind)
      store = try #require(subject.store as? any Store)
      let target = MirrorTarget(
        gallery: GalleryAddress(base: MirrorBehaviourTests.base, isStatic: false),
        library: "one",
        now: .first
      )
      _ = try await store.apply(MirrorPage(lines: lines, cursor: "1.a"), to: target)
      ids = try await subject.images().map(\.id)
    }

    @discardableResult
    func apply(
      _ lines: [ChangeLine],
      to address: WebAddress = base,
      key: LibraryKey? = nil,
      title: String? = nil,
      former: WebAddress? = nil
    ) async throws -> MirrorCounts {
      let target = MirrorTarget(
        gallery: GalleryAddress(base: address, isStatic: false),
        library: "one",
        key: key,
        title: title,
        former: former,
        now: .second
      )
      return try await store.apply(MirrorPage(lines: lines, cursor: "1.b"), to: target)
    }

    func isPinned(_ index: Int) async throws -> Bool? {
      try await store.image(id: ids[index])?.isPinned
    }
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a gallery has the last title that it told`(kind: StoreBehaviourTests.Kind) async throws {
    let copy = try await Copy(kind)
    func title() async throws -> String? {
      try await copy.store.mirror(of: Self.base)?.feed.ownTitle
    }

    #expect(try await title() == nil)
    try await copy.apply([], title: "Anna's photos")
    #expect(try await title() == "Anna's photos")
    let version = try await copy.store.version()
    try await copy.apply([])
    try await copy.apply([], title: "Anna's photos")
    #expect(try await title() == "Anna's photos")
    // PostgreSQL tells a change once all earlier transactions of its server have ended, those of other tests, too.
    if kind == .sqlite { #expect(try await copy.store.version() == version) }
    try await copy.apply([], title: "Ben's photos")
    #expect(try await title() == "Ben's photos")
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a gallery goes on with a copy only if the former address of it is named`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let copy = try await Copy(kind)

    try await copy.apply(copy.lines, to: Self.other)

    #expect(try await copy.store.mirror(of: Self.base)?.images == 3)
    #expect(try await copy.store.mirror(of: Self.base)?.cursor == "1.a")
    #expect(try await copy.store.mirror(of: Self.other)?.images == 0)
    let galleries = try await copy.store.galleries(ofLibrary: "one")
    #expect(Set(galleries) == [Self.base, Self.other])
    #expect(try await copy.store.galleries(ofLibrary: "two") == [])

    let third = WebAddress.address("https://third.example/")
    let gallery = try #require(try await copy.store.mirror(of: Self.base)?.feed)
    try await copy.apply([], to: third, former: Self.base)

    #expect(try await copy.store.mirror(of: Self.base) == nil)
    let moved = try #require(try await copy.store.mirror(of: third))
    #expect(moved.images == 3 && moved.cursor == "1.b")
    #expect(moved.feed.id == gallery.id && moved.feed.address == third)
    #expect(moved.feed.aliases == [])
    #expect(try await copy.subject.images().map(\.id) == copy.ids)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a copy that moves takes the place of a feed without images, and forgets old answers`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let copy = try await Copy(kind)
    let gallery = try #require(try await copy.store.mirror(of: Self.base)?.feed.id)
    let answer = FeedAnswer(validators: Validators(entityTag: "\"old\""))
    let note = FeedNote(status: .updated, answer: answer)
    _ = try await copy.subject.store.noteSync(ofFeedAt: Self.base, note, now: .second)
    // A gallery of another library without images at the new address, which is not followed any more.
    try await copy.apply([], to: Self.other)
    let other = try #require(try await copy.store.mirror(of: Self.other)?.feed.id)
    _ = try await copy.store.removeFeed(id: other, purging: false)

    try await copy.apply([], to: Self.other, former: Self.base)

    let moved = try #require(try await copy.store.mirror(of: Self.other))
    #expect(moved.feed.id == gallery && moved.images == 3)
    #expect(moved.feed.validators == Validators())
    #expect(try await copy.store.feeds().filter(\.isGallery).map(\.address) == [Self.other])
    #expect(try await copy.subject.images().map(\.id) == copy.ids)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a gallery without a copy, and one of another library, take nothing over`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let copy = try await Copy(kind)
    let unknown = WebAddress.address("https://unknown.example/")

    try await copy.apply([], to: Self.other, former: unknown)

    #expect(try await copy.store.mirror(of: Self.base)?.images == 3)
    #expect(try await copy.store.mirror(of: Self.base)?.cursor == "1.a")
    #expect(try await copy.store.mirror(of: Self.other)?.images == 0)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `the key of a gallery is kept with its copy, and goes with it`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let copy = try await Copy(kind)
    let keys = ["a", "b"].map { LibraryKey(String(repeating: $0, count: 64)) }
    #expect(try await copy.store.mirror(of: Self.base)?.key == nil)

    for key in keys + [nil, keys[0]] {
      try await copy.apply([], key: key)
      #expect(try await copy.store.mirror(of: Self.base)?.key == key)
    }
    try await copy.apply([], to: Self.other, key: keys[1], former: Self.base)
    #expect(try await copy.store.mirror(of: Self.other)?.key == keys[1])
    #expect(try await copy.store.mirror(of: Self.other)?.images == 3)

    let gallery = try #require(try await copy.store.mirror(of: Self.other)?.feed.id)
    _ = try await copy.store.removeFeed(id: gallery, purging: true)
    try await copy.apply([], to: Self.other)
    #expect(try await copy.store.mirror(of: Self.other)?.key == nil)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `an image that is pinned in the copy stays with its original, and comes back`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let copy = try await Copy(kind)
    _ = try await copy.store.setPinned(true, imageIDs: [copy.ids[0]])
    let file = try await copy.store.openOriginalFile(imageID: copy.ids[0])
    try await file.restart(OriginalVersion(address: .picture("a")))
    try await file.append([1, 2])
    let info = PictureInfo(format: .png, bytes: 2, width: 3, height: 2)
    _ = try await file.commit(.sample(info, from: "a"))
    try await copy.apply([.pin(2)])

    let counts = try await copy.apply(
      [.removed(.feed, 1)] + (1...3).map { .removed(.image, $0) } + [.removed(.pin, 2)]
    )

    #expect(counts.removed == 2)
    let kept = try await copy.subject.images()
    #expect(kept.map(\.id) == [copy.ids[0]] && kept.map(\.isGone) == [true])
    #expect(try await copy.isPinned(0) == true)
    #expect(try await copy.store.figures().originals == 1)
    #expect(try await copy.store.figures().waitingThumbnails == 0)
    #expect(try await copy.store.images(ofFeed: 1, mirroredFrom: Self.base) == [])

    let again = try await copy.apply(copy.lines)

    #expect(again.changed == 1 && again.new == 2)
    let images = try await copy.subject.images()
    #expect(images.count == 3 && images.contains { $0.id == copy.ids[0] && !$0.isGone })
    #expect(try await copy.store.figures().originals == 1)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `an equal original is one of another image of the same gallery`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let copy = try await Copy(kind)
    let own = WebAddress.address("https://own.example/feed")
    let writer = FeedWriter(copy.subject.store, feedAt: own, reach: .publicOnly, now: .first)
    try await writer.append([.sample("d", id: "d")])
    _ = try await writer.finish(
      FeedDocument(format: .rss, title: "Own"),
      answer: FeedAnswer(),
      isWhole: true
    )
    let ownID = try #require(try await copy.subject.images().map(\.id).max())
    try #require(!copy.ids.contains(ownID))
    for (id, bytes) in [(copy.ids[0], [1, 2]), (ownID, [3, 4])] as [(Int64, [UInt8])] {
      let file = try await copy.store.openOriginalFile(imageID: id)
      try await file.restart(OriginalVersion(address: .picture("a")))
      try await file.append(bytes)
      _ = try await file.commit(
        .sample(PictureInfo(format: .png, bytes: 2, width: 3, height: 2), from: "a")
      )
    }
    func equal(to bytes: [UInt8], besides id: Int64) async throws -> Int64? {
      try await copy.store.imageID(withOriginal: SHA256Digest(of: bytes), besides: id)
    }

    #expect(try await equal(to: [1, 2], besides: copy.ids[1]) == copy.ids[0])
    #expect(try await equal(to: [1, 2], besides: copy.ids[0]) == nil)
    #expect(try await equal(to: [1, 2], besides: ownID) == nil)
    // The gallery must not learn what other feeds have.
    #expect(try await equal(to: [3, 4], besides: copy.ids[1]) == nil)
    #expect(try await equal(to: [5, 6], besides: copy.ids[1]) == nil)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `the gallery's pins come and go with it, and those of the copy stay`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let copy = try await Copy(kind)
    _ = try await copy.store.setPinned(true, imageIDs: [copy.ids[0]])
    try await copy.apply((1...3).map { .pin($0) })
    _ = try await copy.store.setPinned(true, imageIDs: [copy.ids[1]])
    #expect(try await copy.isPinned(2) == true)

    try await copy.apply((1...3).map { .removed(.pin, $0) })

    #expect(try await copy.isPinned(0) == true)
    #expect(try await copy.isPinned(1) == true)
    #expect(try await copy.isPinned(2) == false)
  }
}

extension ChangeLine {
  fileprivate static func removed(_ kind: ChangedKind, _ id: Int64) -> ChangeLine {
    ChangeLine(position: ChangePosition(number: 99, kind: kind, id: id), state: .removed)
  }

  fileprivate static func pin(_ id: Int64) -> ChangeLine {
    ChangeLine(position: ChangePosition(number: 98, kind: .pin, id: id), state: .pin(.first))
  }
}
