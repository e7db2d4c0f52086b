/// Folds case and accents, for comparisons and orders that do not depend on a language.
///
/// A text is taken apart (NFKD), loses the marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters, is made small by
/// full case folding, and is put together again (NFC): www.unicode.org/reports/tr15. Latin letters that Unicode does not
/// take apart become what people type instead: "ł" becomes "l", and "æ" becomes "ae". Foundation has no such table, and
/// brings 34 MB of others. `fold` in folding.js does the same in the browser.
package enum LetterFolding {
  /// - Returns: The text in lower case and without accents. Other marks stay, because they tell words apart in their
  ///   scripts.
  package static func fold(_ text: String) -> String {
    isASCII(text) ? text.lowercased() : String(String.UnicodeScalarView(scalars(of: text)))
  }

  /// The folded scalars of a text.
  static func scalars(of text: String) -> [Unicode.Scalar] {
    var folded: [Unicode.Scalar] = []
    folded.reserveCapacity(text.utf8.count)
    var hasParts = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A: folded.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
      case ..<0x80, 0x3041..<0x3097, 0x30A1..<0x30FB, 0x3400..<0xA000, 0xAC00..<0xD7A4:
        folded.append(scalar)
      default:
        if !isLeftOut(scalar) { Letters.table.append(scalar, to: &folded, &hasParts) }
      }
    }
    if hasParts { Letters.table.compose(&folded) }
    return folded
  }

  package static func isASCII(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    for index in bytes.indices where bytes[index] >= 0x80 { return false }
    return true
  }

  /// Whether a scalar says nothing about which word it is: a mark of the five scripts, or a sign without a width.
  private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x200C...0x200D, 0x2060...0x2064, 0xFE00...0xFE0F, 0xFEFF, 0xE0100...0xE01EF: true
    case ..<0x300: false
    case 0x300...0x36F, 0x483...0x489, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670,
      0x6D6...0x6ED, 0x898...0x89F, 0x8CA...0x8FF, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF,
      0x20D0...0x20F0,
      0x2DE0...0x2DFF, 0xA66F...0xA67D, 0xA69E...0xA69F, 0xFB1E, 0xFE20...0xFE2F:
      scalar.isMark
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// Whether it belongs to the letter before it (www.unicode.org/reports/tr44, General_Category).
  var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}

/// `LetterTable`, ready for look-ups.
private struct Letters: Sendable {
  /// Consecutive scalars from the first one on, and what they become.
  private struct Run {
    var first: UInt32
    var letters: [Unicode.Scalar]
  }

  static let table = Letters()

  private var runs: [Run] = []
  /// What scalars become that `runs` has U+FFFD for.
  private var long: [UInt32: [Unicode.Scalar]] = [:]
  private var compositions: [UInt64: Unicode.Scalar] = [:]

  private init() {
    var first: UInt32?
    for word in Self.words(of: LetterTable.short) {
      if let number = first {
        runs.append(Run(first: number, letters: word))
        first = nil
      } else {
        first = Self.number(word[...])
      }
    }
    var next: UInt32 = 0
    for word in Self.words(of: LetterTable.long) {
      if word[0] == "#" {
        next = Self.number(word.dropFirst())
      } else {
        long[next] = word == ["∅"] ? [] : word.map { $0 == "␣" ? " " : $0 }
        next += 1
      }
    }
    var second: UInt32 = 0
    first = nil
    for word in Self.words(of: LetterTable.compositions) {
      if word[0] == "#" {
        second = Self.number(word.dropFirst())
      } else if let number = first {
        compositions[Self.pair(number, second)] = Unicode.Scalar(Self.number(word[...]))
        first = nil
      } else {
        first = Self.number(word[...])
      }
    }
  }

  /// The words, scalar by scalar: as characters, marks would belong to the spaces before them.
  private static func words(of text: String) -> [[Unicode.Scalar]] {
    text.unicodeScalars.split { $0 == " " || $0 == "\n" }.map { Array($0) }
  }

  private static func number(_ digits: ArraySlice<Unicode.Scalar>) -> UInt32 {
    UInt32(String(String.UnicodeScalarView(digits)), radix: 16) ?? 0
  }

  private static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 {
    UInt64(first) << 32 | UInt64(second)
  }

  /// Appends what a scalar becomes, and notes whether it may be a part of a composition.
  func append(
    _ scalar: Unicode.Scalar,
    to folded: inout [Unicode.Scalar],
    _ hasParts: inout Bool
  ) {
    let value = scalar.value
    switch value {
    case ..<0x700, 0x1E00..<0x3000, 0xFB00..<0xFE00, 0xFE70..<0xFF65: break
    default: hasParts = true
    }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].first <= value { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return folded.append(scalar) }
    let place = Int(value - runs[low - 1].first)
    guard place < runs[low - 1].letters.count else { return folded.append(scalar) }
    let letter = runs[low - 1].letters[place]
    if letter == "\u{FFFD}" {
      folded += long[value] ?? [scalar]
    } else {
      folded.append(letter)
    }
  }

  // MARK: Composition

  /// Puts marks in their order and joins them with their letters (www.unicode.org/reports/tr15, section 1.3).
  func compose(_ scalars: inout [Unicode.Scalar]) {
    var composed: [Unicode.Scalar] = []
    composed.reserveCapacity(scalars.count)
    /// The place of the last scalar that others can join, and the class of the mark behind it.
    var starter: Int?
    var lastClass: UInt8 = 0
    for scalar in Self.ordered(scalars) {
      let ownClass = Self.combiningClass(scalar)
      if let place = starter, lastClass < ownClass || place == composed.count - 1,
        let whole = composition(composed[place], scalar)
      {
        composed[place] = whole
        continue
      }
      composed.append(scalar)
      lastClass = ownClass
      if ownClass == 0 { starter = composed.count - 1 }
    }
    scalars = composed
  }

  private static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
  }

  /// The scalars, with the marks of each letter in the order of their classes.
  private static func ordered(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var ordered = scalars
    var start = 0
    while start < scalars.count {
      var end = start
      while end < scalars.count, combiningClass(scalars[end]) > 0 { end += 1 }
      if end - start > 1 {
        let marks = scalars[start..<end].enumerated().map { place, mark in
          (ownClass: combiningClass(mark), place: place, mark: mark)
        }
        let sorted = marks.sorted { ($0.ownClass, $0.place) < ($1.ownClass, $1.place) }
        for (place, mark) in sorted.enumerated() { ordered[start + place] = mark.mark }
      }
      start = end + 1
    }
    return ordered
  }

  private func composition(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    Self.syllable(first.value, second.value)
      ?? compositions[Self.pair(first.value, second.value)]
  }

  /// The syllable of Hangul that consists of two parts (The Unicode Standard, section 3.12).
  private static func syllable(_ first: UInt32, _ second: UInt32) -> Unicode.Scalar? {
    switch (first, second) {
    case (0x1100...0x1112, 0x1161...0x1175):
      Unicode.Scalar(0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28)
    case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first - 0xAC00) % 28 == 0:
      Unicode.Scalar(first + second - 0x11A7)
    default: nil
    }
  }
}
