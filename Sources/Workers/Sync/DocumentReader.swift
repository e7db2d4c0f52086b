import Models

/// Reads one document's body: chunks to the parser, images to the writer, both at once.
struct DocumentReader {
  private let batches = BoundedChannel<[FeedImage]>(capacity: SyncLimits.batchesAhead)
  private let intake: DocumentIntake
  private let writer: any FeedWriting
  private let arrivals: DocumentArrivals

  init(
    _ response: NetworkResponse,
    formats: any FeedReading,
    writer: any FeedWriting,
    arrivals: DocumentArrivals,
    progress: SyncProgress
  ) {
    intake = DocumentIntake(response, formats: formats, progress: progress, into: batches)
    self.writer = writer
    self.arrivals = arrivals
  }

  /// Bytes that came over the wire.
  var wireBytes: Int { intake.body.wireBytes }

  /// Reads to the end; every image is with the writer then, also when it throws, unless the writer
  /// failed itself.
  func read() async throws(Failure) -> FeedDocument {
    let intake = intake
    async let document = intake.run()
    if let failure = await store() { throw failure }
    return try await document.get()
  }

  /// Leaving without the document cancels what still reads it.
  private func store() async -> Failure? {
    do throws(StoreError) {
      while let batch = await batches.next() {
        try writer.append(batch)
        arrivals.stored(batch.count)
      }
      return nil
    } catch {
      batches.close()
      return .store(error)
    }
  }
}
