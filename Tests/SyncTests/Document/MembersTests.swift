import Models
import TestSupport
import Testing
import Workers

@Suite(.timeLimit(.minutes(60)))
struct MembersTests {
  private let validators = SyncBench.validators
  private let inner = Validators(entityTag: "\"member\"")

  @Test func `a collection's members are read in order, each remembered with its validators`()
    async
  {
    let bench = SyncBench([
      .feed: .document(". *a *b", validators: validators),
      .page("a"): .document("sun .", validators: inner), .page("b"): .document("moon ."),
    ])

    _ = await bench.facts(.documentOnly)

    #expect(
      bench.store.events == [
        .appended(["sun"]), .wroteMember(FeedMember(address: .page("a"), validators: inner)),
        .appended(["moon"]),
        .wroteMember(FeedMember(address: .page("b"), validators: Validators())),
        .finished(validators, isWhole: true, true), .flushed,
      ]
    )
  }

  @Test func `members of a collection in a collection come in its place`() async {
    let bench = SyncBench([
      .feed: .document(". *a *b"), .page("a"): .document(". *c"), .page("b"): .document("moon ."),
      .page("c"): .document("sun ."),
    ])

    _ = await bench.facts(.documentOnly)

    #expect(bench.network.addresses == [.feed, .page("a"), .page("c"), .page("b")])
  }

  @Test func `nothing changed costs one conditional request a document`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304), .page("a"): FakeReply(status: 304)])
    _ = bench.know("sun")
    bench.store.keep([FeedMember(address: .page("a"), validators: inner)])

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.network.requests.map(\.validators) == [validators, inner])
    #expect(
      bench.store.events == [
        .finished(validators, isWhole: true, true), .flushed,
      ]
    )
    #expect(summaries.map(\.status) == [.unchanged])
  }

  @Test func `a member that changed is read though its collection has not`() async {
    let bench = SyncBench([.feed: FakeReply(status: 304), .page("a"): .document("comet .")])
    _ = bench.know("sun")
    bench.store.keep([FeedMember(address: .page("a"), validators: inner)])

    let summaries = await bench.summaries(.documentOnly)

    #expect(bench.store.events.contains(.appended(["comet"])))
    #expect(summaries.map(\.images.new) == [1])
  }

  @Test func `a member that cannot be had is told, and nothing counts as gone`() async {
    let bench = SyncBench([
      .feed: .document(". *a *b", validators: validators), .page("a"): FakeReply(status: 404),
      .page("b"): .document("moon ."),
    ])

    let facts = await bench.facts(.documentOnly)

    let problem = SyncProblem(subject: .page, address: .page("a"), failure: .status(404))
    #expect(facts.problems == [problem])
    #expect(bench.store.events.contains(.appended(["moon"])))
    #expect(bench.store.events.contains(.finished(Validators(), isWhole: false, false)))
  }

  @Test func `a member that has only pictures gets the words of its entry, each time`() async {
    let bench = SyncBench([
      .feed: .document(". sun =a =b", validators: validators),
      .page("a"): .document("moon .", validators: inner), .page("b"): .document("star ."),
    ])

    let facts = await bench.facts(.documentOnly)

    #expect(bench.format.sources.map(\.words?.title) == [nil, "a", "b"])
    #expect(facts.summaries.map(\.images.new) == [3])
    // The words must not be missing when only a member changes, so the document is read each time.
    #expect(bench.store.events.contains(.finished(Validators(), isWhole: true, true)))
  }

  @Test func `pictures of an entry that cannot be had are told, and nothing counts as gone`() async
  {
    let bench = SyncBench([
      .feed: .document(". sun =a"), .page("a"): FakeReply(status: 404),
    ])

    let facts = await bench.facts(.documentOnly)

    #expect(facts.problems.map(\.failure) == [.status(404)])
    #expect(facts.problems.map(\.subject) == [.page])
    #expect(bench.store.events.contains(.finished(Validators(), isWhole: false, false)))
  }

  @Test func `a member that has further pages shows that not everything is listed`() async {
    var member = FakeReply.document("sun .")
    member.nextPage = .page("2")
    let bench = SyncBench([.feed: .document(". *a"), .page("a"): member])

    _ = await bench.facts(.documentOnly)

    #expect(bench.store.events.contains(.finished(Validators(), isWhole: true, false)))
  }
}
