/// Makes file names that are safe on ext4, APFS, NTFS and exFAT from untrusted texts.
///
/// A name never leads to another folder. It does not contain characters that a shell, a terminal or a file system
/// treats specially, and is not longer than each of these file systems allows.
package enum FileName {
  /// The most bytes of a part of a path, without a distinguishing mark and the extension of a sidecar.
  ///
  /// ext4 allows 255 bytes (linux/limits.h, NAME_MAX). NTFS, exFAT and APFS allow 255 UTF-16 units, and a text never
  /// has more units than bytes.
  package static let longestPart = 224

  /// The names of devices, which Windows does not allow for files with any extension.
  ///
  /// See Microsoft, "Naming Files, Paths, and Namespaces".
  private static let devices: Set<String> = {
    let numbers = (0...9).map(String.init) + ["\u{B9}", "\u{B2}", "\u{B3}"]
    return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"])
      .union(numbers.flatMap { ["COM\($0)", "LPT\($0)"] })
  }()

  /// The most bytes of a device name in any case.
  private static let longestDevice = 8

  /// Makes one part of a path from a text.
  package static func safe(_ text: String) -> String {
    finished(shortened(cleaned(text), to: longestPart))
  }

  /// Removes slashes, control characters and special signs from a text.
  ///
  /// A run of white space becomes one space.
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

  /// Whether a text is clean already; most consist of letters, digits and single spaces.
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

  /// Whether a character is a slash, or reserved by NTFS and exFAT.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "<", ">", ":", "\"", "/", "\\", "|", "?", "*": true
    default: false
    }
  }

  /// Whether a character can make names look alike, such as a direction mark.
  ///
  /// Joiners and tags that emoji and scripts need are allowed.
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

  /// Turns a cleaned text into a complete part of a path.
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

  /// The longest beginning of a text that fits into some bytes and ends with a whole character, if possible.
  package static func shortened(_ text: String, to bytes: Int) -> String {
    if text.utf8.count <= bytes { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: max(0, bytes))
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    let whole = text.indices.last { $0 <= end } ?? text.startIndex
    // A single character may be kilobytes long; then it is cut between two of its scalars.
    if whole > text.startIndex { end = whole }
    return String(text[..<end])
  }

  /// Inserts a distinguishing mark before the extension of a name.
  package static func adding(_ mark: String, to name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name[dot...].utf8.count <= 6, !name[dot...].contains("/")
    else { return name + mark }
    return name[..<dot] + mark + name[dot...]
  }

  /// A number that is equal for two paths that a file system may treat as the same.
  ///
  /// Such paths differ in case or in Unicode composition. The number differs from process to process.
  package static func key(_ path: String) -> Int { path.uppercased().lowercased().hashValue }
}
