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
