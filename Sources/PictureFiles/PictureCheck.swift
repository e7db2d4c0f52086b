package import Models

/// Tells whether a file is a picture, of which format and size, and whether it is complete.
///
/// Every picture that arrives passes this check before it is stored.
package struct PictureCheck: Sendable, Equatable {
  package let info: PictureInfo
  package let completeness: ImageCompleteness

  /// Checks a file; nil when it is not a picture.
  package init?(_ sample: PictureSample) {
    guard let (format, parser) = ImageHeader.recognise(sample.head) else { return nil }
    let size = parser.size(of: sample)
    info = PictureInfo(
      format: format,
      bytes: sample.length,
      width: size?.width,
      height: size?.height
    )
    completeness = parser.completeness(of: sample)
  }

  /// Checks a file that is in memory; nil when it is not a picture.
  package init?(_ whole: [UInt8]) { self.init(PictureSample(whole)) }
}

/// Whether a picture's file is complete, by the end marker or the lengths that its format defines.
package enum ImageCompleteness: Sendable {
  /// The end of the file is present.
  case whole
  /// The end of the file is missing.
  case cut
  /// The format has no end marker, or the sample does not include the bytes where it would be.
  case unknown
}

/// The format and size that the first bytes of a picture's file claim.
///
/// Only the content decides the format, not a name or media type. The parser decodes nothing, so a
/// header does not prove that the picture can be decoded. No input makes the parser trap.
package struct ImageHeader: Sendable, Equatable {
  package let format: ImageFormat
  /// Width in pixels as stored, before rotation and cropping; nil when the bytes do not state it.
  package let width: Int?
  /// Height in pixels as stored, before rotation and cropping; nil when the bytes do not state it.
  package let height: Int?

  /// Reads the beginning of a file; nil when the file is not a picture.
  package init?(_ bytes: ArraySlice<UInt8>) {
    let reader = ByteReader(bytes)
    guard let (format, parser) = Self.recognise(reader) else { return nil }
    let size = parser.size(in: reader)
    self.format = format
    width = size?.width
    height = size?.height
  }

  /// Reads the beginning of a file; nil when the file is not a picture.
  package init?(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// The formats, in the order of the checks: formats with a signature, then icons, PNM and SVG,
  /// which need several comparisons.
  private static let parsers: [any ImageHeaderParsing.Type] = [
    JPEGHeader.self, PNGHeader.self, GIFHeader.self, WebPHeader.self, ISOMediaHeader.self,
    TIFFHeader.self, BMPHeader.self, JPEGXLHeader.self, JPEG2000Header.self, ICOHeader.self,
    PNMHeader.self, SVGHeader.self,
  ]

  /// The kind of a valid JPEG file that common libraries do not decode; nil for other files.
  package static func undrawn(ofJPEG bytes: [UInt8]) -> UndrawnKind? {
    JPEGHeader.undrawn(in: ByteReader(bytes[...]))
  }

  /// The kind of a valid JPEG 2000 file that ends the process of libvips; nil for other files.
  ///
  /// `reading` returns the bytes of a range of the file; nil when some are missing.
  package static func undrawn(
    ofJPEG2000 reading: (_ offset: Int, _ count: Int) -> [UInt8]?
  ) -> UndrawnKind? {
    JPEG2000Header.undrawn(reading: reading)
  }

  /// A WebP file without EXIF, XMP and profile (RFC 9649, section 2.7), with the same pixels.
  ///
  /// Nil for a file that has none of them, is not well formed, or has another format.
  package static func withoutMetadata(ofWebP bytes: [UInt8]) -> [UInt8]? {
    WebPHeader.withoutMetadata(bytes)
  }

  /// Whether an AVIF or HEIC file has its items in the short form, which few libraries read.
  package static func isShortISOMedia(_ bytes: [UInt8]) -> Bool {
    ISOMediaHeader.isShort(ByteReader(bytes[...]))
  }

  /// Whether an AVIF or HEIC file rotates, mirrors or crops its alpha plane differently from its colours.
  package static func hasDifferingAlpha(_ bytes: [UInt8]) -> Bool {
    ISOMediaHeader.items(in: ByteReader(bytes[...]))?.hasDifferingAlpha ?? false
  }

  static func recognise(
    _ bytes: ByteReader
  ) -> (format: ImageFormat, parser: any ImageHeaderParsing.Type)? {
    for parser in parsers {
      if let format = parser.format(of: bytes) { return (format, parser) }
    }
    return nil
  }
}

/// Recognises the files of one family of picture formats.
protocol ImageHeaderParsing: SendableMetatype {
  /// The format of a file, by its first bytes; nil when the family does not include it.
  static func format(of bytes: ByteReader) -> ImageFormat?

  /// The size in pixels, from the first bytes of a file of the family; nil when they lack it.
  static func size(in bytes: ByteReader) -> PixelSize?

  /// The size in pixels, from the first and the last bytes of a file of the family; nil when they lack it.
  static func size(of sample: PictureSample) -> PixelSize?

  /// Whether a file of the family is complete.
  static func completeness(of sample: PictureSample) -> ImageCompleteness
}

extension ImageHeaderParsing {
  /// In most families, the first bytes have the size.
  static func size(of sample: PictureSample) -> PixelSize? { size(in: sample.head) }
}

/// A picture's width and height in pixels.
struct PixelSize: Equatable {
  let width: Int
  let height: Int

  /// Takes the sides from a header; nil when one of them is missing or not positive.
  init?(width: Int?, height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return nil }
    self.width = width
    self.height = height
  }
}

