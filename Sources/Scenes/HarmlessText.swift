/// Makes untrusted text harmless for a terminal.
///
/// The result cannot move the cursor, colour the screen, reorder the line or cover its neighbours. It replaces C0 and
/// C1 controls (ISO 6429), bidirectional controls (Unicode, UAX #9), deprecated controls and line separators. It also
/// limits the number of combining marks on a letter.
package enum HarmlessText {
  /// The maximum number of marks on a letter: more than any language uses (Tibetan has up to eight).
  private static let mostMarks = 10

  /// Makes one line: tabs and line breaks become spaces, and other controls become U+FFFD.
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

  /// Whether a scalar could control the terminal instead of being shown.
  package static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
    case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: true
    default: false
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// The number of marks on the current letter after a scalar; format characters do not begin a new letter.
  private static func marks(after scalar: Unicode.Scalar, _ marks: Int) -> Int {
    // U+0300 is the first combining mark of Unicode.
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

/// Escapes untrusted text for XML 1.0, as content or as the value of an attribute (sections 2.2, 2.4 and 3.3.3).
///
/// Characters that could control a terminal, and white space that a parser would turn into a space, become character
/// references. A character that XML cannot represent becomes U+FFFD.
package enum XMLEscaping {
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where isForbidden(scalar): result += "\u{FFFD}"
      case _ where HarmlessText.isDangerous(scalar):
        result += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
