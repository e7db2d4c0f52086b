import Models

/// Reads one document's body: chunks to the parser, entries to the writer, both at once.
struct DocumentReader {
  private let batches = BoundedChannel<[FeedEntry]>(capacity: SyncLimits.batchesAhead)
  private let intake: DocumentIntake
  private let writer: FeedWriter
  private let arrivals: DocumentArrivals
  private let bounds: FeedBounds
  private let store: any FeedStoring

  init(
    _ response: NetworkResponse,
    formats: any FeedReading,
    writer: FeedWriter,
    store: any FeedStoring,
    arrivals: DocumentArrivals,
    progress: SyncProgress,
    bounds: FeedBounds
  ) {
    intake = DocumentIntake(response, formats: formats, progress: progress, into: batches)
    self.writer = writer
    self.store = store
    self.arrivals = arrivals
    self.bounds = bounds
  }

  /// Bytes that came over the wire.
  var wireBytes: Int { intake.body.wireBytes }

  /// Bytes of the document, unpacked.
  var documentBytes: Int { intake.documentBytes.withLock { $0 } }

  /// Reads to the end; every entry is with the writer then, also when it throws, unless the writer
  /// failed itself.
  func read() async throws(Failure) -> FeedDocument {
    let intake = intake
    async let document = intake.run()
    if let failure = await storeAll() { throw failure }
    return try await document.get()
  }

  /// Leaving without the document cancels what still reads it.
  private func storeAll() async -> Failure? {
    do throws(Failure) {
      while let batch = await batches.next() { try await append(batch) }
      return nil
    } catch {
      batches.close()
      return error
    }
  }

  /// Stores a batch as far as the feed may bring it.
  private func append(_ batch: [FeedEntry]) async throws(Failure) {
    let count = batch.imageCount
    let left = bounds.images - writer.counts.total
    do throws(StoreError) {
      try await store.checkRoom(for: 0)
      try await writer.append(count > left ? Self.first(left, of: batch) : batch)
    } catch {
      throw .store(error)
    }
    arrivals.stored(count)
    if count > left { throw beyond(.images(bounds.images)) }
    if writer.storedBytes > bounds.storedBytes { throw beyond(.storedBytes(bounds.storedBytes)) }
  }

  /// The entries with the first images; the last of them may be cut short.
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
