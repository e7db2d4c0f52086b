import Glibc

/// An encoding of text.
struct TextEncoding: Equatable, Sendable {
  /// The name in the Encoding Standard (https://encoding.spec.whatwg.org), else the document's own name for it.
  let name: String
  /// iconv's name for the encoding that browsers use under this name.
  let iconvName: String

  static let utf8 = TextEncoding("UTF-8")
  static let windows1252 = TextEncoding("windows-1252")

  init(_ name: String, iconvName: String? = nil) {
    self.name = name
    self.iconvName = iconvName ?? name.uppercased()
  }

  /// The encoding for a label, ignoring case; nil for a label that neither the table nor iconv knows.
  init?(label: String) {
    let bytes = label.lowercased().utf8.filter { $0 > 0x20 && $0 != 0x22 && $0 != 0x27 }
    let label = String(decoding: Array(bytes), as: UTF8.self)
    if let known = Self.labelled[label] {
      self = known
    } else {
      self.init(label.uppercased())
      guard !label.isEmpty, label.utf8.allSatisfy(Self.standsInName), isReadable else { return nil }
    }
  }

  /// Whether a byte may be in a name; a slash may not, because it begins iconv's options.
  private static func standsInName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-_:.".utf8.contains(byte)
  }

  private var isReadable: Bool {
    guard let handle = iconv_open("UTF-8", iconvName), Int(bitPattern: handle) != -1 else {
      return false
    }
    iconv_close(handle)
    return true
  }

  /// The number of bytes to skip when they are not a character.
  var unit: Int { name.hasPrefix("UTF-16") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1 }

  /// Whether the encoding writes ASCII characters with more than one byte.
  var isWide: Bool { unit > 1 }

  /// Whether every byte is a character, so that any bytes are a valid text.
  var isSingleByte: Bool { !isWide && self != .utf8 && !Self.pairs.contains(name) }

  private static let pairs: Set<String> = [
    "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS", "EUC-KR",
  ]

  /// The labels with a different meaning in iconv, or unknown to iconv.
  ///
  /// Browsers have always read ISO-8859-1 as windows-1252, and GB2312 as its larger successors.
  /// Documents rely on that.
  private static let labelled: [String: TextEncoding] = {
    var labelled: [String: TextEncoding] = [:]
    for (encoding, labels) in table {
      labelled[encoding.name.lowercased()] = encoding
      for label in labels.split(separator: " ") { labelled[String(label)] = encoding }
    }
    return labelled
  }()

  private static let table: [(TextEncoding, labels: String)] = [
    (.utf8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8 cesu-8 utf8mb4"),
    (TextEncoding("UTF-16BE"), "unicodefffe"),
    (
      TextEncoding("UTF-16LE"),
      "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf16"
    ),
    (TextEncoding("UTF-32BE"), "ucs-4be"),
    (TextEncoding("UTF-32LE"), "utf-32 utf32 ucs-4 iso-10646-ucs-4"),
    (TextEncoding("ISO-8859-6"), "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i"),
    (TextEncoding("ISO-8859-7"), "sun_eu_greek"),
    (
      TextEncoding("ISO-8859-8"),
      "csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i logical visual"
    ),
    (TextEncoding("ISO-8859-15"), "csisolatin9 l9"),
    (TextEncoding("KOI8-R"), "koi koi8 koi8_r cskoi8r"), (TextEncoding("KOI8-U"), "koi8-ru"),
    (TextEncoding("macintosh"), "csmacintosh mac x-mac-roman"),
    (TextEncoding("x-mac-cyrillic", iconvName: "MAC-CYRILLIC"), "x-mac-ukrainian"),
    (
      TextEncoding("windows-874", iconvName: "CP874"),
      "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 cp874"
    ),
    (TextEncoding("windows-1250"), "cp1250 x-cp1250 win-1250"),
    (TextEncoding("windows-1251"), "cp1251 x-cp1251 win-1251 cp-1251"),
    (
      .windows1252,
      "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1"
        + " iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252 win-1252 latin-1"
    ),
    (TextEncoding("windows-1253"), "cp1253 x-cp1253 win-1253"),
    (
      TextEncoding("windows-1254"),
      "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5"
        + " latin5 x-cp1254 win-1254"
    ),
    (TextEncoding("windows-1255"), "cp1255 x-cp1255"),
    (TextEncoding("windows-1256"), "cp1256 x-cp1256"),
    (TextEncoding("windows-1257"), "cp1257 x-cp1257"),
    (TextEncoding("windows-1258"), "cp1258 x-cp1258"),
    (
      TextEncoding("gb18030"),
      "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk cp936 euc-cn"
    ),
    (
      TextEncoding("Big5", iconvName: "BIG5-HKSCS"),
      "big5-hkscs cn-big5 csbig5 x-x-big5 cp950"
    ),
    (TextEncoding("EUC-JP", iconvName: "EUC-JP-MS"), "cseucpkdfmtjapanese x-euc-jp"),
    (
      TextEncoding("Shift_JIS", iconvName: "CP932"),
      "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis cp932 shiftjis"
    ),
    (
      TextEncoding("EUC-KR", iconvName: "CP949"),
      "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601"
        + " windows-949 cp949 uhc"
    ),
  ]

  /// The customary encoding in the region of a host's domain.
  static func customary(at host: String?) -> TextEncoding {
    let domain = host?.split(separator: ".").last ?? ""
    let label = customs.first { $0.domains.split(separator: " ").contains(domain) }?.label
    return label.flatMap { TextEncoding(label: $0) } ?? .windows1252
  }

  private static let customs: [(label: String, domains: String)] = [
    ("windows-1250", "pl cz sk hu si hr ro rs ba me al"),
    ("windows-1251", "ru su by bg ua kz mk kg"), ("windows-1253", "gr cy"),
    ("windows-1254", "tr az"), ("windows-1255", "il"),
    ("windows-1256", "ir sa ae eg jo kw lb ma dz tn sy iq qa om ye ps pk"),
    ("windows-1257", "lt lv ee"), ("windows-1258", "vn"), ("windows-874", "th"),
    ("shift_jis", "jp"), ("gb18030", "cn sg"), ("big5", "tw hk mo"), ("euc-kr", "kr"),
  ]
}

