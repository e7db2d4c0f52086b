import Models

/// Reads one document's body: chunks to the parser, images to the writer.
struct DocumentReader {
  private let header: NetworkHeader
  private let body: any NetworkBody
  private let parser: any FeedParsing
  private let writer: any FeedWriting
  private let progress: SyncProgress
  private var pending: [FeedImage] = []
  private var countedBytes = 0

  init(
    _ response: NetworkResponse,
    formats: any FeedReading,
    writer: any FeedWriting,
    progress: SyncProgress
  ) {
    header = response.header
    body = response.body
    parser = formats.parser(for: FeedSource(address: header.address, charset: header.charset))
    self.writer = writer
    self.progress = progress
  }

  /// Bytes that came over the wire.
  var wireBytes: Int { body.wireBytes }

  /// Reads to the end; every image is with the writer then, also when it throws, unless the writer
  /// failed itself.
  mutating func read() async throws(Failure) -> FeedDocument {
    defer { countBytes() }
    do throws(Failure) {
      while let chunk = try await nextChunk() {
        try take(parse(chunk))
      }
      var document = try finishParsing()
      try take(document.images)
      document.images = []
      try store()
      return document
    } catch {
      if case .store = error { throw error }
      try store()
      throw error
    }
  }

  private mutating func nextChunk() async throws(Failure) -> [UInt8]? {
    defer { countBytes() }
    do {
      return try await body.next()
    } catch {
      throw .network(error)
    }
  }

  private mutating func countBytes() {
    let arrived = body.wireBytes - countedBytes
    countedBytes += arrived
    progress.update { $0.bytes += arrived }
  }

  private func parse(_ chunk: [UInt8]) throws(Failure) -> [FeedImage] {
    do {
      return try parser.push(chunk)
    } catch {
      throw .feed(error)
    }
  }

  private func finishParsing() throws(Failure) -> FeedDocument {
    do {
      return try parser.finish()
    } catch {
      throw .feed(error)
    }
  }

  private mutating func take(_ images: [FeedImage]) throws(Failure) {
    pending += images
    progress.update { $0.images += images.count }
    if pending.count >= SyncLimits.imagesPerBatch { try store() }
  }

  private mutating func store() throws(Failure) {
    var rest = pending[...]
    pending = []
    while !rest.isEmpty {
      let batch = Array(rest.prefix(SyncLimits.imagesPerBatch))
      rest = rest.dropFirst(SyncLimits.imagesPerBatch)
      do {
        try writer.append(batch)
      } catch {
        throw .store(error)
      }
    }
  }
}
