/// PNG and WebP, whose metadata are chunks.
extension PlaceSearch {
  // MARK: PNG

  /// The most chunks of a file.
  private static let chunkLimit = 1 << 20
  /// The chunks of the pixels, which are not read.
  private static let pixels: Set = ["IDAT", "fdAT"]
  /// The other chunks that stay as they are (PNG, third edition, section 11; extensions, section 5).
  private static let plain: Set = [
    "IHDR", "PLTE", "IEND", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "mDCv", "cLLI",
    "cLLi", "bKGD", "hIST", "tRNS", "pHYs", "sPLT", "tIME", "acTL", "fcTL", "oFFs", "sTER",
  ]
  /// A private chunk that may be left out, for those that go (section 5.4).
  private static let unused = Array("skIp".utf8)

  mutating func searchPNG() throws(PlaceRemoval.Refusal) {
    var offset = 8
    for _ in 0..<Self.chunkLimit {
      let head = try bytes(offset..<offset + 8)
      let letters = head[4...].allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
      }
      guard let size = ByteReader(head[...]).big(at: 0, count: 4), letters,
        size <= length - offset - 12
      else { throw .notUnderstood }
      let type = String(decoding: head[4...], as: UTF8.self)
      let content = offset + 8..<offset + 8 + size
      if !Self.pixels.contains(type) { try searchChunk(type, content) }
      offset = content.upperBound + 4
      if type == "IEND" {
        guard size == 0 else { throw .notUnderstood }
        return try fill(offset..<length)
      }
    }
    throw .notUnderstood
  }

  private mutating func searchChunk(
    _ type: String,
    _ range: Range<Int>
  ) throws(PlaceRemoval.Refusal) {
    // From the type to the checksum.
    let old = try bytes(range.lowerBound - 4..<range.upperBound + 4)
    guard old.count == range.count + 8, old.suffix(4).elementsEqual(Self.checksum(old.dropLast(4)))
    else { throw .notUnderstood }
    var new = Array(old.dropLast(4))
    switch type {
    case _ where Self.plain.contains(type): return
    case "eXIf":
      guard let exif = EXIFWithoutPlace.bytes(of: Array(new[4...])) else { throw .notUnderstood }
      new.replaceSubrange(4..., with: exif)
    case "tEXt" where Self.isPlainText(new[4...]), "iTXt" where Self.isPlainUnicode(new[4...]):
      return
    // An upper-case letter marks a chunk that decoders need.
    case _ where new[0] & 0x20 == 0: throw .notUnderstood
    default:
      let sum = Self.checksum(Self.unused[...] + [UInt8](repeating: 0, count: range.count))
      try replace(Array(old.prefix(4)), with: Self.unused, at: range.lowerBound - 4)
      try fill(range)
      return try replace(Array(old.suffix(4)), with: sum, at: range.upperBound)
    }
    try replace(old, with: new + Self.checksum(new[...]), at: range.lowerBound - 4)
  }

  /// Whether a text tells no place; programs hide EXIF, IPTC and XMP in texts with "profile" in their keywords.
  private static func isPlainText(_ content: ArraySlice<UInt8>) -> Bool {
    let keyword = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self).lowercased()
    return !keyword.contains("profile") && !PlaceWords.areIn(content)
  }

  /// The same for a text in Unicode, which must not be compressed (PNG, third edition, section 11.3.3.4).
  private static func isPlainUnicode(_ content: ArraySlice<UInt8>) -> Bool {
    guard let end = content.firstIndex(of: 0), content.endIndex - end > 2, content[end + 1] == 0
    else { return false }
    return isPlainText(content)
  }

  /// The checksum of a chunk (PNG, third edition, annex D).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var sum = UInt32.max
    for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    return (0..<4).map { UInt8(truncatingIfNeeded: ~sum >> (24 - 8 * $0)) }
  }

  private static let table: [UInt32] = (0..<256).map { (number: UInt32) -> UInt32 in
    var sum = number
    for _ in 0..<8 {
      let isOdd = sum & 1 == 1
      sum >>= 1
      if isOdd { sum ^= 0xEDB8_8320 }
    }
    return sum
  }

  // MARK: WebP

  mutating func searchWebP() throws(PlaceRemoval.Refusal) {
    let head = try bytes(0..<12)
    guard let size = ByteReader(head[...]).little(at: 4, count: 4), size >= 4, size <= length - 8
    else { throw .notUnderstood }
    try searchChunks(12..<8 + size, ofFrame: false)
    try fill(8 + size..<length)
  }

  /// Searches the chunks of a file or a frame (RFC 9649, section 2.7).
  private mutating func searchChunks(
    _ range: Range<Int>,
    ofFrame isFrame: Bool
  ) throws(PlaceRemoval.Refusal) {
    var offset = range.lowerBound
    for _ in 0..<Self.chunkLimit where offset < range.upperBound {
      let head = try bytes(offset..<offset + 8)
      let isName = head[..<4].allSatisfy { (0x20...0x7E).contains($0) }
      guard isName, let size = ByteReader(head[...]).little(at: 4, count: 4),
        size <= range.upperBound - offset - 8
      else { throw .notUnderstood }
      let content = offset + 8..<offset + 8 + size
      switch String(decoding: head[..<4], as: UTF8.self) {
      case "VP8 ", "VP8L", "ALPH": break
      case "VP8X" where !isFrame && size == 10, "ANIM" where !isFrame && size == 6: break
      case "ICCP" where !isFrame: break
      // A frame begins with its place and duration.
      case "ANMF" where !isFrame && size >= 16:
        try searchChunks(content.lowerBound + 16..<content.upperBound, ofFrame: true)
      case "EXIF" where !isFrame: try searchEXIF(bytes(content), at: content.lowerBound)
      case "XMP " where !isFrame: try searchText(content)
      case "VP8X", "ANIM", "ANMF", "ICCP", "EXIF", "XMP ": throw .notUnderstood
      default: try fill(content)
      }
      // Some programs omit the byte that makes the last length even.
      offset = min(content.upperBound + size % 2, range.upperBound)
    }
    guard offset == range.upperBound else { throw .notUnderstood }
  }
}