/// The encoding that the first bytes reveal, by a byte order mark or by the positions of zeros.
struct ByteOrderMark {
  let encoding: TextEncoding
  /// The length of the mark in bytes; the mark is not part of the text.
  let length: Int

  /// The mark at the beginning of a document; nil if it is missing.
  init?(_ bytes: [UInt8]) {
    guard let mark = Self.marks.first(where: { bytes.starts(with: $0.bytes) }) else { return nil }
    encoding = TextEncoding(mark.name)
    length = mark.bytes.count
  }

  /// Finds the encoding of a document without a mark, assuming that its first character is ASCII.
  ///
  /// Nil when that character is a single byte.
  init?(unmarked bytes: [UInt8]) {
    let zeros = bytes.prefix(4).map { $0 == 0 }
    guard zeros.count > 2 else { return nil }
    switch (zeros[0], zeros[1], zeros[2], zeros.last) {
    case (true, true, true, false): encoding = TextEncoding("UTF-32BE")
    case (false, true, true, true): encoding = TextEncoding("UTF-32LE")
    case (true, false, _, _): encoding = TextEncoding("UTF-16BE")
    case (false, true, false, _): encoding = TextEncoding("UTF-16LE")
    default: return nil
    }
    guard let first = bytes.first(where: { $0 != 0 }), " \n\r\t<{[".utf8.contains(first) else {
      return nil
    }
    length = 0
  }

  /// The marks, longer ones first: the mark of UTF-32 begins with that of UTF-16.
  private static let marks: [(bytes: [UInt8], name: String)] = [
    ([0xEF, 0xBB, 0xBF], "UTF-8"),
    ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
    ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
  ]
}

/// One conversion of a text to UTF-8 by iconv(3), as the text arrives.
///
/// Bytes that are not a character become U+FFFD. The converter keeps an incomplete character for
/// the next call, and drops it at the end of the text.
final class Converter {
  private let handle: iconv_t
  private let unit: Int
  private var carried: [UInt8] = []
  /// Whether any bytes were not a character.
  private(set) var hasReplaced = false

  /// Makes a converter; nil when the system has no table for the encoding.
  init?(from encoding: TextEncoding) {
    guard let handle = iconv_open("UTF-8", encoding.iconvName), Int(bitPattern: handle) != -1
    else { return nil }
    self.handle = handle
    unit = encoding.unit
  }

  deinit { iconv_close(handle) }

  /// Returns the next bytes in UTF-8.
  func convert(_ bytes: [UInt8]) -> [UInt8] {
    var input = carried + bytes
    var output: [UInt8] = []
    output.reserveCapacity(input.count + input.count / 2)
    let left = input.withUnsafeMutableBytes { convert($0, into: &output) }
    carried = Array(input.suffix(left))
    return output
  }

  /// Returns the output that iconv held back until the end of the text.
  func finish() -> [UInt8] {
    carried = []
    var output: [UInt8] = []
    var nothing = 0
    _ = step(nil, &nothing, into: &output)
    return output
  }

  /// Converts as many bytes as possible, and returns the number of bytes left over.
  private func convert(
    _ input: UnsafeMutableRawBufferPointer,
    into output: inout [UInt8]
  ) -> Int {
    var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
    var left = input.count
    while left > 0 {
      switch step(&next, &left, into: &output) {
      case 0, E2BIG: continue
      case EINVAL: return left
      default:
        guard left >= unit else { return left }
        hasReplaced = true
        output += [0xEF, 0xBF, 0xBD]
        next? += unit
        left -= unit
      }
    }
    return 0
  }

  /// Fills one block of output, and returns iconv's error, or 0.
  private func step(
    _ next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ left: inout Int,
    into output: inout [UInt8]
  ) -> Int32 {
    var code: Int32 = 0
    let size = FormatLimits.block
    output += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var target = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      var room = size
      if iconv(handle, next, &left, &target, &room) == -1 { code = errno }
      count = size - room
    }
    return code
  }
}
