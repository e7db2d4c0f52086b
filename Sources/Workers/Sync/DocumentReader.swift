import Models

/// Reads one document's body into the library: chunks to the parser, images to the writer.
struct DocumentReader {
  private let header: NetworkHeader
  private let body: any NetworkBody
  private let parser: any FeedParsing
  private let writer: any FeedWriting
  private let tools: SyncTools
  private let address: WebAddress
  private let progress: SyncProgress
  private var pending: [FeedImage] = []
  private var countedBytes = 0

  init(
    _ response: NetworkResponse,
    of address: WebAddress,
    tools: SyncTools,
    progress: SyncProgress
  ) throws(Failure) {
    header = response.header
    body = response.body
    parser = tools.formats.parser(
      for: FeedSource(address: header.address, charset: header.charset)
    )
    do {
      writer = try tools.store.writer(forFeedAt: address, now: tools.now())
    } catch {
      throw .store(error)
    }
    self.tools = tools
    self.address = address
    self.progress = progress
  }

  /// Reads to the end, or as far as it goes.
  mutating func read() async throws(Failure) -> DocumentSync.Result {
    do throws(Failure) {
      while let chunk = try await nextChunk() {
        try take(parse(chunk))
      }
      return try finish()
    } catch {
      return try breakOff(error)
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

  /// The validators are kept only when nothing of the document was lost.
  private mutating func finish() throws(Failure) -> DocumentSync.Result {
    let document = try finishParsing()
    progress.update { $0.images += document.images.count }
    try store()
    let validators = document.warnings.isEmpty ? header.validators : Validators()
    do {
      let (feed, counts) = try writer.finish(document, validators: validators)
      var result = DocumentSync.Result(feed: feed, status: feed.status ?? .updated)
      result.images = counts
      result.bytes = body.wireBytes
      result.problems = document.warnings.map { warning in
        SyncProblem(subject: .document, address: address, failure: .warning(warning))
      }
      return result
    } catch {
      throw .store(error)
    }
  }

  private func finishParsing() throws(Failure) -> FeedDocument {
    do {
      return try parser.finish()
    } catch {
      throw .feed(error)
    }
  }

  /// Keeps what was read of a document that broke off.
  private mutating func breakOff(_ failure: Failure) throws(Failure) -> DocumentSync.Result {
    if case .store = failure {} else { try store() }
    do {
      let (feed, counts) = try writer.breakOff(problem: tools.wording(failure))
      var result = DocumentSync.Result(feed: feed, status: .failed)
      result.images = counts
      result.bytes = body.wireBytes
      if failure.isCancellation {
        result.status = counts.new + counts.changed > 0 ? .updated : .unchanged
        result.wasStoppedBeforeAnswer = counts.total == 0
      } else {
        result.problems = [SyncProblem(subject: .feed, address: address, failure: failure)]
      }
      return result
    } catch {
      throw .store(error)
    }
  }
}
