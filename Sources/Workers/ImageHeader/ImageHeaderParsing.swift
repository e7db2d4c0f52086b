import Models

/// Knows the files of one family of picture formats.
protocol ImageHeaderParsing: SendableMetatype {
  /// The format that the first bytes of a file begin; nil when it is none of the family.
  static func format(of bytes: ByteReader) -> ImageFormat?

  /// The size in the first bytes of a file of the family; nil when they do not reach to it.
  static func size(in bytes: ByteReader) -> PixelSize?

  /// Whether a file of the family is all there.
  static func completeness(of sample: PictureSample) -> ImageCompleteness
}
