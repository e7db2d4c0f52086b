/// Finds the pictures in the own members of the objects of a JSON list.
struct JSONPictures {
  var names = JSONNames()

  /// The picture with its renditions and thumbnails; nil when the object itself names no picture.
  mutating func picture(of fields: JSONFields) -> MediaUnit? {
    if Self.isOther(fields[.type]) { return nil }
    var sure: [Candidate] = []
    var unsure: [Candidate] = []
    for source in fields.originals {
      for candidate in candidates(of: source, in: fields) {
        let isSure =
          candidate.longerSide != nil || source.order < JSONRole.rankByWords
          || source.name.role?.kind == .address
        if isSure {
          sure.append(candidate)
        } else if !Self.isLone(source, in: fields) {
          unsure.append(candidate)
        }
      }
    }
    if fields.sizes.count > 1 {
      let sizes = keyed(fields.sizes, hasNames: true)
      if sizes.count > 1 { sure += sizes }
    }
    return unit(sure, unsure, fields)
  }

  /// Whether an address is only a link: neither it nor its name nor another member tells of a picture.
  private static func isLone(_ source: JSONFields.Source, in fields: JSONFields) -> Bool {
    guard JSONRole.lone.contains(source.name.plain), let text = source.value.string,
      !ImageTest.hasImageExtension(text), fields.thumbnails.isEmpty
    else { return false }
    let isImage = fields[.type]?.string?.lowercased().contains("image") ?? false
    return !isImage && fields[.width] == nil && fields[.height] == nil
  }

  /// The picture in `url` if it does not look like one, but the object's other members describe a picture.
  ///
  /// Nil when the address is more likely the web page.
  mutating func unlikelyPicture(of fields: JSONFields) -> MediaUnit? {
    guard fields.originals.isEmpty, !Self.isOther(fields[.type]),
      let text = fields[.address]?.string, JSONAddress.isAddress(text)
    else { return nil }
    let isSized = fields[.width] != nil && fields[.height] != nil
    let isImage = fields[.type]?.string?.lowercased().contains("image") ?? false
    guard isSized || isImage || Self.hasThumbnail(besides: text, in: fields) else { return nil }
    return unit([Self.candidate(text)], [], fields)
  }

  /// Whether a thumbnail is on the same host, which means that both are pictures.
  private static func hasThumbnail(besides text: String, in fields: JSONFields) -> Bool {
    fields.thumbnails.contains { thumbnail in
      thumbnail.value.string.map { JSONAddress.isSameHost(text, $0) } ?? false
    }
  }

  /// Makes a picture, whose original is the best candidate.
  ///
  /// The other sure candidates may be thumbnails if the object has no thumbnails, or only tiny ones.
  private mutating func unit(
    _ sure: [Candidate],
    _ unsure: [Candidate],
    _ fields: JSONFields
  ) -> MediaUnit? {
    var sure = sure.filter { !JSONAddress.isOtherMedium($0.reference) }
    var unsure = unsure.filter { !JSONAddress.isOtherMedium($0.reference) }
    guard let best = Self.best(of: sure) ?? Self.best(of: unsure) else { return nil }
    var original = sure.isEmpty ? unsure.remove(at: best) : sure.remove(at: best)
    if original.width == nil, original.height == nil {
      let details = fields.thumbnails.lazy.map(\.value).first { $0["sizes"] != nil }
      original.width = (fields[.width] ?? details?["width"])?.integer
      original.height = (fields[.height] ?? details?["height"])?.integer
    }
    // Beside a width and a height, a size is that of the file.
    let isSized = fields[.width] != nil && fields[.height] != nil
    if let bytes = fields[.bytes]?.integer, isSized || bytes > Self.longestSide {
      original.bytes = bytes
    }
    var small = thumbnails(of: fields)
    let areTiny = small.allSatisfy { $0.longerSide ?? .max < ThumbnailRule.enough }
    if areTiny { small += sure }
    var unit = MediaUnit(isGroup: true, renditions: [original], thumbnails: small)
    unit.spares = sure
    return unit
  }

  /// The rendition with the best name, unless another is known to be larger.
  private static func best(of renditions: [Candidate]) -> Int? {
    guard var best = renditions.indices.first else { return nil }
    for index in renditions.indices.dropFirst() {
      guard let known = renditions[best].longerSide else { break }
      if let side = renditions[index].longerSide, side > known { best = index }
    }
    return best
  }

  /// The small pictures that the object names.
  mutating func thumbnails(of fields: JSONFields) -> [Candidate] {
    var found: [Candidate] = []
    for source in fields.thumbnails {
      found += candidates(of: source, in: fields)
      if let sizes = source.value["sizes"] { found += keyed(sizes) }
    }
    for preview in fields.previews {
      let picture = preview["images"]?.elements.first ?? .null
      found += (picture["resolutions"]?.elements ?? []).prefix(FormatLimits.sizes)
        .compactMap { sized($0) }
    }
    // A declared size is more reliable than the usual meaning of a name.
    if found.contains(where: \.isSized) {
      for index in found.indices { found[index].assumedSide = nil }
    }
    return found
  }

  /// A picture of which only the address is known.
  static func picture(at reference: String) -> MediaUnit {
    MediaUnit(isGroup: true, renditions: [candidate(reference)])
  }

  /// A picture from a list of sizes, the largest of which is the original.
  static func picture(in renditions: [Candidate]) -> MediaUnit? {
    guard let best = best(of: renditions) else { return nil }
    var others = renditions
    let original = others.remove(at: best)
    var unit = MediaUnit(isGroup: true, renditions: [original], thumbnails: others)
    unit.spares = others
    return unit
  }

  private mutating func candidates(
    of source: JSONFields.Source,
    in fields: JSONFields
  ) -> [Candidate] {
    switch source.value {
    case .object: return keyed(source.value)
    case .array(let elements):
      return elements.prefix(FormatLimits.sizes).compactMap { sized($0) }
    default:
      guard let text = source.value.string, JSONAddress.isAddress(text) else { return [] }
      var result = Self.candidate(text)
      result.assumedSide = source.name.size?.side
      for measure in fields.measures where measure.measures(source) {
        let isWidth = measure.name.plain.contains("width")
        if isWidth { result.width = measure.value.integer }
        if !isWidth { result.height = measure.value.integer }
      }
      return [result]
    }
  }

  static func candidate(_ reference: String) -> Candidate {
    Candidate(reference: reference, type: "image")
  }

  /// Whether the object's type is a video or another medium.
  private static func isOther(_ type: JSONValue?) -> Bool {
    guard let type = type?.string?.lowercased() else { return false }
    if type.hasPrefix("application/") { return !type.hasSuffix("octet-stream") }
    return type.hasPrefix("video") || type.hasPrefix("audio") || type == "gifv"
  }
}
