import Models

/// One `img` of HTML: a picture in one or several sizes.
struct HTMLImage {
  /// The available sizes.
  var renditions: [Candidate]
  /// The target of a link around it.
  var link: Candidate?
  /// The addresses in attributes that only scripts read.
  ///
  /// They count if the address of the tag itself turns out to be a stand-in.
  private(set) var hidden: [Candidate] = []
  /// The addresses that stand in its place until a script loads it.
  private(set) var standIns: [Candidate] = []

  /// Reads the tag; nil when its attributes mark it as not meant for viewing.
  ///
  /// `sources` are those of the `picture` around it, and `outer` is an address that scripts read from
  /// an attribute of the element around it.
  init?(
    _ attributes: HTMLAttributes,
    in bytes: Span<UInt8>,
    sources: [Candidate],
    outer: [Candidate] = []
  ) {
    var size = ShownSize(attributes, in: bytes)
    guard !size.isHidden,
      !NotImages.isDecoration(class: attributes.value("class", in: bytes) ?? "")
    else { return nil }
    let isTiny = size.isTiny
    if isTiny { size.forget() }
    renditions = Self.set(attributes, in: bytes, size) + sources
    // A picture of 2000 pixels is not shown at 16: the numbers are its ratio.
    if isTiny, !renditions.contains(where: { $0.width ?? 0 >= ThumbnailRule.enough }) { return nil }
    addSource(attributes, in: bytes, size)
    addOriginal(attributes, in: bytes)
    hidden = HiddenAddress.candidates(in: attributes, of: bytes, shownAt: size.width)
    if hidden.isEmpty { hidden = outer }
    if renditions.allSatisfy({ HiddenAddress.isStandIn($0.reference) }) { reveal() }
    if renditions.isEmpty { return nil }
    if let base = attributes.value("xml:base", in: bytes) {
      self = rebased(on: WebAddress(base: base))
    }
  }

  /// Makes a picture of addresses that scripts read from an element other than `img`.
  init(hidden: [Candidate]) { renditions = hidden }

  /// Takes the addresses that only scripts read, if there are any, in place of the tag's own.
  mutating func reveal() {
    if hidden.isEmpty { return }
    standIns += renditions
    renditions = hidden
    hidden = []
  }

  /// Attributes that scripts copy to `srcset` when the picture becomes visible.
  private static let lazySets: [StaticString] = [
    "data-srcset", "data-lazy-srcset", "data-original-set", "srcset",
  ]

  /// Attributes that scripts copy to `src`, which contains a placeholder until then.
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
    guard let text = attributes.first(of: lazySets, in: bytes), !text.hasPrefix("data:") else {
      return []
    }
    return SourceSet.candidates(in: text, shownAt: size.width)
  }

  /// Adds the address in `src`, unless its size cannot be compared with those of the set.
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

  /// Adds the uploaded picture, which WordPress and Squarespace name in addition to the displayed one.
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
  /// The image with its addresses relative to `base`, unless they have a nearer base.
  func rebased(on base: WebAddress?) -> HTMLImage {
    guard let base else { return self }
    var image = self
    Self.rebase(&image.renditions, on: base)
    if !hidden.isEmpty { Self.rebase(&image.hidden, on: base) }
    if image.link?.base == nil { image.link?.base = base }
    return image
  }

  private static func rebase(_ candidates: inout [Candidate], on base: WebAddress) {
    for index in candidates.indices where candidates[index].base == nil {
      candidates[index].base = base
    }
  }
}

/// The size at which a page displays a picture, by the attributes of its tag.
struct ShownSize {
  /// The width; nil when it is not given in pixels.
  private(set) var width: Int?
  private(set) var height: Int?
  /// Whether it is too small for anything but a bullet, a button or a tracking pixel.
  private(set) var isTiny = false
  /// Whether the page hides it.
  private(set) var isHidden = false

  init(_ attributes: HTMLAttributes, in bytes: Span<UInt8>) {
    let style = Self.declarations(attributes.value("style", in: bytes) ?? "")
    width = read(attributes.value("width", in: bytes)) ?? read(style["width"])
    height = read(attributes.value("height", in: bytes)) ?? read(style["height"])
    isHidden = style["display"] == "none" || style["visibility"] == "hidden"
    guard isTiny, let width, let height else { return }
    let fills = style["width"]?.last == "%" || attributes.value("layout", in: bytes) == "responsive"
    if fills || AspectRatio.isRatio(width, height) { forget() }
  }

  /// Forgets numbers that are not pixels.
  mutating func forget() { (width, height, isTiny) = (nil, nil, false) }

  /// Reads a length in pixels; other units and percentages count as unknown.
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

/// Reads `srcset`: addresses with the width or density of their pictures (HTML, section 4.8.4.2).
enum SourceSet {
  /// The assumed width of a picture of density 1 without any other size.
  static let assumedWidth = 640

  /// The candidates, in order; `width` is the width at which the page displays the picture.
  ///
  /// An address may contain commas: only a comma at its end, or after a descriptor, ends a candidate.
  static func candidates(in text: String, shownAt width: Int?) -> [Candidate] {
    let bytes = text.utf8Span.span
    var candidates: [Candidate] = []
    var index = 0
    while candidates.count < FormatLimits.sourceSet {
      while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == comma { index += 1 }
      guard index < bytes.count else { break }
      let start = index
      while index < bytes.count, bytes[index] > 0x20 { index += 1 }
      var end = index
      while end > start, bytes[end - 1] == comma { end -= 1 }
      var candidate = Candidate(reference: bytes.extracting(start..<end).text)
      let isEnded = end < index
      let descriptor = isEnded ? "" : readDescriptor(in: bytes, from: &index)
      describe(&candidate, by: descriptor, shownAt: width)
      candidates.append(candidate)
    }
    return candidates
  }

  private static let comma = UInt8(ascii: ",")

  private static func readDescriptor(in bytes: Span<UInt8>, from index: inout Int) -> String {
    let start = index
    index = bytes.first(comma, from: index) ?? bytes.count
    let text = bytes.extracting(start..<index)
    return text.extracting(text.trimmedRange).text
  }

  private static func describe(
    _ candidate: inout Candidate,
    by descriptor: String,
    shownAt width: Int?
  ) {
    for part in descriptor.split(separator: " ") {
      switch part.utf8.last {
      case UInt8(ascii: "w"): candidate.width = DeclaredNumber.read(String(part))
      case UInt8(ascii: "h"): candidate.height = DeclaredNumber.read(String(part))
      default: break
      }
    }
    if candidate.width != nil || candidate.height != nil { return }
    setDensity(of: &candidate, to: density(descriptor), shownAt: width)
  }

  /// Sets a candidate's size from its density, the number of its pixels for one pixel of the page.
  static func setDensity(of candidate: inout Candidate, to density: Double, shownAt width: Int?) {
    if let width, width < 100_000 {
      candidate.width = Int(Double(width) * density)
    } else {
      candidate.assumedSide = Int(Double(assumedWidth) * density)
    }
  }

  private static func density(_ descriptor: String) -> Double {
    guard descriptor.utf8.last == UInt8(ascii: "x"), let value = Double(descriptor.dropLast()),
      (0.1...10).contains(value)
    else { return 1 }
    return value
  }
}
