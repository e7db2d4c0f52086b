/// Tells whether a `media:content`, an enclosure or an attachment is an image.
enum ImageTest {
  /// Goes by the type, which wins over all else; where that says nothing, by the medium, and then
  /// by the path's extension.
  static func isImage(_ candidate: Candidate) -> Bool {
    let type = candidate.type ?? ""
    let bytes = type.utf8Span.span
    if bytes.beginsIgnoringCase(with: "image", at: 0) {
      return bytes.count == 5 || bytes[5] == UInt8(ascii: "/")
    }
    guard isVague(type.lowercased()) else { return false }
    if let medium = candidate.medium?.lowercased() { return medium == "image" }
    return hasImageExtension(candidate.reference)
  }

  /// Whether a type says nothing about what there is.
  private static func isVague(_ type: String) -> Bool {
    if type.isEmpty { return true }
    let essence = type.prefix { $0 != ";" && $0 != " " }
    return vagueTypes.contains(String(essence)) || !essence.contains("/")
  }

  private static let vagueTypes: Set<String> = [
    "application/octet-stream", "binary/octet-stream", "text/html",
  ]

  /// Whether the path of an address ends in the extension of an image format.
  static func hasImageExtension(_ address: String) -> Bool {
    let bytes = address.utf8Span.span
    var end = 0
    var dot: Int?
    while end < bytes.count, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
      if bytes[end] == UInt8(ascii: ".") { dot = end }
      end += 1
    }
    guard let dot, (4...5).contains(end - dot) else { return false }
    return extensions.contains(bytes.extracting((dot + 1)..<end).text.lowercased())
  }

  private static let extensions: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "heic", "heif", "tif",
    "tiff", "bmp", "jxl", "svg", "jp2", "ppm", "pgm", "pbm", "pnm",
  ]
}
