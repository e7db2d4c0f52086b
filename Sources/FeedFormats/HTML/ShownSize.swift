/// How large a page shows a picture, by the attributes of its tag.
struct ShownSize {
  /// The width; nil when it is not said in pixels.
  private(set) var width: Int?
  private(set) var height: Int?
  /// Whether it is too small for anything but a bullet, a button or a tracking pixel.
  private(set) var isTiny = false
  /// Whether it is not shown at all.
  private(set) var isHidden = false

  init(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    let style = Self.declarations(attributes.value("style", in: bytes) ?? "")
    width = read(attributes.value("width", in: bytes)) ?? read(style["width"])
    height = read(attributes.value("height", in: bytes)) ?? read(style["height"])
    isHidden = style["display"] == "none" || style["visibility"] == "hidden"
  }

  /// Reads a length in pixels; other units and shares tell nothing.
  private mutating func read(_ text: String?) -> Int? {
    guard let text else { return nil }
    let unit = text.drop { $0.isNumber || $0 == "." }
    guard unit.isEmpty || unit.lowercased().hasPrefix("px") else { return nil }
    let length = DeclaredNumber.read(text)
    // A declared size of 0 hides the picture.
    if NotImages.isTooSmall(length ?? 0) { isTiny = true }
    return length
  }

  private static func declarations(_ style: String) -> [String: String] {
    guard !style.isEmpty else { return [:] }
    var result: [String: String] = [:]
    for declaration in style.utf8.split(separator: UInt8(ascii: ";"), maxSplits: 50) {
      let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      result[trimmed(parts[0])] = trimmed(parts[1])
    }
    return result
  }

  private static func trimmed(_ text: Substring.UTF8View) -> String {
    let bytes = text.drop { $0 <= 0x20 }
    return Substring(bytes).split(separator: " ").first?.lowercased() ?? ""
  }
}
