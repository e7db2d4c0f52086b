/// Guesses the encoding of a text that is no UTF-8 and of which nothing is known, as browsers do.
///
/// First by form: in the encodings of East Asia bytes beyond ASCII come in pairs of a kind. Then by
/// frequency: half of what is written in an alphabet is written with a quarter of its letters, and
/// these stand in places of their own in each encoding. What is left are single accented letters
/// between ASCII: there the part of the world that the address names decides.
enum EncodingGuess {
  /// The encoding that `sample` is most likely in, as served by `host`.
  static func encoding(of sample: [UInt8], host: String?) -> TextEncoding {
    if let encoding = PairForm.encoding(of: sample) { return encoding }
    if let encoding = AlphabetForm.encoding(of: sample) { return encoding }
    let domain = host?.split(separator: ".").last.map(String.init) ?? ""
    return domains[domain] ?? .windows1252
  }

  private static let domains: [String: TextEncoding] = {
    var domains: [String: TextEncoding] = [:]
    for (encoding, names) in table {
      for name in names.split(separator: " ") { domains[String(name)] = encoding }
    }
    return domains
  }()

  /// Top-level domains where something else than windows-1252 was the custom.
  private static let table: [(TextEncoding, String)] = [
    (.windows1250, "pl cz sk hu si hr ro rs ba me al"), (.windows1251, "ru su by bg ua kz mk kg"),
    (.windows1253, "gr cy"), (.windows1254, "tr az"), (.windows1255, "il"),
    (.windows1256, "ir sa ae eg jo kw lb ma dz tn sy iq qa om ye ps pk"),
    (.windows1257, "lt lv ee"), (.windows1258, "vn"), (.windows874, "th"),
    (.shiftJIS, "jp"), (.gb18030, "cn sg"), (.big5, "tw hk mo"), (.eucKR, "kr"),
  ]
}

/// Tells encodings of one byte a letter by the letters that are the most frequent.
enum AlphabetForm {
  /// The encoding of `sample`; nil when its letters beyond ASCII stand alone, or fit none.
  static func encoding(of sample: [UInt8]) -> TextEncoding? {
    var counts = [Int](repeating: 0, count: 256)
    var together = 0
    for (index, byte) in sample.enumerated() where byte >= 0x80 {
      counts[Int(byte)] += 1
      let isAfter = index > 0 && sample[index - 1] >= 0x80
      if isAfter || index + 1 < sample.count && sample[index + 1] >= 0x80 { together += 1 }
    }
    let total = counts.reduce(0, +)
    guard total >= 4, together * 10 >= total * 7 else { return nil }
    let scores = alphabets.map { alphabet in
      alphabet.letters.reduce(0) { $0 + counts[Int($1)] }
    }
    guard let best = scores.max(), best * 20 >= total * 9 else { return nil }
    return scores.firstIndex(of: best).map { alphabets[$0].encoding }
  }

  /// The ten letters that each alphabet uses most, where each encoding has them.
  private static let alphabets: [(encoding: TextEncoding, letters: [UInt8])] = [
    (.windows1251, [0xEE, 0xE5, 0xE0, 0xE8, 0xED, 0xF2, 0xF1, 0xF0, 0xE2, 0xEB]),
    (.koi8R, [0xCF, 0xC5, 0xC1, 0xC9, 0xCE, 0xD4, 0xD3, 0xD2, 0xD7, 0xCC]),
    (.iso8859Part5, [0xDE, 0xD5, 0xD0, 0xD8, 0xDD, 0xE2, 0xE1, 0xE0, 0xD2, 0xDB]),
    (.ibm866, [0xAE, 0xA5, 0xA0, 0xA8, 0xAD, 0xE2, 0xE1, 0xE0, 0xA2, 0xAB]),
    (.windows1255, [0xE9, 0xE5, 0xE4, 0xEC, 0xE0, 0xF8, 0xFA, 0xE1, 0xF9, 0xEE]),
    (.windows1253, [0xE1, 0xEF, 0xE9, 0xF4, 0xE5, 0xED, 0xF3, 0xF1, 0xE7, 0xDC]),
    (.windows1256, [0xC7, 0xE1, 0xED, 0xE3, 0xE6, 0xE4, 0xD1, 0xCA, 0xC8, 0xDA]),
    (.windows874, [0xD2, 0xB9, 0xC3, 0xCD, 0xA1, 0xE0, 0xA7, 0xC1, 0xE8, 0xC2]),
  ]
}

