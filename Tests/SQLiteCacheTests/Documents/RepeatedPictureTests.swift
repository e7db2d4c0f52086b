import Foundation
import Models
import Sync
import Testing
import Workers

@testable import SQLiteCache

/// What a library keeps about the pictures of a feed's entries that are images.
@Suite(.onEachStore)
struct RepeatedPictureTests {
  private let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private var feed: Feed? {
    get async throws { try await store.library.feed(at: .feed) }
  }

  private func entry(_ id: String, _ names: String..., repeated: String...) -> FeedEntry {
    let images = names.map { FeedImage(originalAddress: .picture($0)) }
    return FeedEntry(id: id, images: images, repeated: repeated.map(WebAddress.picture))
  }

  @Test func `remembers what a document repeats until the next one`() async throws {
    try await store.sync([.sample("sun")], repeated: ["a.bc/1", "a.bc/2"])
    let first = try await feed?.repeatedPictures
    try await store.sync([.sample("sun")], repeated: ["a.bc/2"])
    let second = try await feed?.repeatedPictures
    try await store.sync([.sample("sun")])

    #expect(first == ["a.bc/1", "a.bc/2"])
    #expect(second == ["a.bc/2"])
    #expect(try await feed?.repeatedPictures == [])
  }

  @Test func `keeps the memories of feeds apart, and lists them`() async throws {
    let other = WebAddress.address("https://a.bc/other")
    try await store.sync([.sample("sun")], repeated: ["a.bc/1"])
    try await store.sync([.sample("sun")], to: other, repeated: ["a.bc/2"])

    #expect(try await store.library.feeds().map(\.repeatedPictures) == [["a.bc/1"], ["a.bc/2"]])
    #expect(try await store.library.feed(at: other)?.repeatedPictures == ["a.bc/2"])
  }

  @Test func `keeps a stored image whose picture the entries repeat now`() async throws {
    try await store.sync([entry("1", "banner", "sun")], listsEverything: true)

    let counts = try await store.sync(
      [entry("1", "sun", "moon", repeated: "banner")],
      listsEverything: true
    )

    #expect(try await Set(store.listing()) == ["1 banner", "2 sun", "3 moon"])
    #expect(try await store.images().map(\.isGone) == [false, false, false])
    #expect((counts.new, counts.changed, counts.gone) == (1, 0, 0))
  }

  @Test func `keeps it without an entry's id, and in an entry of its own`() async throws {
    let names = ["banner", "sun", "moon"]
    try await store.sync(names.map { FeedEntry.sample($0) }, listsEverything: true)

    let only = FeedEntry(images: [], repeated: [.picture("banner")])
    let counts = try await store.sync([only, .sample("sun")], listsEverything: true)

    #expect(counts.gone == 1)
    #expect(try await store.images().filter(\.isGone).map(\.originalAddress) == [.picture("moon")])
  }

  @Test func `does not add a picture that the entries repeat`() async throws {
    try await store.sync([entry("1", "sun", repeated: "banner")])
    try await store.sync([entry("1", "sun", repeated: "banner")])

    #expect(try await store.listing() == ["1 sun"])
  }

  @Test func `keeps the choice of images, and asks for the whole document after another`()
    async throws
  {
    let (library, tag) = (store.library, Validators(entityTag: "\"a\""))
    try await store.sync([.sample("sun")], repeated: ["a.bc/1"], validators: tag)

    let same = try await library.set(FeedChange(imageChoice: .usual), ofFeed: 1)
    #expect(same?.imageChoice == .all)
    #expect(try await feed?.validators == tag)

    let front = try await library.set(FeedChange(imageChoice: .given(.front)), ofFeed: 1)
    #expect(front?.imageChoice == .front)
    #expect(try await feed?.imageChoice == .front)
    #expect(try await feed?.validators == Validators())

    try await store.sync([.sample("sun")], repeated: ["a.bc/2"], validators: tag)
    #expect(try await library.feeds().map(\.imageChoice) == [.front])
    #expect(try await feed?.repeatedPictures == ["a.bc/2"])

    _ = try await library.set(FeedChange(imageChoice: .usual), ofFeed: 1)
    #expect(try await feed?.imageChoice == .all)
    #expect(try await feed?.repeatedPictures == ["a.bc/2"])
  }

  @Test func `tells the choice also with what is stored of an image`() async throws {
    let library = store.library
    try await store.sync([.sample("sun")])
    #expect(try await library.storage(imageID: 1)?.feed.imageChoice == .all)

    _ = try await library.set(FeedChange(imageChoice: .given(.front)), ofFeed: 1)

    #expect(try await library.storage(imageID: 1)?.feed.imageChoice == .front)
    #expect(try await library.storage(imageID: 99)?.feed.id == nil)
  }

  @Test func `keeps the field that the hosts of a feed's pictures want, with everything else`()
    async throws
  {
    let library = store.library
    try await store.sync([.sample("sun")], repeated: ["a.bc/1"])
    _ = try await library.set(FeedChange(imageChoice: .given(.front)), ofFeed: 1)
    try await library.set(PictureReferer.own, ofFeed: 1)
    try await library.set(PictureReferer.page, ofFeed: 1)
    try await library.set(PictureReferer.page, ofFeed: 99)

    let feed = try await feed
    #expect(feed?.pictureReferer == .page)
    #expect(feed?.imageChoice == .front)
    #expect(feed?.repeatedPictures == ["a.bc/1"])
    #expect(try store.numbers("SELECT count(*) FROM feed_pictures") == [1])
  }

  @Test func `tells the field at the end of a sync, since the pictures are asked for then`()
    async throws
  {
    let library = store.library
    try await store.sync([.sample("sun")])
    try await library.set(PictureReferer.own, ofFeed: 1)

    let writer = store.store.writer(forFeedAt: .feed, now: .second)
    try await writer.append([.sample("moon")])
    let document = FeedDocument(format: .rss, title: "Moon")
    let read = try await writer.finish(document, answer: FeedAnswer(), isWhole: true)
    let note = FeedNote(status: .unchanged)
    let unread = try await library.noteSync(ofFeedAt: .feed, note, now: .second)

    #expect(read.feed.pictureReferer == .own)
    #expect(unread?.feed.pictureReferer == .own)
    #expect(try await library.documentFeed(at: .feed)?.feed.pictureReferer == .own)
  }

  @Test func `keeps the choice with other changes, and loses it with a feed that is purged`()
    async throws
  {
    let library = store.library
    try await store.sync([.sample("sun")])
    _ = try await library.set(FeedChange(imageChoice: .given(.front)), ofFeed: 1)
    let named = try await library.set(.title("Mine"), ofFeed: 1)
    _ = try await library.removeFeed(id: 1, purging: true)
    try await store.sync([.sample("sun")])

    #expect(named?.imageChoice == .front)
    #expect(try await library.feeds().map(\.imageChoice) == [.all])
    #expect(try store.numbers("SELECT count(*) FROM feed_pictures WHERE takes_front = 1") == [0])
  }
}
