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
    guard bytes.has("ftyp", at: 4), let end = ISOBox(at: 0, in: bytes)?.end else { return nil }
    // Behind the major brand comes its version, which is no brand.
    let places = [8] + Array(stride(from: 16, to: min(end, bytes.end), by: 4))
    for place in places {
      if let format = bytes.big(at: place, count: 4).flatMap({ brands[$0] }) { return format }
    }
    return nil
  }

  static func size(in bytes: ByteReader) -> PixelSize? {
    ISOBox.boxes(from: 0, to: bytes.end, in: bytes)
      .first { $0.type == ISOBox.type("meta") }
      .flatMap { ISOItemProperties(meta: $0, in: bytes)?.primarySize }
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
