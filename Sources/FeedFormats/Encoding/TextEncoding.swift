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

/// The labels by which documents and servers name encodings, as the Encoding Standard lists them.
///
/// Some do not mean what they say: browsers have always read ISO-8859-1 as windows-1252, and
/// GB2312 as the larger sets that grew out of it; documents rely on that.
enum EncodingLabels {
  /// The encoding of a label in lower case; nil for an unknown one.
  static func encoding(of label: String) -> TextEncoding? {
    let trimmed = label.utf8.drop(while: isPadding).reversed().drop(while: isPadding).reversed()
    return encodings[String(decoding: Array(trimmed), as: UTF8.self)]
  }

  private static func isPadding(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static let encodings: [String: TextEncoding] = {
    var encodings: [String: TextEncoding] = [:]
    for (encoding, labels) in table {
      encodings[encoding.rawValue.lowercased()] = encoding
      for label in labels.split(separator: " ") { encodings[String(label)] = encoding }
    }
    return encodings
  }()

  private static let table: [(TextEncoding, String)] = [
    (.utf8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8 cesu-8 utf8mb4"),
    (.utf16BigEndian, "unicodefffe"),
    (.utf16LittleEndian, "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf16"),
    (.utf32LittleEndian, "utf-32 utf32 ucs-4 iso-10646-ucs-4"), (.utf32BigEndian, "ucs-4be"),
    (.ibm866, "866 cp866 csibm866"),
    (
      .iso8859Part2,
      "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"
    ),
    (
      .iso8859Part3,
      "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3"
    ),
    (
      .iso8859Part4,
      "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4"
    ),
    (
      .iso8859Part5,
      "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988"
    ),
    (
      .iso8859Part6,
      "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i"
        + " iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    (
      .iso8859Part7,
      "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7"
        + " iso_8859-7:1987 sun_eu_greek"
    ),
    (
      .iso8859Part8,
      "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8"
        + " iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical"
    ),
    (.iso8859Part10, "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
    (.iso8859Part13, "iso8859-13 iso885913"), (.iso8859Part14, "iso8859-14 iso885914"),
    (.iso8859Part15, "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9"),
    (.iso8859Part16, "iso8859-16 iso885916"), (.koi8R, "cskoi8r koi koi8 koi8_r"),
    (.koi8U, "koi8-ru"), (.macintosh, "csmacintosh mac x-mac-roman"),
    (.macCyrillic, "x-mac-ukrainian"),
    (.windows874, "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 cp874"),
    (.windows1250, "cp1250 x-cp1250 win-1250"), (.windows1251, "cp1251 x-cp1251 win-1251 cp-1251"),
    (
      .windows1252,
      "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1"
        + " iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252 win-1252 latin-1"
    ),
    (.windows1253, "cp1253 x-cp1253 win-1253"),
    (
      .windows1254,
      "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5"
        + " latin5 x-cp1254 win-1254"
    ),
    (.windows1255, "cp1255 x-cp1255"), (.windows1256, "cp1256 x-cp1256"),
    (.windows1257, "cp1257 x-cp1257"), (.windows1258, "cp1258 x-cp1258"),
    (
      .gb18030,
      "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk cp936 euc-cn"
    ),
    (.big5, "big5-hkscs cn-big5 csbig5 x-x-big5 cp950"), (.eucJP, "cseucpkdfmtjapanese x-euc-jp"),
    (.iso2022JP, "csiso2022jp"),
    (
      .shiftJIS,
      "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis cp932 shiftjis"
    ),
    (
      .eucKR,
      "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601"
        + " windows-949 cp949 uhc"
    ),
  ]
}

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
