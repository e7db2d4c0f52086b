import Models
import Testing
import Workers

struct DocumentRequestTests {
  /// The requests of a sync, each of which tells the progress when it waits.
  private func requests(_ bench: SyncBench) -> [NetworkRequest] {
    bench.network.requests.map { sent in
      #expect(sent.waits != nil)
      var request = sent
      request.waits = nil
      return request
    }
  }

  @Test func `asks with the validators of the last document`() async {
    let bench = SyncBench([.feed: .document("moon")])
    _ = bench.know("moon")

    _ = await bench.facts(.documentOnly)

    #expect(requests(bench) == [.document(.feed, validators: SyncBench.validators)])
  }

  @Test func `asks for a feed it does not know without validators`() async {
    let bench = SyncBench([.feed: .document("moon")])

    _ = await bench.facts(.documentOnly)

    var request = NetworkRequest.document(.feed)
    // Somebody has named it, and waits for its first answer.
    request.isAwaited = true
    #expect(requests(bench) == [request])
  }

  @Test func `asks without validators when it is forced`() async {
    let bench = SyncBench([.feed: .document("moon")])
    _ = bench.know("moon")
    var plan = SyncPlan.documentOnly
    plan.isForced = true

    _ = await bench.facts(plan)

    var request = NetworkRequest.document(.feed)
    request.ignoresPause = true
    #expect(requests(bench) == [request])
  }

  @Test func `asks during a pause of the host for a forced feed that the user named, and no other`()
    async
  {
    let bench = SyncBench([
      .feed: .document("&a"), .page("a"): .document("moon >2"), .page("2"): .document("sun"),
    ])
    let plans = [(true, false), (false, false), (true, true)].map { isForced, isEveryFeed in
      var plan = SyncPlan.documentOnly
      (plan.isForced, plan.isEveryFeed) = (isForced, isEveryFeed)
      return plan
    }

    for plan in plans { _ = await bench.facts(plan) }

    let forced = bench.network.requests.map { $0.ignoresPause ? $0.address : nil }
    #expect(forced.compactMap(\.self) == [.feed])
    #expect(forced.count > 6)
  }

  @Test func `reads the file that the user named, and lets it refer to its own folder only`() async
  {
    let file = WebAddress(filePath: "photos/feed.json", relativeTo: "/home/ann")
    let bench = SyncBench([file: .document("moon")])

    _ = await bench.facts(SyncPlan(feeds: [file], fetchesOriginals: true))

    let folders = bench.network.requests.map(\.fileFolder)
    #expect(folders == ["/", "/home/ann/photos", "/home/ann/photos"])
  }

  @Test func `lets a feed of the web refer to no file`() async {
    let bench = SyncBench([.feed: .document("moon")])

    _ = await bench.facts(SyncPlan(feeds: [.feed], fetchesOriginals: true))

    #expect(bench.network.requests.map(\.fileFolder) == [nil, nil, nil])
  }

  @Test func `tells the format where the document came from and its charset`() async {
    var reply = FakeReply.document("moon")
    reply.address = .sample("moved")
    reply.charset = "koi8-r"
    let bench = SyncBench([.feed: reply])

    _ = await bench.facts(.documentOnly)

    #expect(bench.format.sources == [FeedSource(address: .sample("moved"), charset: "koi8-r")])
  }

  @Test func `the parser gets what the feed repeated in the last sync`() async {
    let bench = SyncBench([.feed: .document("moon ~a.bc/1 >2"), .page("2"): .document("sun")])

    _ = await bench.facts(.documentOnly)
    _ = await bench.facts(.documentOnly)

    let repeated = bench.format.sources.map(\.repeated)
    #expect(repeated.prefix(3) == [[], ["a.bc/1"], ["a.bc/1"]])
  }

  @Test func `a document that breaks off changes nothing about what the feed repeated`() async {
    var reply = FakeReply.document("moon ~a.bc/1")
    reply.later = [.document("moon", "!"), .document("moon")]
    let bench = SyncBench([.feed: reply])

    for _ in 0..<3 { _ = await bench.facts(.documentOnly) }

    #expect(bench.format.sources.last?.repeated == ["a.bc/1"])
  }

  @Test func `the parser gets the choice of images that the plan has for a new feed`() async {
    let bench = SyncBench([.feed: .document("moon")])
    var plan = SyncPlan.documentOnly
    plan.imageChoices[WebAddress.feed.identity] = .front

    _ = await bench.facts(plan)
    _ = await bench.facts(.documentOnly)

    #expect(bench.format.sources.map(\.imageChoice) == [.front, .all])
  }

  @Test func `names the reader's language for documents of IIIF and followed pages only`() async {
    var bench = SyncBench([
      .feed: .document("%iiif *a"), .page("a"): .document("%iiif moon"),
      .page("b"): .document("%rss moon >c"), .page("c"): .document("%rss sun"),
      .page("d"): .document("? moon"),
    ])
    bench.language = "de"
    var page = SyncPlan(feeds: [.page("d")], fetchesThumbnails: false)
    page.followsPages = true

    _ = await bench.facts(.documentOnly)
    _ = await bench.facts(.documentOnly)
    _ = await bench.facts(SyncPlan(feeds: [.page("b")], fetchesThumbnails: false))
    _ = await bench.facts(page)

    let languages = bench.network.requests.map(\.language)
    #expect(languages == [nil, "de", "de", "de", nil, nil, "de"])
  }
}

extension NetworkRequest {
  fileprivate static func document(
    _ address: WebAddress,
    validators: Validators = Validators()
  ) -> NetworkRequest {
    var request = NetworkRequest(
      address: address,
      reach: .typed,
      validators: validators,
      accept: """
        application/feed+json, application/atom+xml, application/rss+xml, \
        application/json;q=0.9, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5
        """,
      acceptsCompression: true,
      byteLimit: 536_870_912,
      timeLimit: .seconds(1_200),
      feedKey: WebAddress.feed.hashValue,
      comesFirst: true
    )
    request.feed = .feed
    return request
  }
}
