internal import CLinux
import DecoderFrames
package import Models
package import Workers

/// Decodes pictures in decoder processes, at most one for each processor.
///
/// When no decoder is free, a picture starts another one, which then stays for later pictures. The
/// pool replaces a decoder that ends, hangs or sends a wrong answer; only its current picture
/// fails. If another process or the kernel ended the decoder, for example for lack of memory, the
/// picture gets another attempt. See Documentation/Decoder.md.
package final class ImageDecoderPool: ImageDecoding, PictureRendering, DetailsDecoding {
  private let queue: JobQueue

  /// Makes a pool without processes; the first picture starts one.
  ///
  /// - Parameters:
  ///   - paths: The paths at which the decoder program may be; the pool uses the first that exists.
  ///   - processes: The most processes at once; by default, one for each available processor.
  ///   - secondsPerPicture: The time limit for one picture. The decoder itself limits its processor
  ///     time.
  ///   - whenStarted: Called for each process that is ready, on a thread of the pool.
  package init(
    paths: DecoderPaths = .ofRunningProgram,
    processes: Int? = nil,
    secondsPerPicture: Int = 60,
    whenStarted: @escaping @Sendable (StartedDecoder) -> Void = { _ in }
  ) {
    let starter = DecoderStarter(
      paths: paths,
      secondsPerPicture: secondsPerPicture,
      whenStarted: whenStarted
    )
    queue = JobQueue(limit: max(1, processes ?? Int(clinux_processor_count()))) { queue in
      DecoderWorker(queue: queue, starter: starter).run()
    }
  }

  deinit { shutDown() }

  /// Ends all processes and cancels their jobs; later calls are cancelled at once.
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
    let side = Self.bounded(longestSide, by: FrameLimits.thumbnailSide)
    let answer = try await perform(.thumbnail(longestSide: side), on: picture)
    guard case .thumbnail(let thumbnail) = answer else { throw .wrongAnswer }
    return thumbnail
  }

  package func pixels(
    of picture: PictureSource,
    fitting box: PixelSize,
    extent: PictureExtent
  ) async throws(ImagingError) -> DecodedPixels {
    let task = DecoderTask.pixels(
      width: Self.bounded(box.width, by: FrameLimits.boxSide),
      height: Self.bounded(box.height, by: FrameLimits.boxSide),
      isPartial: extent == .asFarAsItCame
    )
    guard case .pixels(let pixels) = try await perform(task, on: picture) else {
      throw .wrongAnswer
    }
    return pixels
  }

  package func rendered(
    _ picture: PictureSource,
    _ rendering: Rendering
  ) async throws(ImagingError) -> [UInt8] {
    guard rendering.isSound else { throw .resultTooLarge(limit: Rendering.largestArea) }
    guard case .rendering(let file) = try await perform(.render(rendering), on: picture) else {
      throw .wrongAnswer
    }
    return file
  }

  package func colourGrid(of picture: PictureSource) async throws(ImagingError) -> [UInt8] {
    guard case .colourGrid(let grid) = try await perform(.colourGrid, on: picture) else {
      throw .wrongAnswer
    }
    return grid
  }

  package func details(of picture: PictureSource) async throws(ImagingError) -> PictureDetails {
    guard case .details(let details) = try await perform(.details, on: picture) else {
      throw .wrongAnswer
    }
    return details
  }

  /// A side that a request can express.
  private static func bounded(_ side: Int, by limit: Int) -> Int { min(max(1, side), limit) }

  /// Queues a job and waits for its answer; a cancellation does not wait for the decoder.
  private func perform(
    _ task: DecoderTask,
    on picture: PictureSource
  ) async throws(ImagingError) -> DecoderAnswer {
    let job = DecoderJob(task: task, picture: picture)
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
