import Models

/// Tells pictures apart by their addresses.
///
/// Two addresses are of one picture if they differ only in parts that name its size, crop, quality
/// or format, that sign the address, or that name a proxy or a shard in front. Any other member of
/// the query tells two pictures apart: `photo.php?id=1` is not `photo.php?id=2`.
enum PictureKey {
  /// A text that is equal for all addresses of one picture.
  static func key(of address: String) -> String {
    if address.utf8.count > FormatLimits.address { return address }
    let address = EmbeddedAddress.inside(address) ?? address
    let bytes = address.utf8Span.span
    let end = bytes.endOfPath
    var start = 0
    if let colon = bytes.first(UInt8(ascii: ":"), from: 0), bytes.begins(with: "://", at: colon) {
      start = colon + 3
    }
    var segments = Substring(address.utf8.prefix(end).dropFirst(start))
      .split(separator: "/", omittingEmptySubsequences: true)
    var key = start > 0 && !segments.isEmpty ? host(&segments) : ""
    key += path(segments)
    if end < bytes.count, bytes[end] == UInt8(ascii: "?") {
      let members = Substring(address.utf8.dropFirst(end + 1)).prefix { $0 != "#" }
      key += query(members, isOfImage: ImageTest.hasImageExtension(address))
    }
    return key
  }

  /// Takes the host, without a shard or a proxy in front.
  private static func host(_ segments: inout [Substring]) -> String {
    var host = segments.removeFirst().lowercased()
    // Jetpack: `i0.wp.com/HOST/…`.
    if host.hasSuffix(".wp.com"), host.hasPrefix("i"), segments.first?.contains(".") == true {
      host = segments.removeFirst().lowercased()
    }
    // Cloudflare: `/cdn-cgi/image/width=800/…`.
    if segments.first == "cdn-cgi", segments.count > 3 { segments.removeFirst(2) }
    var labels = host.split(separator: ".")[...]
    while labels.count > 2, let first = labels.first, isShard(first) { labels.removeFirst() }
    return labels.joined(separator: ".")
  }

  /// Whether the first label of a host names one of several servers: `www`, `cdn2`, `i0`, `4`.
  private static func isShard(_ label: Substring) -> Bool {
    let digits = label.utf8.reversed().prefix { $0.isDigit }.count
    let word = label.utf8.dropLast(digits)
    if word.isEmpty { return digits < 3 && label.utf8.count < 3 }
    return digits < 4 && shards.contains(String(Substring(word)))
  }

  private static let shards: Set<String> = [
    "www", "cdn", "i", "img", "image", "images", "static", "media", "assets", "farm", "live", "s",
    "p", "pic", "pics", "photo", "photos", "files", "preview",
  ]

  private static func path(_ segments: [Substring]) -> String {
    var segments = segments[...]
    guard var name = segments.popLast() else { return "/" }
    // Wikimedia: `/thumb/a/ab/Name.jpg/800px-Name.jpg`.
    if let last = segments.last, ImageTest.hasImageExtension(String(last)),
      name.hasSuffix(last) || RenditionPart.pixels(name) != nil
    {
      name = segments.removeLast()
    }
    var path = ""
    var follows = false
    for segment in segments {
      let isNumber = segment.utf8.allSatisfy(\.isDigit)
      let isPart = follows && isNumber || RenditionPart.isSegment(segment)
      if !isPart { path += "/" + segment }
      // `/max/1024/`, `/fit-in/600/400/`.
      follows = isPart && (isNumber || RenditionPart.precedesNumbers(segment))
    }
    return path + "/" + RenditionPart.stem(of: name)
  }

