import Models
import Workers

/// Reads one document's body: one task parses the bytes as they arrive, another stores the entries.
struct DocumentReader {
  let response: NetworkResponse
  let writer: FeedWriter
  let bounds: FeedBounds
  /// The kinds that the document may have; nil for every kind.
  let kinds: [FeedFormat.Kind]?
  let tools: SyncTools
  let arrivals: DocumentArrivals
  let progress: SyncProgress
  /// The words for the document's pictures, if another document has them.
  let words: EntryWords?
  /// Whether a web page is read for its own pictures.
  let isOfPage: Bool
  /// The pictures of an entry that are images.
  let imageChoice: ImageChoice
  /// The identities of the addresses that earlier documents of the feed repeated.
  let repeated: Set<String>
  /// Called with the reasons for the images of the entries; nil unless the plan asks for them.
  let explain: (([EntryExplanation]) -> Void)?
  private let batches = BoundedChannel<[FeedEntry]>(capacity: SyncLimits.batchesAhead)
  private let parsedBytes = Locked(0)

  /// Bytes that came over the wire.
  var wireBytes: Int { response.body.wireBytes }

  /// Bytes of the document that were parsed, after decompression.
  var documentBytes: Int { parsedBytes.withLock { $0 } }

  /// Reads the document to its end, and passes every entry to the writer.
  ///
  /// The writer gets all entries even if this throws, unless the writer itself failed.
  func read() async throws(Failure) -> FeedDocument {
    var source = FeedSource(
      address: response.header.address,
      charset: response.header.charset,
      isExplained: explain != nil,
      isOfPage: isOfPage
    )
    source.words = words
    (source.imageChoice, source.repeated) = (imageChoice, repeated)
    source.now = explain == nil ? nil : tools.now()
    let parsing = Parsing(
      body: response.body,
      source: source,
      kinds: kinds,
      formats: tools.formats,
      progress: progress,
      batches: batches,
      documentBytes: parsedBytes
    )
    async let document = parsing.run()
    if let failure = await storeAll() { throw failure }
    return try await document.get()
  }

  /// Stores all batches; after a failure, `read` throws, which cancels the parsing.
  private func storeAll() async -> Failure? {
    do throws(Failure) {
      while let batch = await batches.next() { try await store(explained(batch)) }
      return nil
    } catch {
      batches.close()
      return error
    }
  }

  /// Reports why the entries of a batch have their images, and drops the entries without images.
  private func explained(_ batch: [FeedEntry]) -> [FeedEntry] {
    guard let explain else { return batch }
    explain(batch.compactMap(\.explanation))
    return batch.filter { !$0.images.isEmpty || !$0.repeated.isEmpty }
  }

  /// Stores a batch, up to the limits of the feed.
  private func store(_ batch: [FeedEntry]) async throws(Failure) {
    let count = batch.imageCount
    let left = bounds.images - writer.counts.total
    do throws(StoreError) {
      try await tools.store.checkRoom(for: 0)
      try await writer.append(count > left ? Self.first(left, of: batch) : batch)
    } catch {
      throw .store(error)
    }
    arrivals.stored(count)
    if count > left { throw beyond(.images(bounds.images)) }
    if writer.storedBytes > bounds.storedBytes { throw beyond(.storedBytes(bounds.storedBytes)) }
  }

  /// The entries with the first images; the last entry may be cut short.
  private static func first(_ images: Int, of batch: [FeedEntry]) -> [FeedEntry] {
    var left = images
    return batch.compactMap { entry in
      guard left > 0 else { return nil }
      defer { left -= entry.images.count }
      return FeedEntry(id: entry.id, images: Array(entry.images.prefix(left)))
    }
  }

  private func beyond(_ bound: FeedBounds.Bound) -> Failure {
    .feed(.beyondBound(bound, stored: writer.counts.total))
  }
}

extension DocumentReader {
  /// Parses a document's body while another task stores the entries found so far.
  private struct Parsing: Sendable {
    let body: any NetworkBody
    let source: FeedSource
    let kinds: [FeedFormat.Kind]?
    let formats: any FeedReading
    let progress: SyncProgress
    let batches: BoundedChannel<[FeedEntry]>
    let documentBytes: Locked<Int>
    /// The entries that do not fill a batch yet, and the number of their images.
    var pending: [FeedEntry] = []
    var pendingImages = 0
    var length = BatchLength()
    var countedBytes = 0

