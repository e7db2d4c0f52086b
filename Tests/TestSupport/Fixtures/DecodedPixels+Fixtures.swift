package import Models
package import Workers

extension DecodedPixels {
  /// A picture of one colour, made from one of a size.
  package static func plain(
    width: Int = 3,
    height: Int = 2,
    _ colour: [UInt8] = [200, 100, 50, 255],
    of source: (width: Int, height: Int) = (6_000, 4_000),
    format: ImageFormat = .jpeg,
    orientation: Int = 1
  ) -> DecodedPixels {
    DecodedPixels(
      width: width,
      height: height,
      rgba: (0..<(width * height)).flatMap { _ in colour },
      source: PictureFacts(
        format: format,
        width: source.width,
        height: source.height,
        orientation: orientation,
        isAnimated: false,
        hasAlpha: false
      )
    )
  }
}
