/// Names of files that are safe on ext4, APFS, NTFS and exFAT, made of texts that strangers chose.
///
/// A name never leads to another folder, has no character that a shell, a terminal or a file system treats specially,
/// and is no longer than each of these file systems allows.
package enum FileName {
  /// The most bytes of a part of a path, before what makes it distinct and the ending of a sidecar are added.
  ///
  /// ext4 allows 255 bytes (linux/limits.h, NAME_MAX), NTFS, exFAT and APFS 255 units of UTF-16, which never are more.
  package static let longestPart = 224

  /// The names of devices, which Windows does not allow for files, whatever their ending (Microsoft, "Naming Files,
  /// Paths, and Namespaces").
  private static let devices: Set<String> = {
    let numbers = (0...9).map(String.init) + ["\u{B9}", "\u{B2}", "\u{B3}"]
    return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"])
      .union(numbers.flatMap { ["COM\($0)", "LPT\($0)"] })
  }()

  /// The most bytes of such a name, in whichever case its letters are.
  private static let longestDevice = 8

  /// Makes one part of a path of a text.
  package static func safe(_ text: String) -> String {
    finished(shortened(cleaned(text), to: longestPart))
  }

  /// A text without what a name must not have: a slash, a control, a sign with a meaning.
  ///
  /// Runs of blanks become one blank.
  package static func cleaned(_ text: String) -> String {
    if isPlain(text) { return text }
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isBlank(scalar) {
        if name.last != " " { name.append(" ") }
      } else if isForbidden(scalar) {
        name.append("_")
      } else if !isInvisible(scalar) {
        name.append(scalar)
      }
    }
    return trimmed(String(name))
  }

  /// Whether a text has nothing to be cleaned: most have only letters, digits and single blanks.
  private static func isPlain(_ text: String) -> Bool {
    var isAfterBlank = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "):
        if isAfterBlank { return false }
        isAfterBlank = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"):
        isAfterBlank = false
      default: return false
      }
    }
    return !isAfterBlank
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  /// The characters that NTFS and exFAT reserve, and the slash.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", ":", "\"", "/", "\\", "|", "?", "*": true
    default: false
    }
  }

  /// What makes a name look like another one, such as marks of direction; not the joiners and tags that emoji and
  /// scripts need.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    if (0xE0020...0xE007F).contains(scalar.value) { return false }
    return scalar.properties.generalCategory == .format || scalar.properties.isNoncharacterCodePoint
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }

  /// A cleaned text as a whole part of a path.
  package static func finished(_ text: String) -> String {
    var name = text
    while let last = name.unicodeScalars.last, last == "." || last == " " {
      name.unicodeScalars.removeLast()
    }
    guard let first = name.unicodeScalars.first else { return "untitled" }
    if ["-", ".", "~"].contains(first) { name = "_" + name }
    let base = name.prefix { $0 != "." }
    let stem = trimmed(String(base))
    if stem.utf8.count <= longestDevice, devices.contains(stem.uppercased()) {
      name = stem + "_" + name.dropFirst(base.count)
    }
    return name
  }

  /// The beginning of a text with at most so many bytes: whole characters, where there is room for one.
  package static func shortened(_ text: String, to bytes: Int) -> String {
    if text.utf8.count <= bytes { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: max(0, bytes))
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    let whole = text.indices.last { $0 <= end } ?? text.startIndex
    // A single character may be kilobytes long.
    if whole > text.startIndex { end = whole }
    return String(text[..<end])
  }

  /// Puts what makes a name distinct before its ending.
  package static func adding(_ mark: String, to name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name[dot...].utf8.count <= 6, !name[dot...].contains("/")
    else { return name + mark }
    return name[..<dot] + mark + name[dot...]
  }

  /// A number that is equal for two names that some file system may take for one: in another case of letters, or
  /// composed otherwise.
  ///
  /// It differs from process to process.
  package static func key(_ path: String) -> Int { path.uppercased().lowercased().hashValue }
}
