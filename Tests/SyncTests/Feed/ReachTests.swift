import Models
import TestSupport
import Testing
import Workers

/// The reach of each request of a sync.
@Suite(.timeLimit(.minutes(60)))
struct ReachTests {
  private static let host = "nas.example"
  private let inner = FeedReach.host(ReachTests.host)

  @Test(arguments: [
    (NetworkPeer.public, Optional.some(FeedReach.publicOnly), NetworkReach.publicOnly),
    (.private(host: host), .host(host), .host(host)), (.proxy, nil, .publicOnly),
  ])
  func `a new feed's address decides for its pages and pictures, and that is stored`(
    peer: NetworkPeer,
    stored: FeedReach?,
    reach: NetworkReach
  ) async {
    let bench = SyncBench([
      .feed: .document("sun >2").led(to: peer), .page("2"): .document("moon").led(to: .public),
    ])

    _ = await bench.facts(.everything)

    #expect(bench.reaches(of: .feed) == [.typed])
    #expect(bench.reaches(of: .page("2"), .thumbnail("sun"), .original("moon")) == [reach])
    #expect(bench.network.requests.count == 6)
    #expect(bench.store.reaches == [stored])
  }

  @Test func `a document that breaks off is asked for again as it turned out to be`() async {
    let document = FakeReply.breaking("sun").led(to: .private(host: Self.host))
      .then(.document("sun").led(to: .public))
    let bench = SyncBench([.feed: document])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.requests.map(\.reach) == [.typed, .host(Self.host)])
    #expect(bench.store.reaches == [inner])
  }

  @Test func `the members of a collection lead as far as it does`() async {
    let bench = SyncBench([
      .feed: .document(". *a").led(to: .private(host: Self.host)), .page("a"): .document("sun ."),
    ])

    _ = await bench.facts()

    #expect(bench.reaches(of: .page("a"), .thumbnail("sun")) == [.host(Self.host)])
  }

  @Test(arguments: [FeedReach.publicOnly, .host(host), .anywhere])
  func `a feed that is known is asked as it is known, wherever its name leads now`(
    reach: FeedReach
  ) async {
    let bench = SyncBench([.feed: .document("sun").led(to: .private(host: "other.example"))])
    bench.know(reach, "sun")

    _ = await bench.facts(.everything)

    #expect(Set(bench.network.requests.map(\.reach)) == [NetworkReach(reach)])
    #expect(bench.store.reaches == [reach])
  }

  @Test(arguments: [200, 304])
  func `a feed of which nothing is known yet is asked as a new one`(status: Int) async {
    var reply = FakeReply.document("sun").led(to: .private(host: Self.host))
    reply.status = status
    let bench = SyncBench([.feed: reply])
    bench.know(nil, "sun")

    _ = await bench.facts()

    #expect(bench.network.requests.map(\.reach) == [.typed, .host(Self.host)])
    #expect(bench.store.reaches == [inner])
  }

  @Test func `a collection of which nothing is known yet learns it from an answer without news`()
    async
  {
    let unchanged = FakeReply(status: 304).led(to: .private(host: Self.host))
    let bench = SyncBench([.feed: unchanged, .page("a"): .document("sun .")])
    bench.know(nil, "sun")
    bench.store.keep([FeedMember(address: .page("a"), validators: SyncBench.validators)])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.requests.map(\.reach) == [.typed, .host(Self.host)])
    #expect(bench.store.reaches == [inner])
  }

  @Test(arguments: [
    (NetworkPeer.public, FeedReach.publicOnly, NetworkReach.publicOnly),
    (.private(host: host), .host(host), .host(host)), (.proxy, .publicOnly, .publicOnly),
  ])
  func `what a list names leads as far as the list, and no further because of its own address`(
    peer: NetworkPeer,
    stored: FeedReach,
    reach: NetworkReach
  ) async {
    let bench = SyncBench([
      .feed: .document("@a").led(to: peer), .page("a"): .document("@b"),
      .page("b"): .document("sun").led(to: .private(host: "other.example")),
    ])

    _ = await bench.facts()

    #expect(bench.reaches(of: .page("a"), .page("b"), .thumbnail("sun")) == [reach])
    #expect(bench.store.reaches == [stored])
  }

  @Test func `a list widens nothing for a feed that is followed`() async {
    let bench = SyncBench([
      .page("list"): .document("@x").led(to: .private(host: Self.host)),
      .page("x"): .document("sun"),
    ])
    bench.store.keep(Feed(id: 7, address: .page("x"), reach: .publicOnly), images: ["sun"])

    _ = await bench.facts(SyncPlan(feeds: [.page("list")]))

    #expect(bench.reaches(of: .page("x"), .thumbnail("sun")) == [.publicOnly])
  }

  @Test func `the user can let a feed lead anywhere, with all that it names, and that is stored`()
    async
  {
    let bench = SyncBench([
      .feed: .document("@a @b").led(to: .public), .page("a"): .document("sun >2"),
      .page("b"): .document("moon"),
    ])
    bench.store.keep(Feed(id: 7, address: .page("b"), reach: .publicOnly), images: ["moon"])
    var plan = SyncPlan.everything
    plan.reach = .anywhere

    _ = await bench.facts(plan)

    #expect(Set(bench.network.requests.map(\.reach)) == [.anywhere])
    #expect(bench.network.addresses.contains(.page("2")))
    #expect(bench.store.reaches == [.anywhere, .anywhere])
  }

  @Test(arguments: [
    FakeReply(status: 304), FakeReply(status: 500), FakeReply(refusal: .unreachable),
  ])
  func `what the user allows is stored whatever the server answers`(reply: FakeReply) async {
    let bench = SyncBench([.feed: reply])
    bench.know(.publicOnly, "sun")

    _ = await bench.facts(SyncPlan(feeds: [.feed], reach: .anywhere))

    #expect(bench.store.reaches == [.anywhere])
  }

  @Test func `what was refused is asked for at once when it is allowed`() async {
    let bench = SyncBench([
      .feed: .document("sun"), .thumbnail("sun"): FakeReply(refusal: .privateAddress),
    ])
    let first = await bench.summaries()
    let second = await bench.summaries()
    let allowed = await bench.summaries(SyncPlan(feeds: [.feed], reach: .anywhere))

    #expect(first.map(\.thumbnails.failed) == [1])
    #expect(second.map(\.thumbnails.failed) == [0])
    #expect(allowed.map(\.thumbnails.failed) == [1])
    #expect(bench.reaches(of: .thumbnail("sun")) == [.publicOnly, .anywhere])
    #expect(bench.store.failed(.thumbnail).map(\.picture.failureClass) == [.forbidden])
  }

  @Test func `a feed in a file leads to public addresses alone, unless the user allows more`() async
  {
    let file = WebAddress(filePath: "feed.json", relativeTo: "/home/ann")
    let bench = SyncBench([file: .document("sun >2"), .page("2"): .document("moon")])

    _ = await bench.facts(SyncPlan(feeds: [file]))
    let usual = bench.network.requests.map(\.reach)
    _ = await bench.facts(SyncPlan(feeds: [file], isForced: true, reach: .anywhere))

    #expect(Set(usual) == [.publicOnly])
    #expect(Set(bench.network.requests.dropFirst(usual.count).map(\.reach)) == [.anywhere])
    #expect(bench.store.reaches == [.anywhere])
  }

  @Test func `a thumbnail is made of an original as far as its feed leads`() async {
    let bench = SyncBench(
      [.feed: .document("moon").led(to: .private(host: Self.host))],
      imaging: FakeImaging()
    )
    bench.store.keep(
      Feed(id: 7, address: .feed, reach: .host(Self.host)),
      images: [FeedImage(originalAddress: .original("sun"))]
    )

    _ = await bench.facts()

    #expect(bench.reaches(of: .original("sun")) == [.host(Self.host)])
  }

  @Test func `the original of an image leads as far as its feed`() {
    var image = WebImage(
      id: 1,
      feed: FeedReference(id: 7, address: .feed, title: nil, reach: .host(Self.host)),
      firstSeen: SyncBench.now,
      originalAddress: .original("sun")
    )

    #expect(OriginalRequest(image).reach == .host(Self.host))
    image.feed.reach = nil
    #expect(OriginalRequest(image).reach == .publicOnly)
  }
}

extension FakeReply {
  fileprivate func led(to peer: NetworkPeer) -> FakeReply {
    var reply = self
    reply.firstPeer = peer
    return reply
  }
}

extension SyncBench {
  /// The reaches with which the addresses were requested, without duplicates.
  fileprivate func reaches(of addresses: WebAddress...) -> Set<NetworkReach> {
    Set(network.requests.filter { addresses.contains($0.address) }.map(\.reach))
  }

  fileprivate func know(_ reach: FeedReach?, _ names: String...) {
    let feed = Feed(id: 7, address: .feed, validators: Self.validators, reach: reach)
    store.keep(feed, images: names)
  }
}

extension FaultyLibrary {
  /// The reaches of the stored feeds.
  fileprivate var reaches: [FeedReach?] { storedFeeds.map(\.reach) }
}
