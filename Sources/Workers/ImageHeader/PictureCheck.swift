package import Models

/// Whether a file is a picture, which one, and whether it is all there: asked of everything that
/// arrives, before it is stored.
package struct PictureCheck: Sendable, Equatable {
  package let info: PictureInfo
  package let completeness: ImageCompleteness

  /// Looks at a file; nil when it is no picture.
  package init?(_ sample: PictureSample) {
    guard let (format, parser) = ImageHeader.recognise(sample.head) else { return nil }
    let size = parser.size(in: sample.head)
    info = PictureInfo(
      format: format,
      bytes: sample.length,
      width: size?.width,
      height: size?.height
    )
    completeness = parser.completeness(of: sample)
  }

  /// Looks at a file that is in memory; nil when it is no picture.
  package init?(_ whole: [UInt8]) { self.init(PictureSample(whole)) }
}
