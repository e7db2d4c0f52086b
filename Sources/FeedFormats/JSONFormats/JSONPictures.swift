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

  private static func unit(_ renditions: [Candidate], _ fields: JSONFields) -> MediaUnit? {
    guard var original = renditions.first else { return nil }
    if original.width == nil, original.height == nil {
      original.width = fields[.width]?.integer
      original.height = fields[.height]?.integer
    }
    var unit = MediaUnit(isGroup: true)
    unit.renditions = [original]
    unit.thumbnails = thumbnails(of: fields)
    if unit.thumbnails.isEmpty { unit.thumbnails = Array(renditions.dropFirst()) }
    return unit
  }

  /// The small pictures that the object names.
  static func thumbnails(of fields: JSONFields) -> [Candidate] {
    fields.thumbnails.flatMap { source -> [Candidate] in
      if let text = source.value.string {
        return JSONAddress.isAddress(text) ? [candidate(text)] : []
      }
      return JSONSizes.renditions(of: source.value)
        + JSONSizes.renditions(of: source.value["sizes"] ?? .null)
    }
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
    return type.hasPrefix("video") || type.hasPrefix("audio") || type == "gifv"
  }
}