  private static func query(_ query: Substring, isOfImage: Bool) -> String {
    var result = ""
    for member in query.split(separator: "&") {
      let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].lowercased()
      let value = parts.count > 1 ? parts[1] : ""
      if Self.names.contains(name) || Self.beginnings.contains(where: name.hasPrefix) { continue }
      if isOfImage, Self.namesForFiles.contains(name) { continue }
      // Twitter: `name=900x900`.
      if Self.sizeNames.contains(name), RenditionPart.isSize(value) { continue }
      result += (result.isEmpty ? "?" : "&") + member
    }
    return result
  }

  /// Members of the query that name a size, a crop, a quality, a format or a signature.
  private static let names: Set<String> = Set(
    """
    w h width height sz size resize resized resizing fit crop rect zoom quality q qlt dpr scale
    fm format fmt output auto ssl strip webp lossy optimize optimise compress progressive
    maxwidth maxheight max-w max-h max_w max_h minwidth minheight min-w min-h imwidth imheight
    impolicy wid hei cropw croph gravity focus focal trim pad bg blur sharp
    sharpen usm fp-x fp-y fp-z cs icc colorspace interpolation downsize enlarge upscale
    token sig signature sign hmac expires expire exp policy key-pair-id hdnea hdnts hm
    ixid ixlib itok oh oe stp ccb efg ig_cache_key se sp sv sr st is-pending-load
    fbclid gclid
    """
    .split(whereSeparator: \.isWhitespace).map(String.init)
  )

  /// Such members of an address of an image file; with a program, they may tell two pictures apart.
  private static let namesForFiles: Set<String> = [
    "s", "hash", "position", "mode", "background", "is", "ex",
  ]

  private static let beginnings = ["x-amz-", "x-goog-", "utm_", "_nc_"]

  private static let sizeNames: Set<String> = [
    "name", "variant", "preset", "style", "version", "v",
  ]
}

/// Recognises the parts of an address that name a rendition of a picture.
enum RenditionPart {
  /// Whether a folder of a path names a size, a crop, a quality, a format or a signature.
  static func isSegment(_ segment: Substring) -> Bool {
    isSize(segment) || isSpecification(segment) || foldersOfSizes.contains(segment.lowercased())
      || isSignature(segment)
  }

  private static let foldersOfSizes: Set<String> = [
    "unsafe", "smart", "fit-in", "thumb", "thumbs", "thumbnail", "thumbnails", "fullsize",
    "max", "resize", "size", "crop", "scaled", "resized",
  ]

  /// Whether numbers behind a folder of this name are sizes.
  static func precedesNumbers(_ segment: Substring) -> Bool {
    ["max", "resize", "size", "crop", "fit-in", "fit", "width", "height"]
      .contains(segment.lowercased())
  }

  /// Whether a text is only a size: `300x200`, `s1600`, `w400-h300-no`, `800px`, `large`, `!640,`.
  static func isSize(_ text: Substring) -> Bool {
    side(in: text) != nil || words.keys.contains(text.lowercased())
  }

  /// The longer side that a text, which is only a size, names in pixels; 0 for the full size.
  static func side(in text: Substring) -> Int? {
    measures(in: text) ?? google(text) ?? iiif(text)
      ?? (text.hasSuffix("px") ? pixels(text + "-") : nil)
  }

