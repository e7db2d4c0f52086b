import Models

/// What one `img` of HTML names: a picture in one or several sizes.
struct HTMLImage {
  /// The sizes it can be had in.
  var renditions: [Candidate]
  /// The picture that a link around it leads to.
  var link: Candidate?

  /// Reads the tag; nil when it says itself that it is no picture to look at.
  ///
  /// `sources` are those of the `picture` around it.
  init?(_ attributes: HTMLAttributes, in bytes: Span<UInt8>, sources: [Candidate]) {
    let size = ShownSize(attributes, in: bytes)
    guard !size.isTiny, !size.isHidden,
      !NotImages.isDecoration(class: attributes.value("class", in: bytes) ?? "")
    else { return nil }
    renditions = Self.set(attributes, in: bytes, size) + sources
    addSource(attributes, in: bytes, size)
    addOriginal(attributes, in: bytes)
    if renditions.isEmpty { return nil }
    if let base = attributes.value("xml:base", in: bytes) {
      self = rebased(on: WebAddress(base: base))
    }
  }

  /// Attributes that scripts copy to `srcset` when the picture comes into view.
  private static let lazySets: [StaticString] = [
    "data-srcset", "data-lazy-srcset", "data-original-set", "srcset",
  ]

  /// Attributes that scripts copy to `src`, which holds a stand-in until then.
  private static let lazySources: [StaticString] = [
    "data-src", "data-lazy-src", "data-original", "data-lazy", "data-original-src",
    "data-actualsrc", "data-hi-res-src", "data-src-large", "data-delayed-url", "data-image-src",
    "data-echo", "src",
  ]

  private static func set(
    _ attributes: HTMLAttributes,
    in bytes: Span<UInt8>,
    _ size: ShownSize
  ) -> [Candidate] {
    guard let text = attributes.first(of: lazySets, in: bytes) else { return [] }
    return SourceSet.candidates(in: text, shownAt: size.width)
  }

  /// The address in `src`, unless nothing tells how it compares to those of the set.
  private mutating func addSource(
    _ attributes: HTMLAttributes,
    in bytes: Span<UInt8>,
    _ size: ShownSize
  ) {
    guard let reference = attributes.first(of: Self.lazySources, in: bytes) else { return }
    if renditions.contains(where: { $0.reference == reference }) { return }
    var source = Candidate(reference: reference)
    if renditions.isEmpty || size.width != nil {
      source.width = size.width
      source.height = size.height
    } else if renditions.contains(where: { $0.assumedSide != nil }) {
      SourceSet.setDensity(of: &source, to: 1, shownAt: nil)
    } else {
      return
    }
    renditions.insert(source, at: 0)
  }

  /// The picture as it was uploaded, which WordPress and Squarespace name beside what they show.
  private mutating func addOriginal(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    let names: [StaticString] = ["data-orig-file", "data-image", "data-full-url"]
    guard let reference = attributes.first(of: names, in: bytes),
      !renditions.contains(where: { $0.reference == reference })
    else { return }
    var original = Candidate(reference: reference)
    let sizes: [StaticString] = ["data-orig-size", "data-image-dimensions"]
    let numbers = (attributes.first(of: sizes, in: bytes) ?? "").split { $0 == "," || $0 == "x" }
    if numbers.count == 2 {
      original.width = DeclaredNumber.read(String(numbers[0]))
      original.height = DeclaredNumber.read(String(numbers[1]))
    }
    renditions.insert(original, at: 0)
  }
}

extension HTMLImage {
  /// The image with its addresses relative to `base`, where nothing nearer says otherwise.
  func rebased(on base: WebAddress?) -> HTMLImage {
    guard let base else { return self }
    var image = self
    for index in image.renditions.indices where image.renditions[index].base == nil {
      image.renditions[index].base = base
    }
    if image.link?.base == nil { image.link?.base = base }
    return image
  }
}

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