    /// Reads to the end, and sends the entries in batches, including those before a failure.
    @concurrent
    consuming func run() async -> Result<FeedDocument, Failure> {
      var parsing = self
      let result: Result<_, Failure> = await Result(of: try await parsing.read())
      await parsing.handOver()
      parsing.batches.finish()
      return result
    }

    private mutating func read() async throws(Failure) -> FeedDocument {
      let parser = formats.parser(for: source)
      defer { documentBytes.withLock { $0 = parser.unpackedBytes } }
      let end: (entries: [FeedEntry], document: FeedDocument)
      do throws(Failure) {
        while let chunk = try await nextChunk() { try await parse(chunk, with: parser) }
        end = try Failure.ofFeed(parser.finish())
      } catch {
        if !error.isOtherDocument { await take(parser.breakOff()) }
        throw error
      }
      try check(end.document.format.kind, offers: end.document.offers)
      await take(end.entries)
      return end.document
    }

    private mutating func nextChunk() async throws(Failure) -> [UInt8]? {
      defer {
        let arrived = body.wireBytes - countedBytes
        countedBytes += arrived
        progress.update { $0.bytes += arrived }
      }
      return try await Failure.ofNetwork(await body.next())
    }

    /// Parses a chunk in pieces, so that its first entries need not wait for the rest.
    ///
    /// Before it waits for the network, it sends the pending images, unless they are very few. Otherwise it sends
    /// batches of full length, because each batch changes most pages of the indexes again.
    private mutating func parse(
      _ chunk: [UInt8],
      with parser: any FeedParsing
    ) async throws(Failure) {
      for start in stride(from: 0, to: chunk.count, by: SyncLimits.bytesParsedAtOnce) {
        var piece = Array(chunk[start...].prefix(SyncLimits.bytesParsedAtOnce))
        repeat {
          let entries = try Failure.ofFeed(parser.push(piece))
          // A page is read to its end, for the feeds that it names.
          if let kind = parser.kind, kind != .page { try check(kind) }
          await take(entries)
          piece = []
        } while parser.hasMore && !Task.isCancelled
      }
      if !body.hasNext, pendingImages >= SyncLimits.imagesInFirstBatch { await handOver() }
    }

    /// Refuses a document of another kind than its feed has, before any of its entries is stored.
    private func check(
      _ kind: FeedFormat.Kind,
      offers: [WebAddress] = []
    ) throws(Failure) {
      guard let kinds, let former = kinds.first, !kinds.contains(kind) else { return }
      throw .feed(.replaced(former, by: kind, offers: offers))
    }

    private mutating func take(_ entries: [FeedEntry]) async {
      progress.update { $0.images += entries.imageCount }
      for entry in entries {
        pending.append(entry)
        pendingImages += entry.images.count
        if pendingImages >= length.images { await handOver() }
      }
    }

    private mutating func handOver() async {
      if pending.isEmpty { return }
      let batch = pending
      pending = []
      pendingImages = 0
      length.grow()
      await batches.send(batch)
    }
  }
}

/// The number of images of a document that are stored together.
///
/// It is small at first, so that the first thumbnails are requested at once. Then it doubles up to a limit, so that
/// there are always thumbnails to request while the next images are stored.
private struct BatchLength {
  private(set) var images = SyncLimits.imagesInFirstBatch
  private var total = 0

  mutating func grow() {
    total += images
    let isLate = total >= SyncLimits.imagesBeforeLateBatches
    images = min(2 * images, isLate ? SyncLimits.imagesPerLateBatch : SyncLimits.imagesPerBatch)
  }
}

/// Signals that images were stored while their feed's documents are still being read, so that thumbnails can be
/// fetched.
final class DocumentArrivals: Sendable {
  /// Yields when at least `imagesInFirstBatch` more images were stored, and ends with the documents.
  ///
  /// Signals that were not received yet count as one.
  let news: AsyncStream<Void>
  private let teller: AsyncStream<Void>.Continuation
  private let untold = Locked(0)

  init() { (news, teller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Notes that images were stored.
  func stored(_ number: Int) {
    let isNews = untold.withLock { untold in
      untold += number
      guard untold >= SyncLimits.imagesInFirstBatch else { return false }
      untold = 0
      return true
    }
    if isNews { teller.yield() }
  }

  /// Notes that the documents have ended.
  func end() { teller.finish() }
}