  /// The number in `800px-Name.jpg`.
  static func pixels(_ text: Substring) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return text[digits.endIndex...].hasPrefix("px-") ? number(digits) : nil
  }

  /// `300x200`, `300x`, `x200`, also with a mark behind, as in `300x200_crop`.
  private static func measures(in text: Substring) -> Int? {
    guard let x = text.utf8.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "x") }) else {
      return nil
    }
    let width = text[..<x]
    let behind = text[text.utf8.index(after: x)...]
    let height = behind.prefix { $0.isASCII && $0.isNumber }
    let rest = behind[height.endIndex...]
    guard width.utf8.allSatisfy(\.isDigit), width.utf8.count < 6, height.utf8.count < 6,
      !width.isEmpty || !height.isEmpty,
      rest.isEmpty || rest == "c" || rest.first == "_" || rest.first == "@"
    else { return nil }
    return max(Int(width) ?? 0, Int(height) ?? 0)
  }

  /// Google's `s1600`, `w400-h300-no`, `s72-c`, `s0`; the first part must be a size.
  private static func google(_ text: Substring) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, let side = lettered(first),
      parts.dropFirst().allSatisfy({ $0.utf8.count <= 5 && $0.utf8.first.map(\.isLetter) == true })
    else { return nil }
    return max(side, parts.dropFirst().first.flatMap(lettered) ?? 0)
  }

  private static func lettered(_ text: Substring) -> Int? {
    guard let letter = text.first, letter == "s" || letter == "w" || letter == "h" else {
      return nil
    }
    return number(text.dropFirst()).flatMap { $0 == 0 || $0 >= 16 ? $0 : nil }
  }

  /// The sizes of the IIIF Image API: `400,`, `,300`, `!640,480`.
  private static func iiif(_ text: Substring) -> Int? {
    let text = text.first == "!" ? text.dropFirst() : text
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty || !parts[1].isEmpty,
      parts.allSatisfy({ $0.isEmpty || number($0) != nil })
    else { return nil }
    return parts.compactMap(number).max()
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(text)
  }

  /// A list of instructions to a server of pictures: `w_800,c_fill`, `width=800,quality=85`,
  /// `resize:fit:1400`, `q_auto:good`.
  private static func isSpecification(_ segment: Substring) -> Bool {
    let parts = segment.split(separator: ",")
    return !parts.isEmpty && parts.allSatisfy(isInstruction)
      && (parts.count > 1 || isSureInstruction(parts[0]))
  }

  private static func isInstruction(_ part: Substring) -> Bool {
    let part = part.first == "$" ? part.dropFirst() : part
    let head = part.prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
    guard let mark = part[head.endIndex...].first, !head.isEmpty else { return false }
    return mark == "_" && head.utf8.count <= 4 || isSureInstruction(part)
  }

  private static func isSureInstruction(_ part: Substring) -> Bool {
    let head = part.prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
    let value = part[head.endIndex...].dropFirst()
    switch part[head.endIndex...].first {
    case "_":
      return ["w", "h", "q", "dpr"].contains(head) && value.first?.isNumber == true
        || instructions.contains(part.prefix { $0 != ":" }.description)
    case "=", ":": return named.contains(head.lowercased())
    default: return false
    }
  }

  private static let instructions: Set<String> = [
    "q_auto", "f_auto", "f_jpg", "f_jpeg", "f_png", "f_webp", "f_avif", "c_fill", "c_fit",
    "c_limit",
    "c_scale", "c_crop", "c_thumb", "c_pad", "c_lfill", "g_auto", "g_face", "g_center",
    "fl_progressive", "fl_lossy", "dpr_auto", "w_auto",
  ]

  private static let named: Set<String> = [
    "w", "h", "q", "width", "height", "quality", "format", "fit", "resize", "size", "max", "rs",
    "crop", "gravity", "g", "dpr", "filters", "onerror", "sharpen", "plain",
  ]

  /// The signature of a server of pictures (Thumbor): 27 characters of Base64 and an equals sign.
  private static func isSignature(_ segment: Substring) -> Bool {
    segment.utf8.count == 28 && segment.utf8.last == UInt8(ascii: "=")
  }

  /// The words for sizes, with the longer side that each usually means; 0 for the full size.
  private static let words = [
    "thumb": 150, "thumbnail": 150, "tiny": 100, "mini": 100, "square": 150, "small": 320,
    "preview": 320, "medium": 640, "large": 1024, "big": 1024, "hd": 1280, "xlarge": 1600,
    "full": 0, "fullsize": 0, "original": 0, "orig": 0, "max": 0, "raw": 0, "scaled": 0, "xl": 1600,
    "xxl": 2048, "lg": 1024, "md": 640, "sm": 320, "xs": 150, "hires": 0, "lowres": 320,
  ]
}

/// The names of files without the parts that name a rendition.
extension RenditionPart {
  /// A file's name without its extension and the parts that name a rendition.
  static func stem(of name: Substring) -> String {
    var stem = withoutExtension(name)
    if let id = flickrID(stem) { return id }
    if let mark = stem.lastIndex(of: "="), isSize(stem[stem.index(after: mark)...]) {
      stem = stem[..<mark]
    }
    if let mark = stem.lastIndex(of: ":"), isSize(stem[stem.index(after: mark)...]) {
      stem = withoutExtension(stem[..<mark])
    }
    for _ in 0..<mostSizes {
      guard let shorter = withoutSize(stem) else { break }
      stem = shorter
    }
    return String(stem)
  }

  /// The most sizes to take from one name.
  private static let mostSizes = 4

  /// The longer side that an address names anywhere; nil when it names none, 0 for the full size.
  static func side(of address: String) -> Int? {
    if address.utf8.count > FormatLimits.address { return nil }
    if let side = SizeInAddress.longerSide(of: address) { return side }
    let bytes = address.utf8Span.span
    var sides: [Int] = []
    var segments = Substring(address.utf8.prefix(bytes.endOfPath)).split(separator: "/").dropFirst()
    guard let name = segments.popLast() else { return nil }
    for segment in segments {
      if isSize(segment) { sides.append(side(in: segment) ?? words[segment.lowercased()] ?? 0) }
      for part in segment.split(separator: ",") where part.hasPrefix("w_") || part.hasPrefix("h_") {
        sides.append(number(part.dropFirst(2)) ?? 0)
      }
    }
    let stem = withoutExtension(name)
    let mark = stem.lastIndex { "-_=.~:".contains($0) }
    if let end = mark.map({ stem[stem.index(after: $0)...] }), isSize(end) {
      sides.append(side(in: end) ?? words[end.lowercased()] ?? 0)
    } else if let google = stem.firstIndex(of: "=").map({ stem[stem.index(after: $0)...] }),
      let side = side(in: google)
    {
      sides.append(side)
    }
    if let pixels = pixels(name) { sides.append(pixels) }
    return sides.max()
  }

