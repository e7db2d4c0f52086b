import Workers

/// Decodes what has come of an original while the rest arrives.
///
/// One picture at a time, in a task of its own, so that the download never waits for it. What comes
/// meanwhile is looked into when the next picture is due; none of it is kept.
final class Sharpening {
  private let decoder: any ImageDecoding
  private let room: PixelBox
  private let thumbnail: DecodedPixels?
  private let now: () -> ContinuousClock.Instant
  private let tell: @Sendable (DecodedPixels?) -> Void
  private var pace = RedrawPace()
  private var began: ContinuousClock.Instant
  private var decoding: Task<Void, Never>?

  /// Begins with a pause: what arrives at once needs no picture before.
  ///
  /// - Parameters:
  ///   - decoder: What decodes.
  ///   - room: What the picture has to fit into.
  ///   - thumbnail: What the missing part is taken from; nil when there is none.
  ///   - now: The time.
  ///   - tell: Hears of each picture, nil when none could be made; `noteDrawn` is due then.
  init(
    decoder: any ImageDecoding,
    room: PixelBox,
    thumbnail: DecodedPixels?,
    now: @escaping () -> ContinuousClock.Instant,
    tell: @escaping @Sendable (DecodedPixels?) -> Void
  ) {
    self.decoder = decoder
    self.room = room
    self.thumbnail = thumbnail
    self.now = now
    self.tell = tell
    began = now()
    pace.note(began: began, ended: began)
  }

  /// Takes that more has come.
  func take(_ partial: PictureSource?) {
    guard decoding == nil, let partial, pace.admits(at: now()) else { return }
    began = now()
    decoding = Task { [decoder, room, thumbnail, tell] in
      // Half a header is no failure of anything: the next part may do.
      let pixels = try? await decoder.pixels(of: partial, fitting: room, extent: .asFarAsItCame)
      tell(await pixels?.completed(with: thumbnail))
    }
  }

  /// Takes that a picture was drawn, so that the next one may be made in its time.
  func noteDrawn() {
    pace.note(began: began, ended: now())
    decoding = nil
  }

  /// Gives up what is being decoded.
  func stop() { decoding?.cancel() }
}
