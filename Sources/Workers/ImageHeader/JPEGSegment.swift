/// A marker of a JPEG file and the parameters behind it (ITU-T T.81, B.1.1.4).
struct JPEGSegment {
  let marker: UInt8
  /// Where the parameters begin, behind their length.
  let body: Int
  let end: Int

  /// Finds the next segment from an offset on.
  ///
  /// Fill bytes are allowed (B.1.1.2); stray bytes are not, but every decoder steps over them.
  init?(after offset: Int, in bytes: ByteReader) {
    guard var place = bytes.firstOffset(of: 0xFF, from: offset) else { return nil }
    while bytes.byte(at: place) == 0xFF { place += 1 }
    guard let marker = bytes.byte(at: place) else { return nil }
    self.marker = marker
    if Self.standsAlone(marker) {
      (body, end) = (place + 1, place + 1)
      return
    }
    guard let length = bytes.big(at: place + 1, count: 2), length >= 2 else { return nil }
    (body, end) = (place + 3, place + 1 + length)
  }

  /// Start of frame: the size is here (table B.1).
  var isFrameHeader: Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  var isScanHeader: Bool { marker == 0xDA }

  /// Start of scan or end of image.
  var endsHeader: Bool { isScanHeader || marker == 0xD9 }

  private static func standsAlone(_ marker: UInt8) -> Bool {
    marker <= 0x01 || (0xD0...0xD9).contains(marker)
  }
}
