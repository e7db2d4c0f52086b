/// Text from strangers, made harmless for a terminal.
///
/// Nothing of it can move the cursor, colour the screen, reorder the line or pile up over its
/// neighbours: C0 and C1 controls (ISO 6429), bidirectional controls (Unicode, UAX #9), deprecated
/// ones and line separators are replaced, and of a stack of marks on one letter the uppermost are
/// left out.
package enum HarmlessText {
  /// How many marks one letter may have: more than any language writes (Tibetan has up to eight).
  private static let mostMarks = 10

  /// One line: white space that would break it becomes a space, anything dangerous U+FFFD.
  package static func line(_ text: String) -> String {
    guard !text.utf8.allSatisfy(isPlain) else { return text }
    var result = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars {
      marks = Self.marks(after: scalar, marks)
      if marks <= mostMarks { result.append(replacement(for: scalar)) }
    }
    return String(result)
  }

  /// Whether a scalar could act on what shows it rather than be shown.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
    case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true
    default: false
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// The marks on a letter with this scalar, when it has so many before; what joins letters or has no
  /// width begins no new one.
  private static func marks(after scalar: Unicode.Scalar, _ marks: Int) -> Int {
    // No mark comes before this one.
    if scalar.value < 0x0300 { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return marks + 1
    case .format: return marks > mostMarks ? mostMarks : marks
    default: return 0
    }
  }

  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard isDangerous(scalar) else { return scalar }
    switch scalar {
    case "\t", "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": return " "
    default: return "\u{FFFD}"
    }
  }
}
