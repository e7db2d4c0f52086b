import Models

/// JPEG: marker segments, scans and an end marker (ITU-T T.81, annex B).
enum JPEGHeader: ImageHeaderParsing {
  static func format(of bytes: ByteReader) -> ImageFormat? {
    bytes.has([0xFF, 0xD8, 0xFF], at: 0) ? .jpeg : nil
  }

  /// The size in the first frame header (B.2.2), not the size of a preview in an EXIF segment.
  static func size(in bytes: ByteReader) -> PixelSize? {
    headerSegment(in: bytes, where: \.isFrameHeader).flatMap { frame in
      PixelSize(
        width: bytes.big(at: frame.body + 3, count: 2),
        height: bytes.big(at: frame.body + 1, count: 2)
      )
    }
  }

  /// The kind of a valid file that common libraries do not decode, by its frame header (table B.1).
  static func undrawn(in bytes: ByteReader) -> UndrawnKind? {
    guard let frame = headerSegment(in: bytes, where: \.isFrameHeader) else { return nil }
    if ![0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(frame.marker) { return .losslessJPEG }
    return bytes.byte(at: frame.body) == 12 ? .twelveBits : nil
  }

  /// Whether the frame is coded arithmetically (table B.1), which browsers do not draw.
  static func isArithmetic(_ bytes: ByteReader) -> Bool {
    let frame = headerSegment(in: bytes, where: \.isFrameHeader)
    return frame.map { 0xC9...0xCF ~= $0.marker } ?? false
  }

  /// Whether the header has tables for quantization; in TIFF, they may be elsewhere.
  static func hasTables(in bytes: ByteReader) -> Bool {
    headerSegment(in: bytes) { $0.marker == 0xDB } != nil
  }

  /// The first segment before the first scan that meets a condition.
  private static func headerSegment(
    in bytes: ByteReader,
    where isWanted: (JPEGSegment) -> Bool
  ) -> JPEGSegment? {
    var segment = JPEGSegment(after: 0, in: bytes)
    while let current = segment, !current.endsHeader {
      if isWanted(current) { return current }
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

  /// Whether every component has had its scans, in full precision (B.2.3, G.1.1.1).
  static func hasAllScans(in bytes: ByteReader) -> Bool {
    var progress: JPEGScanProgress?
    var segment = JPEGSegment(after: 0, in: bytes)
    while let current = segment {
      if current.isFrameHeader, progress == nil { progress = JPEGScanProgress(current, in: bytes) }
      if current.isScanHeader { progress?.note(current, in: bytes) }
      segment = JPEGSegment(after: current.end, in: bytes)
    }
    return progress?.isComplete ?? false
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

/// How precise the coefficients of each component are after the scans of a JPEG file.
private struct JPEGScanProgress {
  private let isProgressive: Bool
  /// For each component, by its id, the missing bits of each of its 64 coefficients; nil before their first scan.
  private var missingBits: [UInt8: [UInt8?]] = [:]

  /// Reads a frame header (B.2.2); nil when it is cut.
  init?(_ frame: JPEGSegment, in bytes: ByteReader) {
    isProgressive = frame.marker == 0xC2 || frame.marker == 0xCA
    guard let count = bytes.byte(at: frame.body + 5) else { return nil }
    for index in 0..<Int(count) {
      guard let id = bytes.byte(at: frame.body + 6 + 3 * index) else { return nil }
      missingBits[id] = [UInt8?](repeating: nil, count: 64)
    }
  }

  /// Reads a scan header (B.2.3).
  mutating func note(_ scan: JPEGSegment, in bytes: ByteReader) {
    guard let count = bytes.byte(at: scan.body),
      let numbers = bytes.bytes(at: scan.body + 1 + 2 * Int(count), count: 3).map(Array.init)
    else { return }
    let band = isProgressive ? (Int(numbers[0]), Int(numbers[1])) : (0, 63)
    guard band.0 <= band.1, band.1 < 64 else { return }
    for index in 0..<Int(count) {
      guard let id = bytes.byte(at: scan.body + 1 + 2 * index) else { return }
      for place in band.0...band.1 {
        missingBits[id]?[place] = isProgressive ? numbers[2] & 0x0F : 0
      }
    }
  }

  var isComplete: Bool {
    !missingBits.isEmpty && missingBits.values.allSatisfy { $0.allSatisfy { $0 == 0 } }
  }
}
