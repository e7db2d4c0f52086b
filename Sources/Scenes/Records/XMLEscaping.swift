/// Text from strangers in XML 1.0, as content or as the value of an attribute (sections 2.2, 2.4 and 3.3.3).
///
/// Characters that could control a terminal, and white space that a parser would turn into a space, become character
/// references. A character that XML has no way to say becomes U+FFFD.
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
