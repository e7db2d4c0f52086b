import Models

/// A text of HTML in an entry, which may hold pictures.
struct EntryMarkup {
  let bytes: [UInt8]
  /// What its addresses are relative to, where `xml:base` says so.
  let base: WebAddress?

  /// Keeps a text; nil when there is no picture in it.
  init?(_ bytes: [UInt8], base: WebAddress?) {
    guard Self.mayHoldPictures(bytes.span) else { return nil }
    self.bytes = bytes
    self.base = base
  }

  private static func mayHoldPictures(_ bytes: Span<UInt8>) -> Bool {
    var index = 0
    while index + 3 < bytes.count {
      if bytes[index] | 0x20 == UInt8(ascii: "i"), bytes[index + 1] | 0x20 == UInt8(ascii: "m"),
        bytes[index + 2] | 0x20 == UInt8(ascii: "g"), index > 0
      {
        let before = bytes[index - 1]
        if before == UInt8(ascii: "<") || before == UInt8(ascii: ";") || before == UInt8(ascii: "-")
        {
          return true
        }
      }
      index += 1
    }
    return false
  }
}
