import Models

/// AVIF and HEIC: boxes, of which `ftyp` tells the format and `meta` holds the properties of each
/// item (ISO/IEC 23008-12, sections 6.5.3 and 10.2; AVIF, section 6).
enum ISOMediaHeader: ImageHeaderParsing {
  private static let brands: [Int: ImageFormat] = [
    ISOBox.type("avif"): .avif, ISOBox.type("avis"): .avif,
    ISOBox.type("heic"): .heic, ISOBox.type("heix"): .heic, ISOBox.type("heim"): .heic,
    ISOBox.type("heis"): .heic, ISOBox.type("hevc"): .heic, ISOBox.type("hevx"): .heic,
    ISOBox.type("hevm"): .heic, ISOBox.type("hevs"): .heic,
  ]

  /// Told by the first brand that is a picture's: the major one, else a compatible one.
  static func format(of bytes: ByteReader) -> ImageFormat? {
    brands(of: bytes).lazy.compactMap { brands[$0] }.first
  }

  /// Whether it is a still picture, of whatever coding: uncompressed, JPEG, VVC (ISO/IEC 23008-12,
  /// section 10).
  static func isHEIF(_ bytes: ByteReader) -> Bool {
    let stills = [ISOBox.type("mif1"), ISOBox.type("mif2"), ISOBox.type("unif")]
    return brands(of: bytes).contains(where: stills.contains)
  }

  /// The major brand and the compatible ones.
  private static func brands(of bytes: ByteReader) -> [Int] {
    guard bytes.has("ftyp", at: 4), let end = ISOBox(at: 0, in: bytes)?.end else { return [] }
    // Behind the major brand comes its version, which is no brand.
    let places = [8] + Array(stride(from: 16, to: min(end, bytes.end), by: 4))
    return places.compactMap { bytes.big(at: $0, count: 4) }
  }

  static func size(in bytes: ByteReader) -> PixelSize? { items(in: bytes)?.primarySize }

  static func items(in bytes: ByteReader) -> ISOItemProperties? {
    ISOBox.boxes(from: 0, to: bytes.end, in: bytes)
      .first { $0.type == ISOBox.type("meta") }
      .flatMap { ISOItemProperties(meta: $0, in: bytes) }
  }

  /// Whole when the boxes end where the file ends and the one with the picture is among them.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    let walk = ISOBoxWalk(sample)
    if walk.completeness == .whole, !walk.types.contains(ISOBox.type("mdat")) {
      return holdsPictureInMeta(sample.head) ? .whole : .cut
    }
    return walk.completeness
  }

  /// Small pictures may lie within `meta` itself (ISO/IEC 14496-12, section 8.11.11).
  private static func holdsPictureInMeta(_ bytes: ByteReader) -> Bool {
    let boxes = ISOBox.boxes(from: 0, to: bytes.end, in: bytes)
    guard let meta = boxes.first(where: { $0.type == ISOBox.type("meta") }) else { return false }
    return ISOBox.boxes(from: meta.body + 4, to: meta.end ?? bytes.end, in: bytes)
      .contains { $0.type == ISOBox.type("idat") }
  }
}
