import Models
import Sync
import TestSupport
import Testing
import Workers

struct StopwatchTests {
  private let stopwatch = SteppingClock().stopwatch()

  @Test func `sums up what each phase took`() {
    let start = stopwatch.now
    stopwatch.add(.storing, since: start) { $0.rows += 3 }
    stopwatch.add(.storing, since: start) { $0.rows += 4 }
    stopwatch.add(.filing, since: start)

    let timings = stopwatch.timings
    #expect(timings[.storing] == .seconds(1 + 2))
    #expect(timings[.filing] == .seconds(3))
    #expect(timings[.parsing] == .zero)
    #expect(timings.counts.rows == 7)
    #expect(timings.whole == .seconds(5))
  }

  @Test func `measures what fails, too`() {
    let measured: Stopwatch? = stopwatch

    #expect(throws: CancellationError.self) {
      try measured.measure(.flushing) { throw CancellationError() }
    }
    #expect(measured.measure(.flushing) { 5 } == 5)
    #expect(stopwatch.timings[.flushing] == .seconds(2))
  }

  @Test func `does what is not to be measured all the same`() {
    let none: Stopwatch? = nil

    #expect(none.measure(.flushing) { 5 } == 5)
  }

  @Test func `measures each piece of a document, and counts its images`() throws {
    let parser = TimedFeedReader(FakeFormat(), stopwatch).parser(for: source)

    #expect(try parser.push(Array("moon sun".utf8)).count == 2)
    #expect(try parser.push(Array("star +late".utf8)).count == 1)
    #expect(try parser.finish().entries.count == 1)

    let timings = stopwatch.timings
    #expect(timings[.parsing] == .seconds(3))
    #expect(timings.counts.documents == 1)
    #expect(timings.counts.images == 4)
  }

  @Test func `counts no document that could not be read`() {
    let reader = TimedFeedReader(FakeFormat(), stopwatch)

    #expect(throws: FeedError.self) {
      try reader.parser(for: source).push(Array("moon !".utf8))
    }
    #expect(throws: FeedError.self) { try reader.parser(for: source).finish() }

    #expect(stopwatch.timings[.parsing] == .seconds(2))
    #expect(stopwatch.timings.counts == SyncCounts())
  }

  @Test func `measures a decoder, and counts what it makes`() async throws {
    let decoder = TimedImageDecoder(FakeImaging(), stopwatch)

    _ = try await decoder.inspect(.bytes([1]))
    _ = try await decoder.thumbnail(of: .bytes([1]), longestSide: 5)
    _ = try await decoder.pixels(
      of: .bytes([1]),
      fitting: PixelSize(width: 5, height: 5),
      extent: .whole
    )

    #expect(stopwatch.timings[.decoding] == .seconds(3))
    #expect(stopwatch.timings.counts.pictures == 2)
  }

  @Test func `is told at the end of a sync`() async {
    var tools = SyncBench([.feed: .document("moon")]).tools()
    tools.stopwatch = stopwatch
    tools.formats = TimedFeedReader(tools.formats, stopwatch)

    let facts = await SyncWorker(tools: tools).sync(SyncPlan(feeds: [.feed])).allFacts()

    guard case .ended(let end)? = facts.last else { return #expect(Bool(false)) }
    #expect(end.timings?.counts.documents == 1)
    #expect(end.timings?.counts.images == 1)
    #expect(end.timings?[.parsing] == .seconds(2))
  }

  @Test func `is not told of when there is none`() async {
    let facts = await SyncBench([.feed: .document("moon")]).facts()

    #expect(facts.last == .ended(SyncEnd(isInterrupted: false, timings: nil)))
  }

  private var source: FeedSource { FeedSource(address: .feed, charset: nil) }
}
