/// Finds the picture that an object of a JSON list names in its own members.
enum JSONPictures {
  /// The picture with its renditions and thumbnails; nil when the object itself names none.
  static func picture(of fields: JSONFields, in object: JSONValue) -> MediaUnit? {
    if isOther(fields[.type]) { return nil }
    var renditions = fields.originals.flatMap { Self.renditions(of: $0, in: object) }
    if let text = addressOfImage(in: fields) { renditions.append(candidate(text)) }
    return unit(renditions, fields)
  }

  /// The picture that `url` names without looking like one, when all else the object says is about
  /// a picture; nil when it is more likely the web page.
  static func unlikelyPicture(of fields: JSONFields) -> MediaUnit? {
    guard fields.originals.isEmpty, !isOther(fields[.type]),
      let text = fields[.address]?.string, JSONAddress.isAddress(text)
    else { return nil }
    let isSized = fields[.width] != nil && fields[.height] != nil
    let isImage = fields[.type]?.string?.lowercased().contains("image") ?? false
    guard isSized || isImage || hasThumbnail(besides: text, in: fields) else { return nil }
    return unit([candidate(text)], fields)
  }

  /// Whether there is a thumbnail on the same host, so that both are pictures.
  private static func hasThumbnail(besides text: String, in fields: JSONFields) -> Bool {
    fields.thumbnails.contains { thumbnail in
      thumbnail.value.string.map { JSONAddress.isSameHost(text, $0) } ?? false
    }
  }

  private static func unit(_ candidates: [Candidate], _ fields: JSONFields) -> MediaUnit? {
    var renditions = candidates.filter { !JSONAddress.isOtherMedium($0.reference) }
    guard let index = best(of: renditions) else { return nil }
    var original = renditions.remove(at: index)
    if original.width == nil, original.height == nil {
      let details = fields.thumbnails.lazy.map(\.value).first { $0["sizes"] != nil }
      original.width = (fields[.width] ?? details?["width"])?.integer
      original.height = (fields[.height] ?? details?["height"])?.integer
    }
    var unit = MediaUnit(isGroup: true)
    unit.renditions = [original]
    unit.thumbnails = thumbnails(of: fields)
    if unit.thumbnails.isEmpty { unit.thumbnails = renditions }
    return unit
  }

  /// The rendition whose name promises most, unless another is known to be larger.
  private static func best(of renditions: [Candidate]) -> Int? {
    guard var best = renditions.indices.first else { return nil }
    for index in renditions.indices.dropFirst() {
      guard let known = renditions[best].longerSide else { break }
      if let side = renditions[index].longerSide, side > known { best = index }
    }
    return best
  }

  /// The small pictures that the object names.
  static func thumbnails(of fields: JSONFields) -> [Candidate] {
    fields.thumbnails.flatMap { source -> [Candidate] in
      if let text = source.value.string {
        return JSONAddress.isAddress(text) ? [candidate(text)] : []
      }
      return JSONSizes.renditions(of: source.value)
        + JSONSizes.renditions(of: source.value["sizes"] ?? .null)
        + source.value.elements.prefix(FormatLimits.sizes).compactMap(sized)
    }
      + fields.previews.flatMap { preview in
        let picture = preview["images"]?.elements.first ?? .null
        return (picture["resolutions"]?.elements ?? []).prefix(FormatLimits.sizes).compactMap(sized)
      }
  }

  /// One of a list of sizes: `{"url": "…", "width": 216, "height": 108}`.
  private static func sized(_ value: JSONValue) -> Candidate? {
    guard let text = value["url"]?.string ?? value["src"]?.string, value["width"] != nil,
      JSONAddress.isAddress(text)
    else { return nil }
    var small = candidate(text)
    small.width = value["width"]?.integer
    small.height = value["height"]?.integer
    return small
  }

  /// A picture that stands as an address alone.
  static func picture(at reference: String) -> MediaUnit {
    var unit = MediaUnit(isGroup: true)
    unit.renditions = [candidate(reference)]
    return unit
  }

  private static func renditions(
    of source: JSONFields.Source,
    in object: JSONValue
  ) -> [Candidate] {
    guard let text = source.value.string else { return JSONSizes.renditions(of: source.value) }
    guard JSONAddress.isAddress(text) else { return [] }
    var result = candidate(text)
    // Flickr gives the size of `url_l` as `width_l` and `height_l`.
    if let mark = source.key.utf8.lastIndex(of: UInt8(ascii: "_")) {
      result.width = object["width" + source.key[mark...]]?.integer
      result.height = object["height" + source.key[mark...]]?.integer
    }
    return [result]
  }

  private static func candidate(_ reference: String) -> Candidate {
    var candidate = Candidate(reference: reference)
    candidate.type = "image"
    return candidate
  }

