import Models

/// A parser that is measured.
final class TimedFeedParser: FeedParsing {
  private let parser: any FeedParsing
  private let stopwatch: Stopwatch

  init(_ parser: any FeedParsing, _ stopwatch: Stopwatch) {
    self.parser = parser
    self.stopwatch = stopwatch
  }

  var unpackedBytes: Int { parser.unpackedBytes }

  var hasMore: Bool { parser.hasMore }

  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedImage] {
    var count = 0
    let start = stopwatch.now
    defer { stopwatch.add(.parsing, since: start) { $0.images += count } }
    let images = try parser.push(bytes)
    count = images.count
    return images
  }

  func finish() throws(FeedError) -> FeedDocument {
    var images: Int?
    let start = stopwatch.now
    defer {
      stopwatch.add(.parsing, since: start) { counts in
        counts.documents += images == nil ? 0 : 1
        counts.images += images ?? 0
      }
    }
    let document = try parser.finish()
    images = document.images.count
    return document
  }
}
