/// Distinguishes addresses in JSON lists from other strings.
enum JSONAddress {
  /// Whether a string can be an address; a template with placeholders cannot.
  static func isAddress(_ text: String) -> Bool {
    if text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\n") }) {
      return false
    }
    return isAbsolute(text) || text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../")
      || ImageTest.hasImageExtension(text)
  }

  /// Whether a string has the extension of an image, and is not only a file's name.
  static func looksLikeImage(_ text: String) -> Bool {
    ImageTest.hasImageExtension(text) && !isBareName(text) && isAddress(text)
  }

  /// Whether a string is a file's name without a folder.
  static func isBareName(_ text: String) -> Bool { !text.utf8.contains(UInt8(ascii: "/")) }

  /// Whether an address is that of a site, or has the extension of a page, document, video or sound.
  static func isOtherMedium(_ text: String) -> Bool {
    if isSite(text) { return true }
    let bytes = text.utf8Span.span
    let end = bytes.endOfPath
    for dot in stride(from: end - 3, through: max(end - 6, 0), by: -1)
    where bytes[dot] == UInt8(ascii: ".") {
      return otherExtensions.contains(bytes.extracting((dot + 1)..<end).text.lowercased())
    }
    return false
  }

  /// Whether an address is that of a site: a host without a path.
  static func isSite(_ text: String) -> Bool {
    let path = text.utf8.prefix(text.utf8Span.span.endOfPath)
    return path.last == UInt8(ascii: "/") && path.count { $0 == UInt8(ascii: "/") } == 3
  }

  private static let otherExtensions: Set<String> = [
    "pdf", "djvu", "mp4", "m4v", "mov", "mpg", "mpeg", "webm", "ogv", "ogg", "oga", "opus", "mp3",
    "m4a", "wav", "flac", "mid", "zip", "stl", "gifv", "avi", "mkv", "htm", "html", "json",
  ]

  /// Whether two addresses begin with the same scheme and host.
  static func isSameHost(_ one: String, _ other: String) -> Bool {
    let one = one.utf8Span.span
    let other = other.utf8Span.span
    var slashes = 0
    for index in 0..<min(one.count, other.count) {
      guard one[index] == other[index] else { return false }
      if one[index] == UInt8(ascii: "/") { slashes += 1 }
      if slashes == 3 { return true }
    }
    return false
  }

  /// Whether a string is an absolute web address.
  static func isAbsolute(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    return bytes.begins(with: "https://", at: 0) || bytes.begins(with: "http://", at: 0)
  }
}
