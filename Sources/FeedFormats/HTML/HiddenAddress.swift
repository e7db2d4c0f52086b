/// Finds pictures in attributes that only scripts read, by the values of the attributes.
///
/// Pages name these attributes as they like, so a list of names is never complete.
enum HiddenAddress {
  /// The candidates in the best of the attributes of a tag: one address with the extension of a
  /// picture, or a set of them.
  static func candidates(
    in attributes: HTMLAttributes,
    of bytes: Span<UInt8>,
    shownAt width: Int? = nil
  ) -> [Candidate] {
    var best: (rank: Int, candidates: [Candidate])?
    attributes.forEach(in: bytes) { name, value in
      guard value.count > 4, mayHoldPicture(name), value.first(UInt8(ascii: "."), from: 0) != nil
      else { return }
      let found = candidates(in: References.decoded(value.extracting(value.trimmedRange)), width)
      let name = name.text.lowercased()
      if found.isEmpty || foreign.contains(where: name.contains) { return }
      let rank = found.count > 1 ? 0 : rank(of: name)
      if rank < best?.rank ?? .max { best = (rank, found) }
    }
    return best?.candidates ?? []
  }

  /// Whether an address stands in the place of a picture that a script loads.
  static func isStandIn(_ reference: String) -> Bool {
    let bytes = reference.utf8Span.span
    if bytes.beginsIgnoringCase(with: "data:", at: 0) || bytes.begins(with: "#", at: 0)
      || bytes.beginsIgnoringCase(with: "about:", at: 0)
    {
      return true
    }
    let path = bytes.extracting(0..<bytes.endOfPath)
    let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? -1
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > slash + 1, path.count - dot == 4,
      path.count - slash <= longestName
    else { return false }
    // A stand-in is never a JPEG.
    guard ["gif", "png", "svg"].contains(path.extracting((dot + 1)...).text.lowercased()) else {
      return false
    }
    let words = path.extracting((slash + 1)..<dot).text.lowercased()
      .split { $0 == "-" || $0 == "_" || $0 == "." }
    return words.contains { standIns.contains(String($0)) }
  }

  private static let longestName = 40

  private static let standIns: Set<String> = [
    "blank", "dummy", "empty", "grey", "lazy", "lazyload", "loader", "loading", "pixel",
    "placeholder", "preloader", "spacer", "spinner", "trans", "transparent", "1x1",
  ]

  /// The candidates in the value of an attribute; empty when it is not an address or a set.
  private static func candidates(in text: String, _ width: Int?) -> [Candidate] {
    if text.hasPrefix("data:") || text.utf8.contains(UInt8(ascii: "{")) { return [] }
    if !text.utf8.contains(where: { $0 <= 0x20 }) {
      guard ImageTest.hasImageExtension(text), text.utf8.contains(UInt8(ascii: "/")) else {
        return []
      }
      return [Candidate(reference: text)]
    }
    let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
    let isSet =
      words.count.isMultiple(of: 2)
      && words.indices.allSatisfy { index in
        index.isMultiple(of: 2) ? words[index].contains("/") : isDescriptor(words[index])
      }
    return isSet ? SourceSet.candidates(in: text, shownAt: width) : []
  }

  private static func isDescriptor(_ word: Substring) -> Bool {
    let word = word.last == "," ? word.dropLast() : word
    guard let unit = word.last, unit == "w" || unit == "x" || unit == "h" else { return false }
    return Double(word.dropLast()) != nil
  }

  /// Whether an attribute is neither HTML's own nor a text.
  private static func mayHoldPicture(_ name: Span<UInt8>) -> Bool {
    for known in others where name.count == known.utf8CodeUnitCount {
      if name.beginsIgnoringCase(with: known, at: 0) { return false }
    }
    return !name.beginsIgnoringCase(with: "aria-", at: 0)
      && !name.beginsIgnoringCase(with: "on", at: 0)
  }

  private static let others: [StaticString] = [
    "alt", "src", "srcset", "sizes", "class", "style", "title", "href", "width", "height", "id",
    "name", "loading", "decoding", "longdesc", "usemap", "xml:base", "rel", "target", "data-alt",
    "data-title", "data-caption", "data-permalink", "data-image-title", "data-description",
    "data-href", "itemid", "content",
  ]

  /// The rank of an attribute among several: the full picture first, small ones last.
  private static func rank(of name: String) -> Int {
    if small.contains(where: name.contains) { return 2 }
    return full.contains(where: name.contains) ? 0 : 1
  }

  private static let full = ["full", "large", "orig", "zoom", "big", "high", "hi-res", "max"]
  private static let small = [
    "thumb", "small", "medium", "low", "tiny", "placeholder", "preview", "blur", "lqip", "hover",
    "poster", "fallback", "error",
  ]
  private static let foreign = ["avatar", "author", "icon", "logo"]
}

/// Tells the aspect ratio of a picture from its size in pixels.
///
/// HTML maps `width` and `height` to the ratio (HTML, section 15.4.3), and pages write only that.
enum AspectRatio {
  /// Whether two declared numbers are a usual ratio in its lowest terms, such as 16 and 9.
  static func isRatio(_ width: Int, _ height: Int) -> Bool {
    guard width < 32, height < 32 else { return false }
    return usual.contains(max(width, height) << 8 | min(width, height))
  }

  private static let usual: Set<Int> = Set(
    [(16, 9), (3, 2), (4, 3), (5, 4), (5, 3), (21, 9), (16, 10), (7, 5), (8, 5), (3, 1), (9, 5)]
      .map { $0.0 << 8 | $0.1 }
  )
}
