import Models
import Workers

/// A line of progress, for a display to draw.
package struct ProgressLine: Equatable, Sendable {
  /// The completed part, from 0 to 1; nil while the total is unknown.
  package var fraction: Double?
  package var text: String
  /// Shorter and shorter forms of the text, for a narrow display.
  package var shorter: [String] = []

  package init(fraction: Double?, text: String) {
    self.fraction = fraction
    self.text = text
  }

  /// Joins the parts of the text, and makes its shorter forms.
  ///
  /// Shorter forms omit the parts with the highest ranks first, and never those of rank 0.
  init(fraction: Double?, parts: [(text: String?, rank: Int)]) {
    let parts = parts.compactMap { part in part.text.map { (text: $0, rank: part.rank) } }
    func text(upTo rank: Int) -> String {
      parts.filter { $0.rank <= rank }.map(\.text).joined(separator: ", ")
    }
    let ranks = Set(parts.map(\.rank)).sorted(by: >)
    self.init(fraction: fraction, text: text(upTo: ranks.first ?? 0))
    shorter = ranks.dropFirst().map(text)
  }
}

/// Waits until the next presentation of the progress.
package typealias Pause = @Sendable () async throws -> Void

package let tenthOfASecond: Pause = { try await Task.sleep(for: .milliseconds(100)) }

/// Returns the events of a stream with nil after each pause, so that one loop can present events and progress.
///
/// A loop over the result should end at the last event, because a nil may still follow.
func ticking<Event: Sendable>(
  _ events: AsyncStream<Event>,
  _ pause: @escaping Pause
) -> AsyncStream<Event?> {
  let (ticks, continuation) = AsyncStream.makeStream(of: Event?.self)
  let clock = Task { while (try? await pause()) != nil { continuation.yield(nil) } }
  Task {
    for await event in events { continuation.yield(event) }
    clock.cancel()
    continuation.finish()
  }
  return ticks
}

/// A fact of long work, as a response.
enum RunStep<Use: RunUseCase> {
  case note(Use.NoteResponse)
  case end(Use.EndResponse)
}

extension RunPresentationLogic {
  /// Presents the facts of long work until its end, and its progress after each pause.
  ///
  /// - Parameters:
  ///   - run: The work.
  ///   - stop: Stops the work.
  ///   - pause: Waits between two presentations of the progress.
  ///   - step: Makes the response of a fact, or throws when the work has failed.
  /// - Returns: The end; nil when the work ended without one.
  /// - Throws: what `step` throws.
  @discardableResult
  func follow<Fact>(
    _ run: FactRun<Fact, Locked<Use.Counts>>,
    stop: StopRequest,
    _ pause: @escaping Pause,
    step: (Fact) throws(RequestFailure) -> RunStep<Use>
  ) async throws(RequestFailure) -> Use.EndResponse? {
    stop.whenMade { run.stop() }
    for await fact in ticking(run.facts, pause) {
      switch try fact.map(step) {
      case nil: presentProgress(response: .init(counts: run.progress.snapshot))
      case .note(let response)?: presentNote(response: response)
      case .end(let response)?:
        presentEnd(response: response)
        return response
      }
    }
    return nil
  }
}

/// Measures the speed and the completed part of work, from snapshots of its progress.
///
/// The speed is an average of the last few seconds. An average of the whole run would show a standstill only as a slow
/// decline, and would be too optimistic after a fast start.
struct ProgressMeter {
  /// The speed at one moment.
  struct Pace: Equatable {
    var bytesPerSecond = 0.0
    var picturesPerSecond = 0.0
    var originalsPerSecond = 0.0
    /// The time since the last change of the progress.
    var idle = Duration.zero
    /// The completed part, which never shrinks; nil while the total is unknown.
    var fraction: Double?
  }

  private struct Mark {
    var elapsed = Duration.zero
    var bytes = 0
    var pictures = 0
    var originals = 0

    init(_ snapshot: SyncProgress.Snapshot) {
      elapsed = snapshot.elapsed
      bytes = snapshot.bytes
      pictures = snapshot.pictures.done
      originals = snapshot.originals.done
    }
  }

  /// The time over which the speed is measured, and the time between two marks.
  private static let window = Duration.seconds(5)
  private static let step = Duration.milliseconds(500)

  private var marks: [Mark]
  private var last: SyncProgress.Snapshot
  private var lastChange: Duration
  private var greatest = 0.0

