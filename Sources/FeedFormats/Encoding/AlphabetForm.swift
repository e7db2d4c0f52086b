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
