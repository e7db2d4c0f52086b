import Models

/// Reads a document's body and parses it, while others store what it has found so far.
struct DocumentIntake: Sendable {
  let body: any NetworkBody
  /// Bytes of the document that were parsed, unpacked.
  let documentBytes = Locked(0)
  private let source: FeedSource
  private let formats: any FeedReading
  private let progress: SyncProgress
  private let batches: BoundedChannel<[FeedEntry]>
  /// The entries that were found and make no whole batch yet, and how many images they have.
  private var pending: [FeedEntry] = []
  private var pendingImages = 0
  /// The batches that are to be handed over.
  private var whole: [[FeedEntry]] = []
  private var length = BatchLength()
  private var countedBytes = 0

  init(
    _ response: NetworkResponse,
    formats: any FeedReading,
    progress: SyncProgress,
    into batches: BoundedChannel<[FeedEntry]>
  ) {
    source = FeedSource(address: response.header.address, charset: response.header.charset)
    body = response.body
    self.formats = formats
    self.progress = progress
    self.batches = batches
  }

  /// Reads to the end, and hands over the entries in batches; all that came before a failure, too.
  @concurrent
  consuming func run() async -> Result<FeedDocument, Failure> {
    var intake = self
    let result = await intake.read()
    await intake.handOver(atLeast: 1)
    intake.batches.finish()
    return result
  }

  private mutating func read() async -> Result<FeedDocument, Failure> {
    let parser = formats.parser(for: source)
    defer { documentBytes.withLock { $0 = parser.unpackedBytes } }
    do throws(Failure) {
      while let chunk = try await nextChunk() {
        try await read(chunk, with: parser)
      }
      let end = try Self.parse { () throws(FeedError) in try parser.finish() }
      take(end.entries)
      return .success(end.document)
    } catch {
      return .failure(error)
    }
  }

  /// Parses a piece at a time, so that what is found first need not wait for the rest.
  ///
  /// Before the network is waited for, all but a few images are handed over. Otherwise batches are as long as
  /// they are to be: each changes most pages of the indexes once more.
  private mutating func read(
    _ chunk: [UInt8],
    with parser: any FeedParsing
  ) async throws(Failure) {
    for start in stride(from: 0, to: chunk.count, by: SyncLimits.bytesParsedAtOnce) {
      var piece = Array(chunk[start...].prefix(SyncLimits.bytesParsedAtOnce))
      repeat {
        take(try Self.parse { () throws(FeedError) in try parser.push(piece) })
        await handOverWhole()
        piece = []
      } while parser.hasMore && !Task.isCancelled
    }
    if !body.hasNext { await handOver(atLeast: SyncLimits.imagesInFirstBatch) }
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

  private static func parse<Value>(
    _ parse: () throws(FeedError) -> Value
  ) throws(Failure) -> Value {
    do {
      return try parse()
    } catch {
      throw .feed(error)
    }
  }

  private mutating func take(_ entries: [FeedEntry]) {
    for entry in entries {
      pending.append(entry)
      pendingImages += entry.images.count
      if pendingImages >= length.images { endBatch() }
    }
    progress.update { $0.images += entries.imageCount }
  }

  private mutating func endBatch() {
    whole.append(pending)
    pending = []
    pendingImages = 0
    length.grow()
  }

  /// Hands over all there is, also what makes no whole batch, if there is so much of it.
  private mutating func handOver(atLeast least: Int) async {
    if pendingImages >= least { endBatch() }
    await handOverWhole()
  }

  /// Hands over the batches that are as long as they are to be.
  private mutating func handOverWhole() async {
    for batch in whole { await batches.send(batch) }
    whole = []
  }
}