  private static func withoutExtension(_ name: Substring) -> Substring {
    var name = name
    for _ in 0..<2 {
      guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
        ImageTest.hasImageExtension(String(name))
      else { break }
      name = name[..<dot]
    }
    return name
  }

  /// The name without one size at its end or its beginning; nil when it has none.
  private static func withoutSize(_ stem: Substring) -> Substring? {
    if let at = stem.lastIndex(of: "@"), at > stem.startIndex, stem.hasSuffix("x"),
      stem[stem.index(after: at)...].dropLast().allSatisfy(\.isNumber)
    {
      return stem[..<at]
    }
    if let mark = stem.lastIndex(where: { "-_.~".contains($0) }), mark > stem.startIndex {
      let end = stem[stem.index(after: mark)...]
      if isMeasured(end) || words.keys.contains(end.lowercased()) { return stem[..<mark] }
    }
    if pixels(stem) != nil, let mark = stem.firstIndex(of: "-") {
      return stem[stem.index(after: mark)...]
    }
    guard let mark = stem.firstIndex(of: "_"), words.keys.contains(stem[..<mark].lowercased()),
      stem.index(after: mark) < stem.endIndex
    else { return nil }
    return stem[stem.index(after: mark)...]
  }

  /// Whether the end of a name is a size in pixels: `1024x683`, `600x`, `800w`, `640px`.
  private static func isMeasured(_ end: Substring) -> Bool {
    if let side = measures(in: end) { return side >= 16 }
    guard end.hasSuffix("w") || end.hasSuffix("px") else { return false }
    return number(end.dropLast(end.hasSuffix("w") ? 1 : 2)).map { $0 >= 16 } ?? false
  }

  /// The id of a photograph at Flickr: `51234567890_0123456789_z`; the end is the size.
  private static func flickrID(_ stem: Substring) -> String? {
    let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0].utf8.count >= 8,
      parts[0].utf8.allSatisfy(\.isDigit), parts[1].utf8.count == 10,
      parts[1].utf8.allSatisfy({ CharacterReference.hexadecimalDigit($0) != nil }),
      parts.count == 2 || (1...2).contains(parts[2].utf8.count)
    else { return nil }
    return String(parts[0])
  }
}

/// Finds the address of a picture inside the address of a proxy.
enum EmbeddedAddress {
  /// The address of a picture inside another one: `/w_800/https%3A%2F%2Fa.b%2Fc.jpg`, `?url=…`.
  static func inside(_ address: String) -> String? {
    let bytes = address.utf8Span.span
    guard bytes.count > least else { return nil }
    var start = least
    for _ in 0..<mostTries {
      guard let index = bytes.firstIgnoringCase("http", from: start) else { break }
      start = index + 1
      if let inner = inner(of: address, at: index) { return inner }
    }
    return nil
  }

  /// The shortest beginning of an address in front of another: `https://a.b/`.
  private static let least = 11
  /// The most places in an address to try.
  private static let mostTries = 4

  private static func inner(of address: String, at index: Int) -> String? {
    let bytes = address.utf8Span.span
    let end = bytes.endOfPath
    let before = bytes[index - 1]
    var inner = Substring(address.utf8.dropFirst(index))
    if index > end {
      guard before == UInt8(ascii: "=") else { return nil }
      inner = inner.prefix { $0 != "&" }
    } else {
      guard before == UInt8(ascii: "/") else { return nil }
    }
    var text = String(inner)
    if isEscaped(text) {
      text = PercentEncoding.decode(String(inner.prefix { $0 != "?" }))
    }
    guard JSONAddress.isAbsolute(text), ImageTest.hasImageExtension(text) else { return nil }
    return text
  }

  private static func isEscaped(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    return bytes.beginsIgnoringCase(with: "http%3a", at: 0)
      || bytes.beginsIgnoringCase(with: "https%3a", at: 0)
  }
}
