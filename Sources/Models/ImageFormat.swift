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
  case jpegXL = "jxl"
  case svg

  /// The media type, as registered with IANA.
  package var mediaType: String {
    switch self {
    case .svg: "image/svg+xml"
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
