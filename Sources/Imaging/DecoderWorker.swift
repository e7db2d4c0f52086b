import DecoderFrames
import Workers

/// The loop of a pool thread, which takes jobs one at a time and has its own decoder.
final class DecoderWorker {
  private let queue: JobQueue
  private let starter: DecoderStarter
  private var decoder: RunningDecoder?
  private var lastID: UInt64 = 0

  /// The most attempts for a picture when another process ends its decoder each time.
  private static let attempts = 5

  init(queue: JobQueue, starter: DecoderStarter) {
    self.queue = queue
    self.starter = starter
  }

  func run() {
    while let job = queue.next() {
      if !job.isOver { job.finish(result(of: job)) }
    }
    discardDecoder()
  }

  private func result(of job: DecoderJob) -> Result<DecoderAnswer, ImagingError> {
    do throws(ImagingError) {
      return .success(try answer(job))
    } catch {
      return .failure(error)
    }
  }

  private func answer(_ job: DecoderJob) throws(ImagingError) -> DecoderAnswer {
    let picture = try PassedPicture(job.picture)
    var attempt = 1
    while true {
      let decoder = try readyDecoder()
      let answer: Result<DecoderAnswer, ImagingError>
      do throws(DecoderEnd) {
        answer = try exchange(job.task, picture, with: decoder.process)
      } catch {
        let end = error.cause(signal: discardDecoder())
        if queue.isClosed || job.isOver { throw .cancelled }
        guard isWorthAnother(attempt, after: end, hadAnswered: decoder.hasAnswered) else {
          throw end.error(secondsPerPicture: starter.secondsPerPicture)
        }
        attempt += 1
        continue
      }
      decoder.hasAnswered = true
      return try answer.get()
    }
  }

  /// Whether to try the picture again.
  ///
  /// A picture gets another attempt when another process ended its decoder. It also gets one when
  /// the decoder crashed after it had read other pictures, because one of those may be to blame.
  private func isWorthAnother(_ attempt: Int, after end: DecoderEnd, hadAnswered: Bool) -> Bool {
    guard attempt < Self.attempts else { return false }
    return end.isFromOutside || hadAnswered && end.isCrash
  }

  private func exchange(
    _ task: DecoderTask,
    _ picture: borrowing PassedPicture,
    with process: DecoderProcess
  ) throws(DecoderEnd) -> Result<DecoderAnswer, ImagingError> {
    lastID += 1
    let request = DecoderRequest(id: lastID, task: task)
    let limit = Duration.seconds(starter.secondsPerPicture)
    let (header, payload) = try process.perform(request, picture, within: limit)
    guard header.id == request.id else { throw .wrongAnswer }
    return try AnswerReader(task: task).read(header.kind, payload)
  }

  private func readyDecoder() throws(ImagingError) -> RunningDecoder {
    if let decoder {
      if decoder.process.isQuiet { return decoder }
      // The decoder ended, or sent bytes without a request. A new one keeps the next picture from failing.
      discardDecoder()
    }
    let process = try starter.start()
    guard let interruption = queue.noteInterruption({ process.interrupt() }) else {
      process.end()
      throw .cancelled
    }
    let decoder = RunningDecoder(process: process, interruption: interruption)
    self.decoder = decoder
    return decoder
  }

  /// - Returns: The signal that ended the process, or 0.
  @discardableResult
  private func discardDecoder() -> Int32 {
    guard let decoder else { return 0 }
    self.decoder = nil
    queue.forgetInterruption(decoder.interruption)
    return decoder.process.end()
  }
}

/// The decoder of a pool thread.
private final class RunningDecoder {
  let process: DecoderProcess
  /// The queue's number for the action that interrupts the decoder.
  let interruption: Int
  /// Whether the decoder has answered a request.
  var hasAnswered = false

  init(process: DecoderProcess, interruption: Int) {
    self.process = process
    self.interruption = interruption
  }
}
