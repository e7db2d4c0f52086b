import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import Sync

@Suite(.timeLimit(.minutes(60)))
struct PointersTests {
  @Test func `a list is followed, and what it has is told before its feeds are synced`() async {
    let bench = SyncBench([
      .feed: .document("&a &b", validators: SyncBench.validators), .page("a"): .document("sun"),
      .page("b"): .document("moon"),
    ])

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.address).first == .feed)
    #expect(Set(summaries.map(\.address)) == [.feed, .page("a"), .page("b")])
    let list = ListedFeeds(followed: [.page("a"), .page("b")], total: 2, new: 2)
    #expect(summaries.first?.list == list)
    #expect(bench.store.storedFeeds.map(\.format) == [.opml, .json, .json])
    #expect(bench.store.storedFeeds.first?.validators.isEmpty == false)
  }

  @Test(arguments: [true, false])
  func `the feeds of a list that has not changed, or is not due, are synced all the same`(
    isDue: Bool
  ) async {
    var reply = FakeReply.document("")
    reply.status = 304
    let bench = SyncBench([.feed: reply, .page("a"): .document("sun")])
    let list = Feed(
      id: 1,
      address: .feed,
      validators: SyncBench.validators,
      nextSync: isDue ? nil : SyncBench.now.addingTimeInterval(60)
    )
    bench.store.keep(list: list, of: [.page("a")])

    let facts = await bench.facts(
      SyncPlan(feeds: [.feed], fetchesThumbnails: false, isEveryFeed: true)
    )

    #expect(bench.network.addresses == (isDue ? [.feed] : []) + [.page("a")])
    #expect(facts.summaries.map(\.status) == [.unchanged, .updated])
    #expect(facts.summaries.first?.list == ListedFeeds(followed: [.page("a")], total: 1))
  }

  @Test(arguments: [true, false])
  func `what a list has lost is told, unless it was not read without loss`(isWhole: Bool) async {
    let format = FakeFormat(flaws: isWhole ? [] : [.cutOff])
    let list = FakeReply.document("&a", validators: SyncBench.validators)
    let bench = SyncBench([.feed: list, .page("a"): .document("sun")], format: format)
    bench.store.keep(list: Feed(id: 1, address: .feed), of: [.page("a"), .page("b")])
    bench.store.keep(Feed(id: 2, address: .page("b")), images: [String]())

    let facts = await bench.facts(.documentOnly)

    let reference = FeedReference(id: 1, address: .feed, title: "Words")
    #expect(facts.notices == (isWhole ? [.unlisted(.page("b"), list: reference)] : []))
    #expect(facts.summaries.first?.list?.lost == (isWhole ? [.page("b")] : []))
    // The sync requests the feeds of a list at the same time.
    let asked = Set(bench.network.addresses)
    #expect(asked == Set([.feed, .page("a")] + (isWhole ? [] : [.page("b")])))
    #expect(bench.store.storedFeeds.first?.validators.isEmpty == !isWhole)
  }

  @Test func `lists that are followed may name one another`() async {
    let bench = SyncBench([
      .feed: .document("&a"), .page("a"): .document("&b"), .page("b"): .document("&a"),
    ])
    bench.store.keep(list: Feed(id: 1, address: .feed), of: [.page("a")])
    bench.store.keep(list: Feed(id: 2, address: .page("a")), of: [.page("b")])
    bench.store.keep(list: Feed(id: 3, address: .page("b")), of: [.page("a")])
    let feeds: [WebAddress] = [.feed, .page("a"), .page("b")]

    let summaries = await bench.summaries(SyncPlan(feeds: feeds, isEveryFeed: true))

    #expect(summaries.map(\.status) == [.unchanged, .unchanged, .unchanged])
    #expect(Set(bench.network.addresses).count == bench.network.addresses.count)
  }

  @Test func `lists are followed so deep and no deeper, in later syncs, too`() async {
    let limit = SyncLimits.pointersToFeed
    let bench = SyncBench([.feed: .document("&0"), .page("0"): .document("&1")])
    bench.store.keep(list: Feed(id: 1, address: .feed, listDepth: limit - 1), of: [.page("0")])

    let summaries = await bench.summaries(
      SyncPlan(feeds: [.feed], fetchesThumbnails: false, isEveryFeed: true)
    )

    #expect(bench.network.addresses == [.feed, .page("0")])
    #expect(summaries.map(\.status) == [.unchanged, .failed])
    let failures = summaries.flatMap(\.problems).map(\.failure)
    #expect(failures == [.feed(.beyondLimit(of: "lists of feeds behind one another", limit: 3))])
  }

  @Test func `a page that a list names is noted with the feed that it leads to`() async {
    let bench = SyncBench([
      .feed: .document("&a"), .page("a"): .document("@b"), .page("b"): .document("moon"),
    ])

    _ = await bench.facts(.documentOnly)

    #expect(bench.store.events.contains(.notedPage(.page("a"), leadsTo: .page("b"))))
  }

  @Test func `a list that comes through a pipe is not remembered`() async {
    let pipe = WebAddress(pipe: 1)
    let bench = SyncBench([pipe: .document("&a"), .page("a"): .document("sun")])
    let plan = SyncPlan(feeds: [pipe], piped: [pipe], fetchesThumbnails: false)

    let summaries = await bench.summaries(plan)

    #expect(summaries.map(\.address) == [.page("a")])
    #expect(bench.store.storedFeeds.map(\.address) == [.page("a")])
  }

  @Test func `the feeds that a page names are synced, and the page itself is not remembered`() async
  {
    let bench = SyncBench([
      .feed: .document("@a @b"), .page("a"): .document("sun"), .page("b"): .document("moon"),
    ])

    let summaries = await bench.summaries(.documentOnly)

    #expect(Set(summaries.map(\.address)) == [.page("a"), .page("b")])
    #expect(bench.store.storedFeeds.count == 2)
  }

  @Test func `one that fails leaves the others`() async {
    let bench = SyncBench([
      .feed: .document("@a @b"), .page("a"): FakeReply(status: 500),
      .page("b"): .document("moon"),
    ])

    let summaries = await bench.summaries(.documentOnly)

    #expect(Set(summaries.map(\.status)) == [.failed, .updated])
  }

  @Test func `lists that name one another end`() async {
    let bench = SyncBench([.feed: .document("@a"), .page("a"): .document("@a @b")])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses.count(where: { $0 == .page("a") }) == 1)
  }

  @Test func `a chain of lists is followed so far and no further`() async {
    let pages = (0...SyncLimits.pointersToFeed).map { WebAddress.page("\($0)") }
    var documents: [WebAddress: FakeReply] = [.feed: .document("@0")]
    for (number, page) in pages.enumerated() { documents[page] = .document("@\(number + 1)") }
    let bench = SyncBench(documents)

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.network.addresses == [.feed] + pages.dropLast())
    #expect(summaries.map(\.address) == [pages[SyncLimits.pointersToFeed - 1]])
    #expect(summaries.map(\.status) == [.failed])
    let failures = summaries.flatMap(\.problems).map(\.failure)
    #expect(failures == [.feed(.beyondLimit(of: "lists of feeds behind one another", limit: 3))])
  }

  @Test(arguments: [["@a", "@a"], ["@a", "@b", "@a"], ["@a @b", "@b", "@a @b"]])
  func `lists that lead to one another and to no feed fail`(documents: [String]) async {
    let addresses: [WebAddress] = [.feed, .page("a"), .page("b")]
    let pages = zip(addresses, documents.map { FakeReply.document($0) })
    let bench = SyncBench(Dictionary(uniqueKeysWithValues: pages))

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.status) == [.failed])
    let reason = FeedError.notAFeed(looksLike: "a list of feeds that leads back to itself")
    #expect(summaries.flatMap(\.problems).map(\.failure) == [.feed(reason)])
    #expect(Set(bench.network.addresses).count == documents.count)
    #expect(bench.network.addresses.count == documents.count)
  }

  @Test func `so many feeds are synced at once, and the rest is told`() {
    var queue = FeedQueue([.feed])
    let pages = (0..<SyncLimits.feedsPerSync).map { WebAddress.page("\($0)") }
    let found = FoundFeeds(addresses: pages, pointers: 1)

    let problem = queue.append(found, of: .feed)

    #expect(queue.count == SyncLimits.feedsPerSync)
    #expect(problem?.subject == .document)
    let limit = FeedError.beyondLimit(of: "the feeds of one sync", limit: SyncLimits.feedsPerSync)
    #expect(problem?.failure == .feed(limit))
  }

  @Test(arguments: [false, true])
  func `a list cannot point to files, unless it is one`(isFile: Bool) throws {
    var queue = FeedQueue([])
    let file = try #require(WebAddress("file:///etc/passwd"))
    let found = FoundFeeds(addresses: [file], pointers: 1, mayBeFiles: isFile)

    let problem = queue.append(found, of: .feed)

    #expect(queue.count == (isFile ? 1 : 0))
    #expect((problem == nil) == isFile)
  }

  @Test(arguments: [false, true])
  func `a document cannot point to a folder, even if it is a file`(isFile: Bool) throws {
    let folder = try #require(WebAddress("file:///home/ann/Pictures/"))
    var queue = FeedQueue([])
    let found = FoundFeeds(addresses: [folder], pointers: 1, mayBeFiles: isFile)

    #expect(queue.append(found, of: .feed)?.subject == .feed)
    #expect(queue.count == 0)
    #expect(FeedQueue([folder]).count == 1)
  }

  @Test func `the folders that a list must not name are told, and its other feeds are synced`() {
    let folders = (1...4).map { WebAddress(filePath: "/home/ann/\($0)/", relativeTo: "/") }
    let file = WebAddress(filePath: "/home/ann/a.json", relativeTo: "/")
    var queue = FeedQueue([])
    var found = FoundFeeds(addresses: folders + [file], pointers: 1, mayBeFiles: true)
    found.isList = true

    let problem = queue.append(found, of: .feed)

    #expect(queue.next()?.address == file)
    #expect(queue.next() == nil)
    let flaw = DocumentFlaw.filesLeftOut(4, first: Array(folders.prefix(3)))
    #expect(problem?.subject == .document)
    #expect(problem?.failure == .flaw(flaw))
    #expect(problem?.severity == .warning)
  }

  /// The addresses of a list on this machine, and of two feeds of it.
  private static let ownList = WebAddress(filePath: "/home/ann/feeds.opml", relativeTo: "/")
  private static let folder = WebAddress(filePath: "/home/ann/Pictures/", relativeTo: "/")
  private static let innerList = WebAddress(filePath: "/home/ann/inner.opml", relativeTo: "/")

  @Test(arguments: [ownList, WebAddress(pipe: 1)])
  func `a folder on a list of the user's own is asked for, if a command names the list`(
    list: WebAddress
  ) async {
    for isOfCommand in [true, false] {
      let bench = SyncBench([list: Self.naming(Self.folder)])
      var plan = SyncPlan(feeds: [list], fetchesThumbnails: false)
      if list.isPiped { plan.piped = [list] }
      plan.followsListedFolders = isOfCommand

      let facts = await bench.facts(plan)

      #expect(facts.summaries.contains { $0.address == Self.folder } == isOfCommand)
    }
  }

  @Test func `a folder is not asked for from the web, behind a list, or in a sync of all`() async {
    let lists: [(WebAddress, FakeReply, isEveryFeed: Bool)] = [
      (.feed, Self.naming(Self.folder), false), (Self.ownList, Self.naming(Self.innerList), false),
      (Self.ownList, Self.naming(Self.folder), true),
    ]
    for (list, reply, isEveryFeed) in lists {
      let bench = SyncBench([list: reply, Self.innerList: Self.naming(Self.folder)])
      if isEveryFeed { bench.store.keep(list: Feed(id: 1, address: list), of: []) }
      var plan = SyncPlan(feeds: [list], fetchesThumbnails: false, isEveryFeed: isEveryFeed)
      plan.followsListedFolders = true

      let facts = await bench.facts(plan)

      #expect(!facts.summaries.contains { $0.address == Self.folder })
      let problems = facts.summaries.flatMap(\.problems).map(\.failure)
      #expect(problems == [.flaw(.filesLeftOut(1, first: [Self.folder]))])
    }
  }

  /// A list of one feed.
  private static func naming(_ feed: WebAddress) -> FakeReply { .document("&\(feed.text)") }
}
