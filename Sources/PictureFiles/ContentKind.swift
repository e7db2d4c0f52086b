package import Models

/// The kind of document that a file's first bytes suggest.
///
/// Messages name it when a server sent something other than a picture. No decision depends on it.
package enum ContentKind: Sendable, Equatable {
  case empty
  case image(ImageFormat)
  case html
  case xml
  case json
  case pdf
  case archive
  case film
  /// HEIF with a codec other than AV1 and HEVC.
  case heif
  case photoshop
  case text
  case unknown

  package init(_ bytes: ArraySlice<UInt8>) {
    let reader = ByteReader(bytes)
    self =
      Self.bySignature(reader) ?? Self.byMarkup(reader) ?? Self.byText(reader) ?? .unknown
  }

  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// Takes the kind from the first bytes of a sample.
  package init(_ sample: PictureSample) { self.init(sample.head.bytes) }

  /// The kind as a noun with its article, such as "an HTML page".
  package var noun: String {
    switch self {
    case .empty: "an empty file"
    case .image(let format): Self.noun(for: format)
    case .html: "an HTML page"
    case .xml: "an XML document"
    case .json: "a JSON document"
    case .pdf: "a PDF document"
    case .archive: "an archive"
    case .film: "a film"
    case .heif: "a HEIF image of a coding that is not known"
    case .photoshop: "a Photoshop document"
    case .text: "text"
    case .unknown: "unknown data"
    }
  }

  private static func noun(for format: ImageFormat) -> String {
    switch format {
    case .jpeg: "a JPEG image"
    case .png: "a PNG image"
    case .gif: "a GIF image"
    case .webP: "a WebP image"
    case .avif: "an AVIF image"
    case .heic: "a HEIC image"
    case .tiff: "a TIFF image"
    case .bmp: "a BMP image"
    case .ico: "an icon (ICO)"
    case .pnm: "a PNM image"
    case .jpeg2000: "a JPEG 2000 image"
    case .jpegXL: "a JPEG XL image"
    case .svg: "an SVG image"
    }
  }

  private static func bySignature(_ bytes: ByteReader) -> ContentKind? {
    if bytes.bytes.isEmpty { return .empty }
    if let found = ImageHeader.recognise(bytes) { return .image(found.format) }
    if bytes.has("%PDF-", at: 0) { return .pdf }
    if bytes.has("PK\u{3}\u{4}", at: 0) || bytes.has([0x1F, 0x8B, 8], at: 0) { return .archive }
    if bytes.has("8BPS", at: 0) { return .photoshop }
    if ISOMediaHeader.isHEIF(bytes) { return .heif }
    let isMatroska = bytes.has([0x1A, 0x45, 0xDF, 0xA3], at: 0)
    return isMatroska || bytes.has("ftyp", at: 4) ? .film : nil
  }

  private static func byMarkup(_ bytes: ByteReader) -> ContentKind? {
    let pageElements: Set = [
      "html", "head", "body", "title", "meta", "script", "style", "div", "p", "h1", "table",
    ]
    guard let root = MarkupRoot(bytes) else { return nil }
    return pageElements.contains(root.name) ? .html : .xml
  }

  private static func byText(_ bytes: ByteReader) -> ContentKind? {
    guard bytes.bytes.prefix(textProbe).allSatisfy(isText) else { return nil }
    let start = MarkupRoot.textStart(in: bytes)
    let first = MarkupRoot.skipSpace(from: start, in: bytes).flatMap { bytes.byte(at: $0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .text
  }

  /// How many of the first bytes must be free of control characters for a text.
  private static let textProbe = 1_024

  private static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || (0x09...0x0D).contains(byte) || byte == 0x1B
  }
}
