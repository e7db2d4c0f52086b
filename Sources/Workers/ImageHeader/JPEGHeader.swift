import Models

/// JPEG: marker segments, then scans, then an end marker (ITU-T T.81, annex B).
enum JPEGHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    bytes.has([0xFF, 0xD8, 0xFF], at: 0) ? .jpeg : nil
  }

  /// The first frame header (B.2.2); the small picture inside an EXIF segment is stepped over.
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

  /// Whole when an end marker stands behind the beginning of the first scan.
  ///
  /// What follows the marker is no part of the picture and does not matter: padding, a film, more
  /// pictures. Within a scan the two bytes of the marker cannot occur (B.1.1.5), but inside the
  /// metadata before it they often do.
  static func completeness(of sample: PictureSample) -> ImageCompleteness {
    guard let scan = scanStart(in: sample.head) else { return completenessWithoutScan(sample) }
    if hasEnd(sample.tail, behind: scan) || hasEnd(sample.head, behind: scan) { return .whole }
    // With the end marker in the part that was not seen, something other than a scan is seen last.
    return sample.hasNoGap || isScan(sample.tail) ? .cut : .unknown
  }

  /// The metadata reaches beyond the first bytes, so that only the very last ones can tell.
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

  /// Whether every marker in the bytes is one that stands in or between scans (B.1.1.5, B.2.4).
  private static func isScan(_ bytes: ByteReader) -> Bool {
    let markers: Set<UInt8> = [0x00, 0xC4, 0xDA, 0xDB, 0xDC, 0xDD, 0xFF]
    var offset = bytes.start
    while let place = bytes.firstOffset(of: 0xFF, from: offset) {
      guard let marker = bytes.byte(at: place + 1) else { return true }
      guard markers.contains(marker) || (0xD0...0xD7).contains(marker) else { return false }
      offset = place + 1
    }
    return true
  }
}
