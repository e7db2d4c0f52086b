import Models
import Workers

/// Reads documents in which each word is an image of that name.
final class FakeFormat: FeedReading {
  private let flaws: [DocumentFlaw]
  private let seen = Locked<[FeedSource]>([])

  init(flaws: [DocumentFlaw] = []) { self.flaws = flaws }

  /// What parsers were asked for.
  var sources: [FeedSource] { seen.withLock { $0 } }

  func parser(for source: FeedSource) -> any FeedParsing {
    seen.withLock { $0.append(source) }
    return FakeParser(flaws: flaws, isExplained: source.isExplained)
  }
}
