import Models

/// The places in an entry that name pictures.
extension EntryImages {
  func media() -> [Picture] {
    if entry.units.isEmpty { return [] }
    let units = RenditionRule.joined(Self.withImages(entry.units))
    return units.indices.compactMap { picture(of: units[$0]) }
  }

  /// The units that have images, without their other media.
  private static func withImages(_ units: [MediaUnit]) -> [MediaUnit] {
    units.compactMap { unit in
      var unit = unit
      unit.renditions.removeAll { !ImageTest.isImage($0) || !NotImages.admits($0) }
      return unit.renditions.isEmpty ? nil : unit
    }
  }

  /// The picture of a unit; the original is its largest rendition.
  private func picture(of unit: MediaUnit) -> Picture? {
    guard let index = RenditionRule.original(of: unit.renditions) else { return nil }
    guard var picture = picture(unit.renditions[index]) else {
      var rest = unit
      rest.renditions.remove(at: index)
      return self.picture(of: rest)
    }
    picture.thumbnails = small(unit.thumbnails, besides: picture.address)
    if unit.renditions.count > 1 {
      picture.renditions = unit.renditions
      picture.renditions.remove(at: index)
    }
    picture.words = unit.words
    return picture
  }

  func enclosures() -> [Picture] {
    entry.enclosures.filter { ImageTest.isImage($0) }.compactMap { picture($0) }
  }

  func field() -> [Picture] {
    for candidate in entry.fields {
      guard var picture = picture(candidate) else { continue }
      picture.thumbnails = small(entry.smallFields, besides: picture.address)
      return [picture]
    }
    return []
  }

  /// The pictures in the HTML of the whole article, else in that of the summary.
  func inMarkup() -> [Picture] {
    for markup in [entry.contentMarkup, entry.summaryMarkup] {
      guard let markup else { continue }
      let found = HTMLPictures.read(markup.bytes.span).images.compactMap { image in
        picture(of: image.rebased(on: markup.base))
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The picture that a link leads to, else the largest one of the `img`.
  private func picture(of image: HTMLImage) -> Picture? {
    let renditions = image.renditions.filter { candidate in
      picture(candidate).map { !NotImages.isDecoration($0.address) } ?? false
    }
    guard let index = RenditionRule.original(of: renditions) else { return nil }
    let linked = image.link.flatMap { picture($0) }
    guard var picture = linked ?? picture(renditions[index]) else { return nil }
    if linked != nil || renditions.count > 1 { picture.thumbnails = renditions }
    return picture
  }

  /// The pictures that represent media of another kind, such as the poster of a video.
  func posters() -> [Picture] {
    let own = entry.units.compactMap { poster(of: $0.thumbnails) }
    return own.isEmpty ? [poster(of: entry.thumbnails)].compactMap(\.self) : own
  }

  private func poster(of thumbnails: [Candidate]) -> Picture? {
    let usable = thumbnails.filter { picture($0) != nil }
    guard let index = RenditionRule.original(of: usable), var poster = picture(usable[index])
    else { return nil }
    poster.thumbnails = usable
    return poster
  }

  func podcastCover() -> [Picture] {
    [entry.podcastCover.flatMap { picture($0) }].compactMap(\.self)
  }
}

/// An image of an entry, before it has the entry's words and its thumbnail.
struct Picture {
  var address: WebAddress
  var width: Int?
  var height: Int?
  /// The declared length; some feeds declare 0 when they do not know it.
  var bytes: Int?
  /// Small pictures of it, from which to choose the thumbnail.
  var thumbnails: [Candidate] = []
  /// Its other renditions, from which to choose when the feed names no thumbnails.
  var renditions: [Candidate] = []
  var words = MediaWords()
}

/// Decides whether a `media:content`, an enclosure or an attachment is an image.
enum ImageTest {
  /// Decides by the type first; if the type is vague, by the medium, and then by the path's extension.
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

  /// Whether a type says nothing about the content.
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
    let path = bytes.extracting(0..<bytes.endOfPath)
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), (4...5).contains(path.count - dot)
    else { return false }
    return extensions.contains(path.extracting((dot + 1)...).text.lowercased())
  }

  private static let extensions: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "heic", "heif", "tif",
    "tiff", "bmp", "jxl", "svg", "jp2", "ppm", "pgm", "pbm", "pnm",
  ]
}