  /// Starts from the progress so far.
  init(from start: SyncProgress.Snapshot = .init()) {
    marks = [Mark(start)]
    last = start
    lastChange = start.elapsed
  }

  /// Starts the measurement again from a snapshot; the completed part does not shrink.
  mutating func restart(from start: SyncProgress.Snapshot) {
    let kept = greatest
    self = ProgressMeter(from: start)
    greatest = kept
  }

  /// Takes a snapshot, and returns the pace up to it.
  mutating func pace(at snapshot: SyncProgress.Snapshot) -> Pace {
    noteChange(snapshot)
    let now = Mark(snapshot)
    while marks.count > 1, now.elapsed - marks[1].elapsed >= Self.window { marks.removeFirst() }
    defer { if now.elapsed - marks[marks.count - 1].elapsed >= Self.step { marks.append(now) } }
    let seconds = max((now.elapsed - marks[0].elapsed) / .seconds(1), 0.001)
    return Pace(
      bytesPerSecond: Double(now.bytes - marks[0].bytes) / seconds,
      picturesPerSecond: Double(now.pictures - marks[0].pictures) / seconds,
      originalsPerSecond: Double(now.originals - marks[0].originals) / seconds,
      idle: snapshot.elapsed - lastChange,
      fraction: snapshot.whole.flatMap { fraction(of: $0) }
    )
  }

  /// The completed part, which stays the same when the total grows; nil while the total is 0.
  mutating func fraction(of part: SyncProgress.Part) -> Double? {
    guard part.total > 0 else { return nil }
    greatest = max(greatest, min(1, Double(part.done) / Double(part.total)))
    return greatest
  }

  private mutating func noteChange(_ snapshot: SyncProgress.Snapshot) {
    var unchanged = snapshot
    (unchanged.elapsed, unchanged.waits) = (last.elapsed, last.waits)
    if unchanged != last { lastChange = snapshot.elapsed }
    last = snapshot
  }
}

/// Measures one transfer, and makes at most ten progress lines a second.
struct TransferMeter {
  private static let pause = Duration.milliseconds(100)

  private let start: ContinuousClock.Instant
  private var lastLine: ContinuousClock.Instant
  private var meter: ProgressMeter
  private var received: Int
  private var total: Int?

  /// Starts at the bytes received so far, which do not count towards the speed.
  init(received: Int, total: Int?, at now: ContinuousClock.Instant) {
    start = now
    lastLine = now
    meter = ProgressMeter(from: .received(received))
    self.received = received
    self.total = total
  }

  /// Takes the number of bytes received; it is lower than before when the transfer has started over.
  mutating func take(received: Int, total: Int?, at now: ContinuousClock.Instant) {
    if received < self.received { meter.restart(from: .received(received, now - start)) }
    self.received = received
    self.total = total
  }

  /// The line to draw; nil within 100 ms after the last one.
  mutating func line(
    at now: ContinuousClock.Instant,
    waiting wait: ShowImage.FetchOriginal.Progress.Wait? = nil
  ) -> ProgressLine? {
    guard now - lastLine >= Self.pause else { return nil }
    lastLine = now
    var pace = meter.pace(at: .received(received, now - start))
    pace.fraction = total.flatMap { meter.fraction(of: .init(done: received, total: $0)) }
    return Wording.progressLine(received: received, total: total, pace, waiting: wait)
  }
}

extension SyncProgress.Snapshot {
  /// Thumbnails and originals together.
  var pictures: SyncProgress.Part {
    SyncProgress.Part(
      done: thumbnails.done + originals.done,
      total: thumbnails.total + originals.total
    )
  }

  /// All pictures, once their number is known; before that an estimate, once enough feeds are counted.
  ///
  /// A sync reads only some of many new feeds at a time. So it has counted all feeds only after most pictures have
  /// arrived.
  var whole: SyncProgress.Part? {
    if isCounted { return pictures }
    guard feedsCounted >= Self.feedsToEstimateFrom, pictures.total > 0 else { return nil }
    let total = Double(pictures.total) * Double(feeds.total) / Double(feedsCounted)
    return SyncProgress.Part(done: pictures.done, total: Int(saturating: total))
  }

  private static let feedsToEstimateFrom = 8

  fileprivate static func received(_ bytes: Int, _ elapsed: Duration = .zero) -> Self {
    var snapshot = SyncProgress.Snapshot()
    snapshot.bytes = bytes
    snapshot.elapsed = elapsed
    return snapshot
  }
}
