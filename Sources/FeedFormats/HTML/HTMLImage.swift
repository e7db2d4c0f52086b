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
