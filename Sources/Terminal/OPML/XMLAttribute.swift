/// Text from strangers as the value of an attribute (XML 1.0, sections 2.2, 2.4 and 3.3.3).
///
/// What XML has no place for is left out. What could act on a terminal that shows the document, and
/// white space that would be read back as a plain space, is written as a character reference.
enum XMLAttribute {
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where isAllowed(scalar) {
      result.append(contentsOf: escape(scalar).unicodeScalars)
    }
    return String(result)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case _ where HarmlessText.isDangerous(scalar):
      "&#x\(String(scalar.value, radix: 16, uppercase: true));"
    default: String(scalar)
    }
  }

  /// The characters of XML 1.0; no scalar is a surrogate.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
