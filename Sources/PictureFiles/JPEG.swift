import Models

/// JPEG: marker segments, scans and an end marker (ITU-T T.81, annex B).
enum JPEGHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    bytes.has([0xFF, 0xD8, 0xFF], at: 0) ? .jpeg : nil
  }

  /// The size in the first frame header (B.2.2), not the size of a preview in an EXIF segment.
  static func size(in bytes: ByteReader) -> PixelSize? {
    var segment = JPEGSegment(after: 0, in: bytes)
    while let current = segment, !current.endsHeader {
      if current.isFrameHeader {
        return PixelSize(
          width: bytes.big(at: current.body + 3, count: 2),
          height: bytes.big(at: current.body + 1, count: 2)
        )
      }
      segment = JPEGSegment(after: current.end, in: bytes)
    }
    return nil
  }

  /// Whole when there is an end marker after the beginning of the first scan.
  ///
  /// Bytes after the marker do not matter: they are padding, a video or more pictures. The two
  /// bytes of the marker cannot occur in a scan (B.1.1.5), but often occur in the metadata before
  /// it.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let scan = scanStart(in: sample.head) else { return completenessWithoutScan(sample) }
    if hasEnd(sample.tail, behind: scan) || hasEnd(sample.head, behind: scan) { return .whole }
    // If the end marker were in the unseen part, the tail would hold data that is not a scan.
    return sample.hasNoGap || isScan(sample.tail) ? .cut : .unknown
  }

  /// Decides by the last bytes alone, because the metadata is longer than the sample's first bytes.
  private static func completenessWithoutScan(_ sample: PictureSample) -> ImageCompleteness {
    if sample.hasNoGap { return .cut }
    let tail = sample.tail.withoutPadding
    return tail.has(endMarker, at: tail.end - endMarker.count) ? .whole : .unknown
  }

  private static let endMarker: [UInt8] = [0xFF, 0xD9]

  private static func hasEnd(_ bytes: ByteReader, behind scan: Int) -> Bool {
    bytes.lastOffset(of: endMarker, notBefore: scan) != nil
  }

  private static func scanStart(in bytes: ByteReader) -> Int? {
    var segment = JPEGSegment(after: 0, in: bytes)
    while let current = segment {
      if current.endsHeader { return current.isScanHeader ? current.end : nil }
      segment = JPEGSegment(after: current.end, in: bytes)
    }
    return nil
  }

  /// Whether every marker in the bytes may occur in or between scans (B.1.1.5, B.2.4).
  private static func isScan(_ bytes: ByteReader) -> Bool {
    let markers: Set<UInt8> = [0x00, 0xC4, 0xDA, 0xDB, 0xDC, 0xDD, 0xFF]
    var offset = bytes.start
    while let prefix = bytes.firstOffset(of: 0xFF, from: offset) {
      guard let marker = bytes.byte(at: prefix + 1) else { return true }
      guard markers.contains(marker) || (0xD0...0xD7).contains(marker) else { return false }
      offset = prefix + 1
    }
    return true
  }
}

/// A marker of a JPEG file with its parameters (ITU-T T.81, B.1.1.4).
private struct JPEGSegment {
  let marker: UInt8
  /// The offset of the parameters, after their length.
  let body: Int
  let end: Int

  /// Finds the next segment at or after an offset.
  ///
  /// Fill bytes are allowed (B.1.1.2). Other stray bytes are not, but every decoder skips them.
  init?(after offset: Int, in bytes: ByteReader) {
    guard var position = bytes.firstOffset(of: 0xFF, from: offset) else { return nil }
    while bytes.byte(at: position) == 0xFF { position += 1 }
    guard let marker = bytes.byte(at: position) else { return nil }
    self.marker = marker
    if Self.standsAlone(marker) {
      (body, end) = (position + 1, position + 1)
      return
    }
    guard let length = bytes.big(at: position + 1, count: 2), length >= 2 else { return nil }
    (body, end) = (position + 3, position + 1 + length)
  }

  /// Whether it is a start of frame, the segment with the size (table B.1).
  var isFrameHeader: Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  var isScanHeader: Bool { marker == 0xDA }

  /// Whether it is a start of scan or an end of image, the two markers that end the header.
  var endsHeader: Bool { isScanHeader || marker == 0xD9 }

  /// Whether a marker has no parameters (table B.1).
  private static func standsAlone(_ marker: UInt8) -> Bool {
    marker <= 0x01 || (0xD0...0xD9).contains(marker)
  }
}
