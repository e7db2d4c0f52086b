package import Models

/// What the first bytes of a picture's file say of it.
///
/// The format is told by content alone. Nothing is decoded, and no bytes can make it trap: that a
/// file has a header says only what it claims to be.
package struct ImageHeader: Sendable, Equatable {
  package let format: ImageFormat
  /// Width in pixels as stored, before turning and cropping; nil where the bytes do not say.
  package let width: Int?
  /// Height in pixels as stored, before turning and cropping; nil where the bytes do not say.
  package let height: Int?

  /// Reads the beginning of a file; nil when it is not one of a picture.
  package init?(_ bytes: ArraySlice<UInt8>) {
    let reader = ByteReader(bytes)
    guard let (format, parser) = Self.recognise(reader) else { return nil }
    let size = parser.size(in: reader)
    self.format = format
    width = size?.width
    height = size?.height
  }

  /// Reads the beginning of a file; nil when it is not one of a picture.
  package init?(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// The formats, those with a signature before those that are recognised by looking around.
  private static let parsers: [any ImageHeaderParsing.Type] = [
    JPEGHeader.self, PNGHeader.self, GIFHeader.self, WebPHeader.self, ISOMediaHeader.self,
    TIFFHeader.self, BMPHeader.self, JPEGXLHeader.self, JPEG2000Header.self, ICOHeader.self,
    PNMHeader.self, SVGHeader.self,
  ]

  /// Whether the beginning of an AVIF or HEIC file says that its transparency is turned otherwise than
  /// its colours.
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
