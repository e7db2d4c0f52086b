/// The mark that may stand before the first character and tells the encoding.
enum ByteOrderMark {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian
  case utf32LittleEndian
  case utf32BigEndian

  /// The mark a document begins with; nil when there is none.
  init?(_ bytes: some Collection<UInt8>) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8
    } else if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      self = .utf32LittleEndian
    } else if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .utf32BigEndian
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16LittleEndian
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16BigEndian
    } else {
      return nil
    }
  }

  /// The encoding that a document without a mark must have for its first character to be `<`; nil
  /// when that is a single byte.
  init?(unmarked bytes: some Collection<UInt8>) {
    let mark = UInt8(ascii: "<")
    if bytes.starts(with: [0, 0, 0, mark]) {
      self = .utf32BigEndian
    } else if bytes.starts(with: [mark, 0, 0, 0]) {
      self = .utf32LittleEndian
    } else if bytes.starts(with: [0, mark]) {
      self = .utf16BigEndian
    } else if bytes.starts(with: [mark, 0]) {
      self = .utf16LittleEndian
    } else {
      return nil
    }
  }

  /// How many bytes the mark takes.
  var length: Int {
    switch self {
    case .utf8: 3
    case .utf16LittleEndian, .utf16BigEndian: 2
    case .utf32LittleEndian, .utf32BigEndian: 4
    }
  }

  /// The encoding by the name iconv knows it by; the mark itself is not part of it.
  var encodingName: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    case .utf32LittleEndian: "UTF-32LE"
    case .utf32BigEndian: "UTF-32BE"
    }
  }
}
