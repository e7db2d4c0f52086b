import DecoderFrames
import Workers

/// What is asked of a decoder, and what counts as an answer to it.
enum DecoderOrder: Sendable {
  case inspect
  case thumbnail(longestSide: Int)
  case pixels(PixelBox, PictureExtent)

  /// The order in the bounds of what a request can say.
  var task: DecoderTask {
    switch self {
    case .inspect: .inspect
    case .thumbnail(let side):
      .thumbnail(longestSide: min(max(1, side), FrameLimits.thumbnailSide))
    case .pixels(let box, let extent):
      .pixels(
        width: Self.bounded(box.width),
        height: Self.bounded(box.height),
        isPartial: extent == .asFarAsItCame
      )
    }
  }

  private static func bounded(_ side: Int) -> Int { min(max(1, side), FrameLimits.boxSide) }
}
