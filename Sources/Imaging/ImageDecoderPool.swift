import Models
package import Workers

/// Decodes pictures in processes of their own, as many at once as there are processors.
///
/// A process is started when a picture needs it and none is free, and is kept for the next one. One
/// that ends, hangs or says what it was not asked is replaced; that costs the picture it was at
/// work on, and no other. What was ended from outside, by the kernel for want of memory for
/// example, is tried again.
package final class ImageDecoderPool: ImageDecoding {
  private let queue: JobQueue

  /// Starts nothing yet.
  ///
  /// - Parameters:
  ///   - places: Where the decoder's program may be; the first that exists is taken.
  ///   - processes: How many of them there may be at once.
  ///   - secondsPerPicture: How long a picture may take; its processor time is bounded by the
  ///     decoder itself.
  ///   - whenStarted: Hears of each process that is ready, on a thread of the pool.
  package init(
    places: DecoderPlaces = .ofRunningProgram,
    processes: Int = ProcessorCount.available,
    secondsPerPicture: Int = 60,
    whenStarted: @escaping @Sendable (StartedDecoder) -> Void = { _ in }
  ) {
    let starter = DecoderStarter(
      places: places,
      secondsPerPicture: secondsPerPicture,
      whenStarted: whenStarted
    )
    queue = JobQueue(limit: max(1, processes)) { queue in
      DecoderWorker(queue: queue, starter: starter).run()
    }
  }

  deinit { shutDown() }

  /// Ends all processes, and what they are at as cancelled; later calls are cancelled at once.
  package func shutDown() { queue.close() }

  package func inspect(_ picture: PictureSource) async throws(ImagingError) -> PictureFacts {
    guard case .facts(let facts) = try await perform(.inspect, on: picture) else {
      throw .wrongAnswer
    }
    return facts
  }

  package func thumbnail(
    of picture: PictureSource,
    longestSide: Int
  ) async throws(ImagingError) -> MadeThumbnail {
    let answer = try await perform(.thumbnail(longestSide: longestSide), on: picture)
    guard case .thumbnail(let thumbnail) = answer else { throw .wrongAnswer }
    return thumbnail
  }

  package func pixels(
    of picture: PictureSource,
    fitting box: PixelBox,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels {
    let answer = try await perform(.pixels(box, extent), on: picture)
    guard case .pixels(let pixels) = answer else { throw .wrongAnswer }
    return pixels
  }

  /// Leaves a job for the threads and waits for its answer; a cancellation does not wait for a
  /// picture that is being decoded.
  private func perform(
    _ order: DecoderOrder,
    on picture: PictureSource
  ) async throws(ImagingError) -> DecoderAnswer {
    let job = DecoderJob(order: order, picture: picture)
    let queue = self.queue
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        job.begin(continuation)
        queue.add(job)
      }
    } onCancel: {
      job.finish(.failure(.cancelled))
    }
    return try result.get()
  }
}
