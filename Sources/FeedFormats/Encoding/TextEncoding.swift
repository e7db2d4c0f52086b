/// The encodings of the web, each by the name that the Encoding Standard gives it
/// (https://encoding.spec.whatwg.org).
enum TextEncoding: String {
  case utf8 = "UTF-8"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case utf32LittleEndian = "UTF-32LE"
  case utf32BigEndian = "UTF-32BE"
  case ibm866 = "IBM866"
  case iso8859Part2 = "ISO-8859-2"
  case iso8859Part3 = "ISO-8859-3"
  case iso8859Part4 = "ISO-8859-4"
  case iso8859Part5 = "ISO-8859-5"
  case iso8859Part6 = "ISO-8859-6"
  case iso8859Part7 = "ISO-8859-7"
  case iso8859Part8 = "ISO-8859-8"
  case iso8859Part10 = "ISO-8859-10"
  case iso8859Part13 = "ISO-8859-13"
  case iso8859Part14 = "ISO-8859-14"
  case iso8859Part15 = "ISO-8859-15"
  case iso8859Part16 = "ISO-8859-16"
  case koi8R = "KOI8-R"
  case koi8U = "KOI8-U"
  case macintosh
  case macCyrillic = "x-mac-cyrillic"
  case windows874 = "windows-874"
  case windows1250 = "windows-1250"
  case windows1251 = "windows-1251"
  case windows1252 = "windows-1252"
  case windows1253 = "windows-1253"
  case windows1254 = "windows-1254"
  case windows1255 = "windows-1255"
  case windows1256 = "windows-1256"
  case windows1257 = "windows-1257"
  case windows1258 = "windows-1258"
  case gb18030
  case big5 = "Big5"
  case eucJP = "EUC-JP"
  case iso2022JP = "ISO-2022-JP"
  case shiftJIS = "Shift_JIS"
  case eucKR = "EUC-KR"

  /// The encoding that a label names, in any case; nil for an unknown label.
  init?(label: some StringProtocol) {
    guard let known = EncodingLabels.encoding(of: label.lowercased()) else { return nil }
    self = known
  }

  /// The name by which iconv knows what browsers understand by the encoding.
  var iconvName: String {
    switch self {
    case .windows874: "CP874"
    case .shiftJIS: "CP932"
    case .eucJP: "EUC-JP-MS"
    case .eucKR: "CP949"
    case .big5: "BIG5-HKSCS"
    case .macCyrillic: "MAC-CYRILLIC"
    default: rawValue.uppercased()
    }
  }

  /// How many bytes are passed over when they stand for nothing.
  var unit: Int {
    switch self {
    case .utf16LittleEndian, .utf16BigEndian: 2
    case .utf32LittleEndian, .utf32BigEndian: 4
    default: 1
    }
  }

  /// Whether the encoding writes ASCII in bytes of other values than ASCII does.
  var isWide: Bool { unit > 1 }

  /// Whether every byte is a character, so that any bytes at all are a text in it.
  var isSingleByte: Bool {
    switch self {
    case .gb18030, .big5, .eucJP, .iso2022JP, .shiftJIS, .eucKR, .utf8: false
    default: !isWide
    }
  }
}
