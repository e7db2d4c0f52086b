import Models
import TestSupport
import Testing
import Workers

struct StoreErrorTests {
  private let problem = SyncProblem(
    subject: .feed,
    address: .feed,
    failure: .store(FaultyLibrary.fullDisk)
  )

  @Test(arguments: [StoreStep.findFeed, .makeWriter, .append, .finish, .noteSync, .flush])
  func `fails the feed and tells it once`(_ step: StoreStep) async {
    let status = step == .noteSync ? 304 : 200
    let bench = SyncBench([.feed: .words("sun moon", status: status)], failing: [step])
    _ = bench.know("moon")

    let facts = await bench.facts()

    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.status) == [.failed])
    #expect(facts.summaries.map(\.problems) == [[problem]])
  }

  @Test func `a disk that is full for good is told once, and the feed keeps its id`() async {
    let steps: Set<StoreStep> = [.append, .finish, .breakOff, .noteSync, .flush]
    let bench = SyncBench([.feed: .words("sun moon")], failing: steps)
    _ = bench.know("moon")

    let facts = await bench.facts()

    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.feed?.id) == [7])
    #expect(facts.summaries.map(\.status) == [.failed])
  }

  @Test func `keeps the batches before the one that failed, and forgets the validators`() async {
    let bench = SyncBench([.feed: .words("sun")], failing: [.finish])
    _ = bench.know("moon")

    let summaries = await bench.summaries()

    let words = SyncBench.words(.store(FaultyLibrary.fullDisk))
    #expect(
      bench.store.events == [.appended(["sun"]), .brokenOff(problem: words), .flushed]
    )
    #expect(summaries.map(\.feed?.validators) == [Validators()])
  }

  @Test func `fetches thumbnails when the store cannot tell whether any is wanted`() async {
    let bench = SyncBench([.feed: .words("sun", status: 304)], failing: [.lookForThumbnails])
    _ = bench.know("sun")

    let facts = await bench.facts()

    #expect(facts.problems == [])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 1)])
  }

  @Test func `thumbnails that cannot be stored stay wanted`() async {
    let bench = SyncBench([.feed: .words("sun moon")], failing: [.storeThumbnails])

    let facts = await bench.facts()

    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(waiting: 2)])
  }

  @Test func `a disk that takes none of very many is told once, and ends the fetching`() async {
    let names = (1...3_000).map { "image\($0)" }
    let bench = SyncBench([.feed: FakeReply(status: 304)], failing: [.storeThumbnails])
    _ = bench.know(names)

    let facts = await bench.facts()

    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(waiting: 3_000)])
    #expect(bench.network.requests.count < 3_000)
  }

  @Test(arguments: [
    StoreStep.countThumbnails, .findThumbnails, .countOriginals, .findOriginals,
  ])
  func `a question that the library cannot answer is told once`(_ step: StoreStep) async {
    let bench = SyncBench([.feed: .words("sun moon")], failing: [step])

    let facts = await bench.facts(.everything)

    #expect(facts.problems == [problem])
  }

  @Test func `a page of orders that cannot be read is told once, behind the page before`() async {
    let names = (1...600).map { "image\($0)" }
    let bench = SyncBench([.feed: .words("image1")], failing: [.secondPageOfThumbnails])
    _ = bench.know(names)

    let facts = await bench.facts()

    #expect(facts.summaries.map(\.thumbnails) == [TransferCounts(stored: 512, waiting: 88)])
    #expect(facts.problems == [problem])
  }

  @Test func `an original that cannot be stored is told under its own address`() async {
    let bench = SyncBench([.feed: .words("moon")], failing: [.commitOriginal])

    let facts = await bench.facts(.everything)

    let problem = SyncProblem(
      subject: .original,
      address: .original("moon"),
      failure: .store(FaultyLibrary.fullDisk)
    )
    #expect(facts.problems == [problem])
    #expect(facts.summaries.map(\.originals) == [TransferCounts(failed: 1)])
  }
}

extension SyncBench {
  fileprivate init(_ replies: [WebAddress: FakeReply], failing: Set<StoreStep>) {
    self.init(replies, store: FaultyLibrary(failing: failing))
  }
}

extension FakeReply {
  fileprivate static func words(_ words: String, status: Int = 200) -> FakeReply {
    var reply = FakeReply.document(words, validators: SyncBench.validators)
    reply.status = status
    return reply
  }
}
