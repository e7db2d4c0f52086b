/// What the first bytes tell of the encoding: a byte order mark, or where the zeros stand.
struct ByteOrderMark {
  let encoding: TextEncoding
  /// How many bytes the mark takes; the mark itself is no part of the text.
  let length: Int

  /// The mark a document begins with; nil when there is none.
  init?(_ bytes: some Collection<UInt8>) {
    guard let mark = Self.marks.first(where: { bytes.starts(with: $0.bytes) }) else { return nil }
    encoding = mark.encoding
    length = mark.bytes.count
  }

  /// What a document without a mark must be in for its first character to be ASCII; nil when that
  /// is a single byte.
  init?(unmarked bytes: some Collection<UInt8>) {
    let zeros = bytes.prefix(4).map { $0 == 0 }
    guard zeros.count > 2 else { return nil }
    switch (zeros[0], zeros[1], zeros[2], zeros.last) {
    case (true, true, true, false): encoding = .utf32BigEndian
    case (false, true, true, true): encoding = .utf32LittleEndian
    case (true, false, _, _): encoding = .utf16BigEndian
    case (false, true, false, _): encoding = .utf16LittleEndian
    default: return nil
    }
    guard let first = bytes.first(where: { $0 != 0 }), Self.canBegin(first) else { return nil }
    length = 0
  }

  private static func canBegin(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// The longer marks first: that of UTF-32 begins with that of UTF-16.
  private static let marks: [(bytes: [UInt8], encoding: TextEncoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8),
    ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
    ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
  ]
}