  /// The member `url`, which in some lists is the picture and in some the web page, where it
  /// looks like a picture.
  private static func addressOfImage(in fields: JSONFields) -> String? {
    guard let text = fields[.address]?.string, JSONAddress.isAddress(text) else { return nil }
    return ImageTest.hasImageExtension(text) ? text : nil
  }

  /// Whether the object says that it is a video or the like.
  private static func isOther(_ type: JSONValue?) -> Bool {
    guard let type = type?.string?.lowercased() else { return false }
    if type.hasPrefix("application/") { return !type.hasSuffix("octet-stream") }
    return type.hasPrefix("video") || type.hasPrefix("audio") || type == "gifv"
  }
}

/// Objects that name one picture in several sizes: `{"full": "…", "regular": "…", "thumb": "…"}`.
enum JSONSizes {
  /// The renditions, the largest first; empty when the object is something else.
  static func renditions(of object: JSONValue) -> [Candidate] {
    var found: [(rank: Int, candidate: Candidate)] = []
    for member in object.members where found.count < FormatLimits.sizes {
      guard let (rank, side) = table[normalized(member.key)],
        let candidate = candidate(member.value, side: side, in: object)
      else { continue }
      found.append((rank, candidate))
    }
    return found.sorted { $0.rank < $1.rank }.map(\.candidate)
  }

  private static func candidate(
    _ value: JSONValue,
    side: Int?,
    in object: JSONValue
  ) -> Candidate? {
    let holder = value.string == nil ? value : object
    let reference =
      value.string ?? value["url"]?.string ?? value["src"]?.string ?? value["href"]?.string
      ?? value["source_url"]?.string
    guard let reference, JSONAddress.isAddress(reference) else { return nil }
    var candidate = Candidate(reference: reference)
    candidate.width = holder["width"]?.integer
    candidate.height = holder["height"]?.integer
    candidate.assumedSide = side
    candidate.type = "image"
    return candidate
  }

  private static func normalized(_ name: String) -> String {
    String(
      decoding: name.utf8.filter { $0.isLetter || $0.isDigit }.map(\.lowercased),
      as: UTF8.self
    )
  }

  /// Each name with its rank and the longer side it usually means.
  private static let table: [String: (rank: Int, side: Int?)] = {
    var table: [String: (rank: Int, side: Int?)] = [:]
    for (rank, size) in sizes.enumerated() {
      for name in size.names.split(separator: " ") { table[String(name)] = (rank, size.side) }
    }
    return table
  }()

  private static let sizes: [(names: String, side: Int?)] = [
    ("original orig originalurl originalimage o", nil), ("max full fullsize", nil), ("raw", nil),
    ("xxlarge extralarge xlarge 2xlarge large2x", 2048), ("print", nil), ("k h", 2048),
    ("big large l b hd hq", 1024), ("source highres", nil),
    ("regular standard default standardresolution", 1080),
    ("url href src link sourceurl", nil), ("mediumlarge c z", 800), ("web", 900),
    ("medium", 500), ("landscape portrait", 800), ("lowresolution low", 320),
    ("small n", 320), ("m s preview", 240), ("thumbnail thumb", 200), ("q tiny", 150), ("t", 100),
    ("square sq icon mini smallsquare", 75),
  ]
}

/// Tells addresses in JSON lists from other strings.
enum JSONAddress {
  /// Whether a string can be an address; a template to be filled in cannot.
  static func isAddress(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    for index in bytes.indices
    where bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "\n") {
      return false
    }
    return isAbsolute(text) || text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../")
      || ImageTest.hasImageExtension(text)
  }

  /// Whether the path of an address ends as those of documents, videos and sounds do.
  static func isOtherMedium(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    let end = min(
      bytes.first(UInt8(ascii: "?"), from: 0) ?? bytes.count,
      bytes.first(UInt8(ascii: "#"), from: 0) ?? bytes.count
    )
    for dot in stride(from: end - 3, through: max(end - 6, 0), by: -1)
    where bytes[dot] == UInt8(ascii: ".") {
      return otherExtensions.contains(bytes.extracting((dot + 1)..<end).text.lowercased())
    }
    return false
  }

  private static let otherExtensions: Set<String> = [
    "pdf", "djvu", "mp4", "m4v", "mov", "mpg", "mpeg", "webm", "ogv", "ogg", "oga", "opus", "mp3",
    "m4a", "wav", "flac", "mid", "zip", "stl", "gifv", "avi", "mkv",
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

  /// Whether a string is a whole address of the web.
  static func isAbsolute(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    return bytes.begins(with: "https://", at: 0) || bytes.begins(with: "http://", at: 0)
  }
}