/// The part of a file that a check reads: its first bytes, its last bytes and its length.
///
/// `append` adds a picture that arrives in pieces. The sample then needs memory for the two limits
/// and for the latest piece, however long the file is.
package struct PictureSample: Sendable, Equatable {
  /// The most first bytes to keep: in a JPEG, long metadata may precede the size.
  package static let headLimit = 256 * 1024
  /// The most last bytes to use.
  package static let tailLimit = 64 * 1024

  /// Length of the file in bytes.
  package private(set) var length: Int
  private var first: [UInt8]
  /// The last bytes, as they arrived: usually more than `tailLimit`.
  private var last: [UInt8]

  /// Begins the sample of a file that arrives in pieces.
  package init() { self.init([]) }

  /// Makes the sample of a file that is in memory.
  package init(_ whole: [UInt8]) {
    first = whole
    last = []
    length = whole.count
  }

  /// Makes the sample of a file on disk.
  ///
  /// - Parameters:
  ///   - head: Its first bytes.
  ///   - tail: Its last bytes; they may overlap the first ones.
  ///   - length: The length of the file in bytes.
  package init(head: [UInt8], tail: [UInt8], length: Int) {
    first = head
    last = tail
    self.length = max(length, head.count, tail.count)
  }

  /// Adds the next piece of a file that arrives.
  package mutating func append(_ bytes: [UInt8]) {
    length += bytes.count
    let missing = Self.headLimit - first.count
    if missing > 0 { first += bytes[..<min(missing, bytes.count)] }
    if bytes.count >= Self.tailLimit {
      // This shares the caller's storage and copies nothing.
      last = bytes
    } else {
      last += bytes
      // Trim rarely, because each time moves the bytes that are kept.
      if last.count > 2 * Self.tailLimit { last.removeFirst(last.count - Self.tailLimit) }
    }
  }

  var head: ByteReader { ByteReader(first[...]) }

  var tail: ByteReader {
    if length <= first.count { return head }
    let tail = last.suffix(Self.tailLimit)
    return ByteReader(tail, start: length - tail.count)
  }

  /// Whether the first and last bytes together cover the whole file.
  var hasNoGap: Bool { length <= first.count || tail.start < head.end }
}
