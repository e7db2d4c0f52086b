import Models

/// Reads one document's body: chunks to the parser, images to the writer, both at once.
struct DocumentReader {
  private let batches = BoundedChannel<[FeedImage]>(capacity: SyncLimits.batchesAhead)
  private let intake: DocumentIntake
  private let writer: any FeedWriting
  private let arrivals: DocumentArrivals
  private let bounds: FeedBounds
  private let store: any FeedStoring

  init(
    _ response: NetworkResponse,
    formats: any FeedReading,
    writer: any FeedWriting,
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

  /// Reads to the end; every image is with the writer then, also when it throws, unless the writer
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
      while let batch = await batches.next() { try append(batch) }
      return nil
    } catch {
      batches.close()
      return error
    }
  }

  /// Stores a batch as far as the feed may bring it.
  private func append(_ batch: [FeedImage]) throws(Failure) {
    let left = bounds.images - writer.counts.total
    do throws(StoreError) {
      try store.checkRoom(for: 0)
      try writer.append(batch.count > left ? Array(batch.prefix(max(0, left))) : batch)
    } catch {
      throw .store(error)
    }
    arrivals.stored(batch.count)
    if batch.count > left { throw beyond(.images(bounds.images)) }
    if writer.storedBytes > bounds.storedBytes { throw beyond(.storedBytes(bounds.storedBytes)) }
  }

  private func beyond(_ bound: FeedBounds.Bound) -> Failure {
    .feed(.beyondBound(bound, stored: writer.counts.total))
  }
}