/// Tells the encodings of East Asia by how their bytes pair up.
struct PairForm {
  /// The pairs.
  private var count = 0
  /// Those among them that nearly every text in the language has many of.
  private var common = 0
  /// Those whose second byte is ASCII.
  private var low = 0
  /// Whether something cannot be in this encoding.
  private var isBroken = false

  /// The encoding of `sample`; nil when it is in none of these.
  static func encoding(of sample: [UInt8]) -> TextEncoding? {
    if japanese(PairForm(sample, leads: 0xA1...0xFE, lowTrails: false) { $0 == 0xA4 || $0 == 0xA5 })
    {
      return .eucJP
    }
    if japanese(PairForm(sample, kana: 0xA1...0xDF) { $0 == 0x82 || $0 == 0x83 }) {
      return .shiftJIS
    }
    let korean = PairForm(sample, leads: 0xA1...0xFE, lowTrails: false) { $0 <= 0xC8 }
    if korean.holds(common: 0.97, least: 4) { return .eucKR }
    let simplified = PairForm(sample, leads: 0xA1...0xF7, lowTrails: false) { $0 <= 0xD7 }
    if simplified.holds(common: 0.6, least: 2) { return .gb18030 }
    let traditional = PairForm(sample, leads: 0xA1...0xF9, lowTrails: true) { $0 <= 0xC6 }
    return traditional.low > 0 && traditional.holds(common: 0.7, least: 2) ? .big5 : nil
  }

  /// Kana stand in every sentence.
  private static func japanese(_ form: PairForm) -> Bool { form.holds(common: 0.2, least: 2) }

  private func holds(common share: Double, least: Int) -> Bool {
    !isBroken && count >= least && Double(common) >= share * Double(count)
  }

  /// Pairs whose first byte lies in `leads` and whose second is as high, or also a letter.
  private init(
    _ sample: [UInt8],
    leads: ClosedRange<UInt8>,
    lowTrails: Bool,
    isCommon: (UInt8) -> Bool
  ) {
    read(sample) { lead, trail in
      guard leads.contains(lead) else { return nil }
      if trail >= 0xA1 && trail <= 0xFE { return isCommon(lead) }
      return lowTrails && trail >= 0x40 && trail <= 0x7E ? isCommon(lead) : nil
    }
  }

  /// Pairs of Shift_JIS, which has single bytes for kana beside them.
  private init(_ sample: [UInt8], kana: ClosedRange<UInt8>, isCommon: (UInt8) -> Bool) {
    read(sample, single: kana) { lead, trail in
      let isPair = lead >= 0x81 && lead <= 0x9F || lead >= 0xE0 && lead <= 0xFC
      guard isPair, trail >= 0x40, trail <= 0xFC, trail != 0x7F else { return nil }
      return isCommon(lead)
    }
  }

  /// Reads pair by pair; `pair` says whether one is common, or nil for bytes that are no pair.
  private mutating func read(
    _ sample: [UInt8],
    single: ClosedRange<UInt8>? = nil,
    pair: (UInt8, UInt8) -> Bool?
  ) {
    var index = 0
    while index < sample.count {
      let byte = sample[index]
      index += 1
      if byte < 0x80 || single?.contains(byte) == true { continue }
      guard index < sample.count else { break }
      guard let isCommon = pair(byte, sample[index]) else {
        isBroken = true
        return
      }
      count += 1
      if isCommon { common += 1 }
      if sample[index] < 0x80 { low += 1 }
      index += 1
    }
  }
}

/// How much of a text is UTF-8 beyond ASCII.
struct UTF8Tally {
  /// The characters of more than one byte.
  private(set) var characters = 0
  /// The bytes that belong to none.
  private(set) var faults = 0

  /// Counts; a character whose rest lies beyond the end is neither.
  init(_ sample: [UInt8]) {
    let bytes = sample.span
    var index = 0
    while index < bytes.count {
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      switch UTF8Form.unit(in: bytes, at: index) {
      case .character(let length):
        characters += 1
        index += length
      case .broken, .stray:
        faults += 1
        index += 1
      case .incomplete: index = bytes.count
      }
    }
  }
}
