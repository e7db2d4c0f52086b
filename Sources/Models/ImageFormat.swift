/// A picture format, told from a file's first bytes and never from its name.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg
  case png
  case gif
  case webP = "webp"
  case avif
  case heic
  case tiff
  case bmp
  case ico
  /// PBM, PGM and PPM.
  case pnm
  case jpeg2000 = "jp2"
  case jpegXL = "jxl"
  case svg

  /// The media type, as registered with IANA.
  package var mediaType: String {
    switch self {
    case .svg: "image/svg+xml"
    case .ico: "image/vnd.microsoft.icon"
    case .pnm: "image/x-portable-anymap"
    default: "image/\(rawValue)"
    }
  }

  /// The usual file name extension, without its dot.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .tiff: "tif"
    default: rawValue
    }
  }

  /// The format with the given media type.
  package init?(mediaType: String) {
    let match = Self.allCases.first { $0.mediaType == mediaType }
    guard let match else { return nil }
    self = match
  }
}

/// Why a picture of a format that is drawn is not.
///
/// Its colours would come out wrong, or no decoder here knows its kind. The raw value stands in the
/// decoder's answers.
package enum UndrawnKind: UInt8, Sendable, CaseIterable {
  /// Samples that are floating-point numbers: nothing says which of them are black and white.
  case floatSamples = 1
  /// Samples of a length or type that is not drawn.
  case oddSamples = 2
  /// Colours coded in a way that is not drawn outside JPEG.
  case colourModel = 3
  /// JPEG in TIFF as it was before 1995.
  case oldJPEG = 4
  /// Tiles that hold one colour each.
  case planarTiles = 5
  /// Transparency that is turned, mirrored or cropped otherwise than the colours.
  case differingAlpha = 6
  /// Pixels that are packed in a way that is not drawn.
  case packing = 7
}
