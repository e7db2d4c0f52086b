import Workers

/// A running fetch of one original, with pictures of its incomplete file.
struct SharpenedFetch {
  enum Step: Sendable {
    case event(OriginalEvent)
    /// A picture of the part that has arrived; nil when it could not be decoded.
    case partial(DecodedPixels?)
    /// The server is asked again after a pause; nil when that ends.
    case wait(NetworkWaits.Wait?)
    /// Time to present the progress again.
    case tick
  }

  /// All steps in order; the caller must read them until the fetch ends.
  let steps: AsyncStream<Step>
  /// Nil when no pictures of the incomplete file are wanted.
  let sharpening: Sharpening?
  private let run: OriginalRun

  /// Starts the fetch.
  ///
  /// - Parameters:
  ///   - request: The original.
  ///   - fetcher: The worker that fetches it.
  ///   - pause: The pause between two ticks.
  ///   - makeSharpening: Makes the decoder of the incomplete file, which passes its pictures to the given closure.
  init(
    _ request: OriginalRequest,
    with fetcher: any OriginalFetching,
    pause: @escaping Pause,
    _ makeSharpening: (@escaping @Sendable (DecodedPixels?) -> Void) -> Sharpening?
  ) {
    let (steps, continuation) = AsyncStream.makeStream(of: Step.self)
    self.steps = steps
    sharpening = makeSharpening { continuation.yield(.partial($0)) }
    var request = request
    request.waits = NetworkWaits { continuation.yield(.wait($0)) }
    let run = OriginalRun(request, with: fetcher)
    self.run = run
    let clock = Task { while (try? await pause()) != nil { continuation.yield(.tick) } }
    Task {
      for await event in run.facts { continuation.yield(.event(event)) }
      clock.cancel()
      continuation.finish()
    }
  }

  /// Stops the fetch on request; the steps still continue to its end.
  func stop(when request: StopRequest) { request.whenMade { [run] in run.stop() } }
}

/// Decodes the incomplete file of an original while the rest arrives.
///
/// It decodes one picture at a time in a separate task, so that the download never waits for it. Between two pictures
/// it keeps no data: each decoding reads the file again.
final class Sharpening {
  private let decoder: any ImageDecoding
  private let room: PixelSize
  private let thumbnail: DecodedPixels?
  private let now: () -> ContinuousClock.Instant
  private let receive: @Sendable (DecodedPixels?) -> Void
  private var pace = RedrawPace()
  private var began: ContinuousClock.Instant
  private var decoding: Task<Void, Never>?

  /// Begins with a pause, because an original that arrives quickly needs no earlier picture.
  ///
  /// - Parameters:
  ///   - decoder: The decoder.
  ///   - room: The box for the picture.
  ///   - thumbnail: The picture that fills in the missing part; nil if there is no thumbnail.
  ///   - now: The time.
  ///   - receive: Receives each picture, or nil when decoding failed; call `noteDrawn` after both.
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

  /// Takes the file after more of it has arrived, and decodes it if a picture is due.
  func take(_ partial: PictureSource?) {
    guard decoding == nil, let partial, pace.admits(at: now()) else { return }
    began = now()
    decoding = Task { [decoder, room, thumbnail, receive] in
      // An incomplete header is not a failure, because the next part may complete it.
      let pixels = try? await decoder.pixels(of: partial, fitting: room, extent: .asFarAsItCame)
      receive(await pixels?.completed(with: thumbnail))
    }
  }

  /// Notes that a picture was drawn, so that the next one can follow after a pause.
  func noteDrawn() {
    pace.note(began: began, ended: now())
    decoding = nil
  }

  /// Cancels the current decoding.
  func stop() { decoding?.cancel() }
}

/// Limits how often an incomplete picture is decoded and drawn: at most twice a second, and for at most a tenth of
/// the time.
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

  /// Takes the start and the end of the work on a drawing, which includes its decoding.
  package mutating func note(
    began: ContinuousClock.Instant,
    ended: ContinuousClock.Instant
  ) {
    let rest = ended + (ended - began) * Self.restPerWork
    earliest = max(began + Self.leastPause, rest)
  }
}
