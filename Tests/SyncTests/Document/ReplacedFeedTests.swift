import Models
import TestSupport
import Testing
import Workers

/// Feeds whose addresses answer with documents of other kinds.
struct ReplacedFeedTests {
  /// A bench with a followed feed of two images, and an answer at its address.
  private func bench(
    _ format: FeedFormat?,
    aliases: [WebAddress] = [],
    answering words: String
  ) -> (SyncBench, Feed) {
    let bench = SyncBench([
      .feed: .document(words), .page("a"): .document("star"), .page("b"): .document("comet"),
    ])
    var feed = Feed(
      id: 7,
      address: .feed,
      format: format,
      imageCount: 2,
      documentImageCount: 2,
      lastSync: SyncBench.now,
      status: .updated,
      validators: SyncBench.validators
    )
    feed.aliases = aliases
    bench.store.keep(feed, images: ["sun", "moon"].map { FeedImage(named: $0) })
    return (bench, feed)
  }

  @Test(
    arguments: [
      // A home page, the page of a hotel, and a page that names the feed itself and another one.
      (.rss, "@a", .page, ["a"]), (.jsonFeed, "@a @b", .page, ["a", "b"]),
      (.iiif, "@a", .page, ["a"]), (.json, "@a", .page, ["a"]), (nil, "@a", .page, ["a"]),
      (.opml, "@a", .page, ["a"]),
      // A list of feeds, and JSON of other kinds, whose images come before its end.
      (.atom, "&a", .listOfFeeds, []), (.rss, "%json star +comet", .list, []),
      (.jsonFeed, "%json star", .list, []), (.json, "%iiif star", .manifest, []),
      (.iiif, "%jsonfeed star", .feed, []), (.opml, "%rss star", .feed, []),
    ] as [(FeedFormat?, String, FeedFormat.Kind, [String])]
  )
  func `fails, follows no other feed, and changes nothing that is stored`(
    _ format: FeedFormat?,
    _ words: String,
    _ kind: FeedFormat.Kind,
    _ offers: [String]
  ) async throws {
    let (bench, feed) = bench(format, answering: words)

    let summaries = await bench.summaries(SyncPlan(feeds: [.feed], isEveryFeed: true))

    let former = format?.kind ?? .feed
    let failure = Failure.feed(
      .replaced(former, by: kind, offers: offers.map(WebAddress.page))
    )
    let problem = SyncProblem(subject: .feed, address: .feed, failure: failure)
    #expect(summaries.map(\.status) == [.failed])
    #expect(summaries.map(\.problems) == [[problem]])
    #expect(bench.network.addresses == [.feed])
    let stored = try #require(await bench.store.feeds().first)
    #expect(stored.problem == SyncBench.words(failure))
    #expect(stored.format == feed.format)
    #expect(stored.validators == feed.validators)
    #expect(stored.lastSync == feed.lastSync)
    #expect(stored.isWhole)
    let noted = StoreEvent.noted(.failed, problem: SyncBench.words(failure), nil)
    #expect(bench.store.events == [noted, .flushed])
  }

  @Test func `a page at a feed's address does not offer that feed`() async {
    let (bench, _) = bench(.rss, aliases: [.page("1")], answering: "@1 @a")

    let problems = await bench.facts().problems

    #expect(
      problems.map(\.failure) == [.feed(.replaced(.feed, by: .page, offers: [.page("a")]))]
    )
  }

  @Test(
    arguments: [(.rss, "%atom sun star"), (.mediaRSS, "%jsonfeed sun"), (nil, "%iiif sun")]
      as [(FeedFormat?, String)]
  )
  func `a feed may change its format`(_ format: FeedFormat?, _ words: String) async {
    let (bench, _) = bench(format, answering: words)

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.flatMap(\.problems) == [])
    #expect(summaries.map(\.images.total) == [words.split(separator: " ").count - 1])
  }

  @Test func `a pipe may bring another kind of document each time`() async {
    let pipe = WebAddress(pipe: 1)
    let bench = SyncBench([pipe: .document("%json star")])
    bench.store.keep(Feed(id: 1, address: pipe, format: .rss), images: [String]())

    let summaries = await bench.summaries(
      SyncPlan(feeds: [pipe], piped: [pipe], fetchesThumbnails: false)
    )

    #expect(summaries.map(\.images.new) == [1])
  }

  @Test func `a web page in place of a further page is a page that cannot be read`() async throws {
    let bench = SyncBench([
      .feed: .document("%rss sun >2", validators: SyncBench.validators),
      .page("2"): .document("@a"), .page("a"): .document("star"),
    ])

    let facts = await bench.facts(.documentOnly)

    let failure = Failure.feed(.replaced(.feed, by: .page, offers: [.page("a")]))
    #expect(facts.problems == [SyncProblem(subject: .page, address: .page("2"), failure: failure)])
    #expect(try await bench.store.feeds().map(\.isWhole) == [false])
    #expect(bench.network.addresses == [.feed, .page("2")])
  }

  @Test func `a web page in place of a member changes none of its images`() async {
    var member = FakeReply.document("%iiif sun .")
    member.later = [.document("@a")]
    let bench = SyncBench([
      .feed: .document("%iiif *1 .", validators: SyncBench.validators), .page("1"): member,
    ])
    _ = await bench.facts(.documentOnly)

    let summaries = await bench.summaries(.documentOnly)

    #expect(summaries.map(\.images.gone) == [0])
    #expect(summaries.flatMap(\.problems).map(\.subject) == [.page])
  }

  @Test func `a dry run fails as the sync would`() async {
    let (bench, _) = bench(.rss, answering: "@a")
    var plan = SyncPlan(feeds: [.feed])
    plan.isDryRun = true

    let summaries = await bench.summaries(plan)

    #expect(summaries.map(\.status) == [.failed])
    #expect(bench.store.events == [])
  }
}
