import Workers

/// A fetch of one original that is under way, with pictures of its incomplete file.
struct SharpenedFetch {
  enum Step: Sendable {
    case event(OriginalEvent)
    /// A picture of the part that has come; nil when it could not be decoded.
    case partial(DecodedPixels?)
    /// Time to present the progress again.
    case tick
  }

  /// All steps in their order; read them to the end of the fetch.
  let steps: AsyncStream<Step>
  /// Nil when no pictures are wanted.
  let sharpening: Sharpening?
  private let run: OriginalRun

  /// Starts the fetch.
  ///
  /// - Parameters:
  ///   - request: The original.
  ///   - fetcher: The worker that fetches it.
  ///   - pause: The pause between two ticks.
  ///   - makeSharpening: Makes the decoder of parts, and takes the receiver of its pictures.
  init(
    _ request: OriginalRequest,
    with fetcher: any OriginalFetching,
    pause: @escaping Pause,
    _ makeSharpening: (@escaping @Sendable (DecodedPixels?) -> Void) -> Sharpening?
  ) {
    let (steps, continuation) = AsyncStream.makeStream(of: Step.self)
    self.steps = steps
    sharpening = makeSharpening { continuation.yield(.partial($0)) }
    let run = OriginalRun(request, with: fetcher)
    self.run = run
    let clock = Task { while (try? await pause()) != nil { continuation.yield(.tick) } }
    Task {
      for await event in run.facts { continuation.yield(.event(event)) }
      clock.cancel()
      continuation.finish()
    }
  }

  /// Asks the fetch to stop on request: the steps go on to its end.
  func stop(when request: StopRequest) { request.whenMade { [run] in run.stop() } }
}

/// Decodes the incomplete file of an original while the rest arrives.
///
/// It decodes one picture at a time, in a task of its own, so that the download never waits for it. It
/// keeps no data in the meantime, and looks into the file again when the next picture is due.
final class Sharpening {
  private let decoder: any ImageDecoding
  private let room: PixelSize
  private let thumbnail: DecodedPixels?
  private let now: () -> ContinuousClock.Instant
  private let receive: @Sendable (DecodedPixels?) -> Void
  private var pace = RedrawPace()
  private var began: ContinuousClock.Instant
  private var decoding: Task<Void, Never>?

  /// Begins with a pause: an original that arrives at once needs no picture before.
  ///
  /// - Parameters:
  ///   - decoder: The decoder.
  ///   - room: The box for the picture.
  ///   - thumbnail: The source of the missing part; nil if it is missing.
  ///   - now: The time.
  ///   - receive: Gets each picture, nil when decoding failed; `noteDrawn` is due then.
  init(
    decoder: any ImageDecoding,
    room: PixelSize,
    thumbnail: DecodedPixels?,
    now: @escaping () -> ContinuousClock.Instant,
    receive: @escaping @Sendable (DecodedPixels?) -> Void
  ) {
    self.decoder = decoder
    self.room = room
    self.thumbnail = thumbnail
    self.now = now
    self.receive = receive
    began = now()
    pace.note(began: began, ended: began)
  }

  /// Takes the file, of which more has come.
  func take(_ partial: PictureSource?) {
    guard decoding == nil, let partial, pace.admits(at: now()) else { return }
    began = now()
    decoding = Task { [decoder, room, thumbnail, receive] in
      // Half a header is no failure: the next part may be enough.
      let pixels = try? await decoder.pixels(of: partial, fitting: room, extent: .asFarAsItCame)
      receive(await pixels?.completed(with: thumbnail))
    }
  }

  /// Notes that a picture was drawn, so that the next one can follow in its time.
  func noteDrawn() {
    pace.note(began: began, ended: now())
    decoding = nil
  }

  /// Cancels the decoding that is under way.
  func stop() { decoding?.cancel() }
}

/// Limits how often an incomplete picture is decoded and drawn: at most twice a second, and at most a
/// tenth of the time.
package struct RedrawPace: Sendable {
  private static let leastPause = Duration.milliseconds(500)
  /// The pause after a drawing, for each unit of time that it took.
  private static let restPerWork = 9

  private var earliest: ContinuousClock.Instant?

  package init() {}

  /// Whether it is time to draw again.
  package func admits(at now: ContinuousClock.Instant) -> Bool {
    earliest.map { now >= $0 } ?? true
  }

  /// Takes the begin and the end of the work on a drawing, which includes its decoding.
  package mutating func note(
    began: ContinuousClock.Instant,
    ended: ContinuousClock.Instant
  ) {
    let rest = ended + (ended - began) * Self.restPerWork
    earliest = max(began + Self.leastPause, rest)
  }
}
