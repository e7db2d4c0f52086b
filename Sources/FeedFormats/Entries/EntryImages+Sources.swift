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
    picture.others = picture.renditions + unit.spares
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
      picture.others = entry.smallFields
      return [picture]
    }
    return []
  }

  /// The pictures in the HTML of the whole article, else in that of the summary.
  func inMarkup() -> [Picture] {
    for markup in [entry.contentMarkup, entry.summaryMarkup] {
      guard let markup else { continue }
      let found = HTMLPictures.read(markup.bytes.span).images.compactMap { image in
        picture(of: revealed(image).rebased(on: markup.base))
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The image with the address that a script loads, if its own stands in the place of several.
  func revealed(_ image: HTMLImage) -> HTMLImage {
    guard let hidden = image.hidden.first, let shown = image.renditions.first else { return image }
    var image = image
    if repeated.standIns.contains(shown.reference) {
      image.reveal()
    } else {
      note(standIn: shown.reference, for: hidden.reference)
    }
    return image
  }

  /// The picture that a link leads to, else the largest one of the `img`.
  private func picture(of image: HTMLImage) -> Picture? {
    let isLarge = image.renditions.contains {
      $0.isSized && !NotImages.isTooSmall($0.longerSide ?? 0)
    }
    let renditions = image.renditions.filter { candidate in
      picture(candidate).map { !NotImages.isDecoration($0.address, isLarge: isLarge) } ?? false
    }
    guard let index = RenditionRule.original(of: renditions) else { return nil }
    let linked = image.link.flatMap { link in
      LinkedPicture.leads(link.reference, from: image) ? picture(link) : nil
    }
    guard var picture = linked ?? picture(renditions[index]) else { return nil }
    if let link = image.link { picture.leadsToPage = link.reference == entry.link }
    if linked != nil || renditions.count > 1 {
      picture.thumbnails = renditions
      picture.others = renditions
    }
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
    poster.others = usable
    return poster
  }

  func podcastCover() -> [Picture] {
    [entry.podcastCover.flatMap { picture($0) }].compactMap(\.self)
  }
}

/// The pictures of an entry from several sources, each picture once.
enum PictureUnion {
  /// The pictures in front of the text, then those in it.
  ///
  /// If the text contains one of those in front, it is the longer list, and its order counts. If it does not, but has
  /// a thumbnail of one of them, that is no other picture. `thumbnails` are those of the whole entry: they may be of a
  /// picture in the text as well, and so count only as links to the entry's page.
  static func of(
    _ front: [Picture],
    _ text: [Picture],
    thumbnails: [WebAddress] = []
  ) -> [Picture] {
    var front = front
    for index in front.indices { front[index].isFront = true }
    if front.count + text.count < 2 { return front + text }
    let ahead = Pictures(front)
    let inText = Pictures(text)
    guard ahead.all.contains(where: { inText.indexes[$0.key] != nil }) else {
      let own = ahead.thumbnails
      let ofEntry: Set<String> = ahead.all.count == 1 ? Set(thumbnails.map(\.identity)) : []
      let others = inText.all.map(\.picture).filter { picture in
        let identity = picture.address.identity
        return !own.contains(identity) && !(picture.leadsToPage && ofEntry.contains(identity))
      }
      return ahead.all.map(\.picture) + others
    }
    let others = ahead.all.filter { inText.indexes[$0.key] == nil }.map(\.picture)
    return others
      + inText.all.map { key, picture in
        guard let index = ahead.indexes[key] else { return picture }
        var both = ahead.all[index].picture
        both.add(picture)
        return both
      }
  }

  /// Pictures by their keys.
  private struct Pictures {
    private(set) var all: [(key: String, picture: Picture)] = []
    private(set) var indexes: [String: Int] = [:]

    init(_ pictures: [Picture]) {
      for picture in pictures {
        let key = PictureKey.key(of: picture.address.text)
        if let index = indexes[key] {
          all[index].picture.add(picture)
        } else {
          indexes[key] = all.count
          all.append((key, picture))
        }
      }
    }

    /// The identities of their own thumbnails.
    var thumbnails: Set<String> {
      let addresses = all.flatMap { $0.picture.thumbnails.compactMap(\.address) }
      return Set(addresses.map(\.identity))
    }
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
  /// The addresses that are asked for when the original or the thumbnail cannot be had.
  var others: [Candidate] = []
  var words = MediaWords()
  /// Whether the entry names it outside its text.
  var isFront = false
  /// Whether it is a link to the page of the entry.
  var leadsToPage = false
}

extension Picture {
  /// Adds another rendition of the picture; the larger one is the original.
  ///
  /// An address that names no size is that of the uploaded picture.
  mutating func add(_ other: Picture) {
    var (large, small) = (self, other)
    if other.namedSide > namedSide { swap(&large, &small) }
    (address, width, height, bytes) = (large.address, large.width, large.height, large.bytes)
    thumbnails += other.thumbnails
    renditions += other.renditions
    others += other.others
    words.fill(from: other.words)
    isFront = isFront || other.isFront
    if small.address.identity == address.identity {
      if width == nil, height == nil { (width, height) = (small.width, small.height) }
      bytes.fill(small.bytes)
      return
    }
    var rendition = Candidate(reference: small.address.text)
    rendition.address = small.address
    (rendition.width, rendition.height) = (small.width, small.height)
    renditions.append(rendition)
    others.append(rendition)
  }

  private var namedSide: Int {
    let side = RenditionPart.side(of: address.text) ?? 0
    return side == 0 ? .max : side
  }
}

/// Decides whether a `media:content`, an enclosure or an attachment is an image.
enum ImageTest {
  /// Decides by the type first; if the type says nothing, by the medium, then by the path's extension.
  ///
  /// A medium without all of these is an image if it has a width and a height.
  static func isImage(_ candidate: Candidate) -> Bool {
    let type = candidate.type ?? ""
    let bytes = type.utf8Span.span
    if bytes.beginsIgnoringCase(with: "image", at: 0),
      bytes.count == 5 || bytes[5] == UInt8(ascii: "/")
    {
      return true
    }
    if !bytes.isEmpty {
      let type = type.lowercased()
      if isOtherMedium(type) { return false }
      if isMisspeltImage(type) { return true }
    }
    if let medium = candidate.medium?.lowercased() { return medium == "image" }
    if hasImageExtension(candidate.reference) { return true }
    return bytes.isEmpty && candidate.width != nil && candidate.height != nil
      && !JSONAddress.isOtherMedium(candidate.reference)
  }

  /// Whether a type names a video, a sound or a document; any other type says nothing.
  private static func isOtherMedium(_ type: String) -> Bool {
    let essence = type.prefix { $0 != ";" && $0 != " " && $0 != "?" }
    return otherTypes.contains { essence.hasPrefix($0) }
  }

  private static let otherTypes = [
    "audio/", "video/", "font/", "model/", "message/", "multipart/", "application/pdf",
    "application/zip", "application/epub", "application/x-shockwave", "application/x-bittorrent",
    "application/ogg", "application/mp4", "application/x-mpegurl", "application/vnd.apple.mpegurl",
    "application/json", "application/xml", "application/rss", "application/atom",
    "application/msword", "application/vnd.ms", "application/vnd.openxml", "text/xml", "text/css",
  ]

  /// Whether a type is that of an image, misspelt: `img/jpeg`, `application/jpg`, `images/png`.
  private static func isMisspeltImage(_ type: String) -> Bool {
    let parts = type.prefix { $0 != ";" && $0 != " " && $0 != "?" }.split(separator: "/")
    guard parts.count == 2 else { return parts.count == 1 && extensions.contains(String(parts[0])) }
    return extensions.contains(String(parts[1]))
      && ["img", "images", "photo", "picture", "pic", "application", "binary"].contains(parts[0])
  }

  /// Whether the path of an address ends in the extension of an image format.
  static func hasImageExtension(_ address: String) -> Bool {
    let bytes = address.utf8Span.span
    let path = bytes.extracting(0..<bytes.endOfPath)
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return false }
    // `a.jpg;v=2` (RFC 3986, section 3.3).
    let end = path.first(UInt8(ascii: ";"), from: dot) ?? path.count
    guard (4...5).contains(end - dot) else { return false }
    return extensions.contains(path.extracting((dot + 1)..<end).text.lowercased())
  }

  private static let extensions: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif", "heic", "heif", "hif",
    "tif", "tiff", "bmp", "jxl", "svg", "jp2", "jpx", "jpf", "j2k", "j2c", "jpc", "ppm", "pgm",
    "pbm", "pnm",
  ]
}
