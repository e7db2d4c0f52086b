/// Reads documents as another reader does, and measures it.
package struct TimedFeedReader: FeedReading {
  private let reader: any FeedReading
  private let stopwatch: Stopwatch

  package init(_ reader: any FeedReading, _ stopwatch: Stopwatch) {
    self.reader = reader
    self.stopwatch = stopwatch
  }

  package func parser(for source: FeedSource) -> any FeedParsing {
    TimedFeedParser(reader.parser(for: source), stopwatch)
  }
}
