/// JPEG: segments with metadata before and between the scans, and further files behind the end (T.81, annex B).
extension PlaceSearch {
  /// The longest file in bytes, because all of it is read once: only the bytes tell where a scan ends.
  private static let scannedBytes = 1 << 30
  /// The most pictures of a file.
  private static let pictureLimit = 64
  /// The most zeros between two pictures, which are aligned (CIPA DC-007).
  private static let paddingBytes = 64 << 10

  /// Searches the picture, and those behind it, such as a gain map; all other bytes behind it become zeros.
  ///
  /// Phones append films, whose places are in other forms.
  mutating func searchJPEG() throws(PlaceRemoval.Refusal) {
    guard length <= Self.scannedBytes else { throw .notUnderstood }
    var end = try searchPicture(at: 0)
    for _ in 1..<Self.pictureLimit where end < length {
      guard let start = try nextPicture(behind: end) else { break }
      var next = end
      let isUnderstood = attempt { search throws(PlaceRemoval.Refusal) in
        next = try search.searchPicture(at: start)
      }
      guard isUnderstood else { break }
      end = next
    }
    try fill(end..<length)
  }

  /// The offset of the picture behind another one; nil when something else follows.
  private mutating func nextPicture(
    behind end: Int
  ) throws(PlaceRemoval.Refusal) -> Int? {
    let bytes = try bytes(end..<min(end + Self.paddingBytes, length))
    guard let first = bytes.firstIndex(where: { $0 != 0 }),
      bytes[first...].starts(with: [0xFF, 0xD8, 0xFF])
    else { return nil }
    return end + first
  }

  /// Searches a picture, and returns the offset behind its end.
  private mutating func searchPicture(at start: Int) throws(PlaceRemoval.Refusal) -> Int {
    guard try bytes(start..<start + 2) == [0xFF, 0xD8] else { throw .notUnderstood }
    var offset = start + 2
    while segmentsLeft > 0 {
      segmentsLeft -= 1
      let marker = try bytes(offset..<offset + 2)
      guard marker[0] == 0xFF else { throw .notUnderstood }
      switch marker[1] {
      // Any number of these may precede a marker (B.1.1.2).
      case 0xFF: offset += 1
      case 0xD9: return offset + 2
      case 0xC0...0xC7, 0xC9...0xCF, 0xDA...0xEF, 0xFE:
        let length = try bytes(offset + 2..<offset + 4)
        let end = offset + 2 + Int(length[0]) << 8 + Int(length[1])
        guard end >= offset + 4 else { throw .notUnderstood }
        try searchSegment(marker[1], offset + 4..<end)
        offset = marker[1] == 0xDA ? try endOfScan(from: end) : end
      default: throw .notUnderstood
      }
    }
    throw .notUnderstood
  }

  /// The offset of the marker that ends a scan: not that of a restart, and no byte of the scan itself (B.1.1.5).
  private func endOfScan(from start: Int) throws(PlaceRemoval.Refusal) -> Int {
    var offset = start
    while length - offset >= 2 {
      let count = min(64 << 10, length - offset)
      guard let piece = reading(offset, count) else { throw .notUnderstood }
      if let marker = Self.marker(in: piece) { return offset + marker }
      offset += piece[count - 1] == 0xFF ? count - 1 : count
    }
    throw .notUnderstood
  }

  private static func marker(in piece: [UInt8]) -> Int? {
    piece.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count - 1 {
        if bytes[index] == 0xFF {
          switch bytes[index + 1] {
          case 0, 0xD0...0xD7: index += 1
          case 0xFF: break
          default: return index
          }
        }
        index += 1
      }
      return nil
    }
  }

  private mutating func searchSegment(
    _ marker: UInt8,
    _ range: Range<Int>
  ) throws(PlaceRemoval.Refusal) {
    let content = try bytes(range)
    switch marker {
    case 0xE0...0xEF: try searchApplication(marker, content, range)
    case 0xFE: try searchText(range)
    default: guard Self.isTable(marker, content) else { throw .notUnderstood }
    }
  }

  /// Whether a segment that the decoder needs has the length that its content means, and so swallows nothing else.
  private static func isTable(_ marker: UInt8, _ content: [UInt8]) -> Bool {
    let reader = ByteReader(content[...])
    switch marker {
    // A scan, arithmetic conditioning, a number of lines, a restart interval, an expansion.
    case 0xDA: return reader.byte(at: 0).map { content.count == 4 + 2 * Int($0) } ?? false
    case 0xCC: return content.count.isMultiple(of: 2)
    case 0xDC, 0xDD: return content.count == 2
    case 0xDF: return content.count == 1
    case 0xC4, 0xDB:
      var offset = 0
      while offset < content.count {
        guard let table = reader.byte(at: offset) else { return false }
        if marker == 0xDB {
          offset += table >> 4 == 0 ? 65 : 129
        } else {
          guard let counts = reader.bytes(at: offset + 1, count: 16) else { return false }
          offset += 17 + counts.reduce(0) { $0 + Int($1) }
        }
      }
      return offset == content.count
    // A frame.
    default: return reader.byte(at: 5).map { content.count == 6 + 3 * Int($0) } ?? false
    }
  }

  private mutating func searchApplication(
    _ marker: UInt8,
    _ content: [UInt8],
    _ range: Range<Int>
  ) throws(PlaceRemoval.Refusal) {
    let reader = ByteReader(content[...])
    let photoshop = Array("Photoshop 3.0\0".utf8)
    switch marker {
    case 0xE0 where reader.has("JFIF\0", at: 0):
      // It may hold a small picture without compression.
      guard let width = reader.byte(at: 12), let height = reader.byte(at: 13) else {
        throw .notUnderstood
      }
      try keep(14 + 3 * Int(width) * Int(height), of: range)
    case 0xE1 where reader.has("Exif\0\0", at: 0) && content.count > 6:
      try searchEXIF(content, at: range.lowerBound)
    case 0xE1 where reader.has("http://ns.adobe.com/xap/1.0/\0", at: 0):
      try searchText(range.lowerBound + 29..<range.upperBound)
    case 0xE2 where reader.has("MPF\0", at: 0):
      let old = Array(content[4...])
      guard let new = EXIFWithoutPlace.bytes(ofPictures: old) else { return try fill(range) }
      try replace(old, with: new, at: range.lowerBound + 4)
    // A profile, and how a gain map is used.
    case 0xE2
    where reader.has("ICC_PROFILE\0", at: 0)
      || reader.has("urn:iso:std:iso:ts:21496:-1\0", at: 0):
      let marks = ["Exif\0\0", "http://ns.adobe.com", "Photoshop 3.0"]
      guard marks.allSatisfy({ reader.firstOffset(of: Array($0.utf8), from: 0) == nil }) else {
        throw .notUnderstood
      }
    case 0xED where reader.has(photoshop, at: 0):
      let old = Array(content[photoshop.count...])
      let start = range.lowerBound + photoshop.count
      guard let new = PhotoshopResources.withoutPlace(old) else {
        return try fill(start..<range.upperBound)
      }
      try replace(old, with: new, at: start)
    // It tells the model of the colours, so it has to stay.
    case 0xEE where reader.has("Adobe", at: 0) && content.count >= 12: try keep(12, of: range)
    default: try fill(range)
    }
  }

  /// Keeps the first bytes of a segment, which it must have.
  private mutating func keep(
    _ count: Int,
    of range: Range<Int>
  ) throws(PlaceRemoval.Refusal) {
    guard count <= range.count else { throw .notUnderstood }
    try fill(range.lowerBound + count..<range.upperBound)
  }
}
