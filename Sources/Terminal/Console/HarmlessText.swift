/// Text from strangers, made harmless for a terminal.
///
/// Nothing of it can move the cursor, colour the screen, reorder the line or hide: C0 and C1
/// controls (ISO 6429), bidirectional controls (Unicode, UAX #9) and line separators are replaced.
package enum HarmlessText {
  /// One line: white space that would break it becomes a space, anything dangerous U+FFFD.
  package static func line(_ text: String) -> String {
    guard !text.utf8.allSatisfy(isPlain) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(replacement(for: scalar)) }
    return String(result)
  }

  /// Whether a scalar could act on what shows it rather than be shown.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard isDangerous(scalar) else { return scalar }
    switch scalar {
    case "\t", "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": return " "
    default: return "\u{FFFD}"
    }
  }
}
