internal import CVips
import DecoderFrames
import Models
import PictureFiles

/// How a picture is loaded.
struct LoadPlan {
  var format: ImageFormat
  /// 1, 2, 4 or 8: the decoder of JPEG leaves out that much of each side on its own.
  var shrink = 1
  /// 1 or less: the decoder of WebP makes each side that much smaller on its own.
  var scale = 1.0
  /// What ends the decoding.
  var failOn = VIPS_FAIL_ON_TRUNCATED

  init(format: ImageFormat) { self.format = format }

  /// A plan for the header alone, of whatever there is of the file.
  ///
  /// The loader of WebP makes room for the picture at once, so it is asked for a small one.
  init(_ claim: ImageHeader) {
    self.init(format: claim.format)
    failOn = VIPS_FAIL_ON_NONE
    guard format == .webP, let width = claim.width, let height = claim.height else { return }
    scale = min(1, 1_024 / Double(max(width, height, 1)))
  }

  /// How much larger than wanted a picture comes out of its decoder at least: making it smaller in
  /// two steps shows no difference from there on.
  private static let reserve = 1.5

  /// A plan that leaves as much as possible to the format's own decoder.
  ///
  /// - Parameters:
  ///   - header: What the picture is.
  ///   - shrink: How many times larger than wanted the picture is.
  ///   - failOn: What ends the decoding.
  init(_ header: PictureHeader, shrink: Double, failOn: VipsFailOn) {
    format = header.loader
    self.failOn = failOn
    switch format {
    case .jpeg: self.shrink = [8, 4, 2].first { Double($0) * Self.reserve <= shrink } ?? 1
    case .webP where !header.facts.isAnimated: scale = min(1, Self.reserve / shrink)
    default: break
    }
  }
}
