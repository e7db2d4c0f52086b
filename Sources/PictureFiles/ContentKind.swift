import Models

/// The kind of document that a file's first bytes suggest.
///
/// Messages name it when a server sent something other than a picture. No decision depends on it.
package struct ContentKind: Sendable {
  /// The kind as a noun with its article, such as "an HTML page".
  package let noun: String

  package init(_ bytes: ArraySlice<UInt8>) {
    let reader = ByteReader(bytes)
    noun =
      Self.bySignature(reader) ?? Self.byMarkup(reader) ?? Self.byText(reader) ?? "unknown data"
  }

  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// Takes the kind from the first bytes of a sample.
  package init(_ sample: PictureSample) { self.init(sample.head.bytes) }

  static func noun(for format: ImageFormat) -> String {
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

  private static func bySignature(_ bytes: ByteReader) -> String? {
    if bytes.bytes.isEmpty { return "an empty file" }
    if let found = ImageHeader.recognise(bytes) { return noun(for: found.format) }
    if bytes.has("%PDF-", at: 0) { return "a PDF document" }
    if bytes.has("PK\u{3}\u{4}", at: 0) || bytes.has([0x1F, 0x8B, 8], at: 0) {
      return "an archive"
    }
    if bytes.has("8BPS", at: 0) { return "a Photoshop document" }
    // Its codec is neither AV1 nor HEVC.
    if ISOMediaHeader.isHEIF(bytes) { return "a HEIF image of a coding that is not known" }
    let isMatroska = bytes.has([0x1A, 0x45, 0xDF, 0xA3], at: 0)
    return isMatroska || bytes.has("ftyp", at: 4) ? "a film" : nil
  }

  private static func byMarkup(_ bytes: ByteReader) -> String? {
    let pageElements: Set = [
      "html", "head", "body", "title", "meta", "script", "style", "div", "p", "h1", "table",
    ]
    guard let root = MarkupRoot(bytes) else { return nil }
    return pageElements.contains(root.name) ? "an HTML page" : "an XML document"
  }

  private static func byText(_ bytes: ByteReader) -> String? {
    guard bytes.bytes.prefix(textProbe).allSatisfy(isText) else { return nil }
    let start = MarkupRoot.textStart(in: bytes)
    let first = MarkupRoot.skipSpace(from: start, in: bytes).flatMap { bytes.byte(at: $0) }
    let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    return isJSON ? "a JSON document" : "text"
  }

  /// The number of first bytes that must be free of control characters in a text.
  private static let textProbe = 1_024

  private static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || (0x09...0x0D).contains(byte) || byte == 0x1B
  }
}
