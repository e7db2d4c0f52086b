package import Models

/// Reads documents with another reader, and measures the time.
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

/// Parses with another parser, and measures the time.
private final class TimedFeedParser: FeedParsing {
  private let parser: any FeedParsing
  private let stopwatch: Stopwatch

  init(_ parser: any FeedParsing, _ stopwatch: Stopwatch) {
    self.parser = parser
    self.stopwatch = stopwatch
  }

  var unpackedBytes: Int { parser.unpackedBytes }

  var kind: FeedFormat.Kind? { parser.kind }

  var hasMore: Bool { parser.hasMore }

  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedEntry] {
    var count = 0
    let start = stopwatch.now
    defer { stopwatch.add(.parsing, since: start) { $0.images += count } }
    let entries = try parser.push(bytes)
    count = entries.imageCount
    return entries
  }

  func finish() throws(FeedError) -> (entries: [FeedEntry], document: FeedDocument) {
    var images: Int?
    let start = stopwatch.now
    defer {
      stopwatch.add(.parsing, since: start) { counts in
        counts.documents += images == nil ? 0 : 1
        counts.images += images ?? 0
      }
    }
    let end = try parser.finish()
    images = end.entries.imageCount
    return end
  }

  func breakOff() -> [FeedEntry] {
    let entries = parser.breakOff()
    stopwatch.add(.parsing, since: stopwatch.now) { $0.images += entries.imageCount }
    return entries
  }
}

/// Decodes pictures with another decoder, and measures the time.
package struct TimedImageDecoder: ImageDecoding {
  private let decoder: any ImageDecoding
  private let stopwatch: Stopwatch

  package init(_ decoder: any ImageDecoding, _ stopwatch: Stopwatch) {
    self.decoder = decoder
    self.stopwatch = stopwatch
  }

  /// Inspects without counting a decoded picture.
  package func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts {
    let start = stopwatch.now
    defer { stopwatch.add(.decoding, since: start) }
    return try await decoder.inspect(picture)
  }

  package func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail {
    let start = stopwatch.now
    defer { stopwatch.add(.decoding, since: start) { $0.pictures += 1 } }
    return try await decoder.thumbnail(of: picture, longestSide: longestSide)
  }

  package func pixels(
    of picture: PictureSource,
    fitting box: PixelSize,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels {
    let start = stopwatch.now
    defer { stopwatch.add(.decoding, since: start) { $0.pictures += 1 } }
    return try await decoder.pixels(of: picture, fitting: box, extent: extent)
  }
}
