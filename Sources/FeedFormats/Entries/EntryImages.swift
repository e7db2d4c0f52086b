import Models

/// Makes the images of an entry: decides which of its addresses count, and in which order.
///
/// The images are the union of the sources, each picture once. If they yield no picture, the last
/// resorts are asked in turn: the poster of a video, and the cover of a podcast. This is a class,
/// because a struct would copy the many parts of an entry for each source.
final class EntryImages {
  let entry: Entry
  let feed: FeedFacts
  /// The base of addresses without an `xml:base`.
  let base: WebAddress
  private let page: WebAddress?

  /// The pictures that so many entries repeat that they do not count for this one.
  var repeated = RepeatedAddresses()
  /// The pictures that were left out because many entries repeat them.
  private(set) var hidden: [WebAddress] = []
  /// The hidden addresses behind addresses in the HTML that may only stand in their place.
  private(set) var shadows: [(standIn: String, hidden: String)] = []

  /// The base of relative addresses in an entry.
  enum Base {
    /// The address of the entry's web page, as in RSS and JSON Feed.
    case link
    /// The address of the document, as usual on the web.
    case document
  }

  init(of entry: consuming Entry, in feed: FeedFacts, relativeTo rule: Base) {
    page = Self.page(of: entry, in: feed)
    base = rule == .link ? page ?? feed.address : feed.address
    self.entry = consume entry
    self.feed = feed
  }

  /// The entry with its images, and whether Media RSS named any of them.
  ///
  /// The entry is nil without images, unless an explanation is wanted.
  func found() -> (entry: FeedEntry?, usesMedia: Bool) {
    hidden = []
    let media = kept(media(), isDeclared: true)
    let usesMedia = !media.isEmpty || !entry.thumbnails.isEmpty
    let pictures = feed.imageChoice == .front ? first(media) : union(media)
    if !pictures.isEmpty { return (feedEntry(pictures), usesMedia) }
    let posters = kept(posters(), isDeclared: true)
    if !posters.isEmpty { return (feedEntry(posters), usesMedia: true) }
    let cover = kept(podcastCover(), isDeclared: true)
    if !cover.isEmpty { return (feedEntry(cover), usesMedia) }
    return (feed.isExplained ? feedEntry([]) : nil, usesMedia: false)
  }

  /// The pictures of all sources.
  private func union(_ media: [Picture]) -> [Picture] {
    let front =
      media + kept(enclosures(), isDeclared: true) + kept(field(), isDeclared: false)
    let text = kept(inMarkup(), isDeclared: false)
    if front.isEmpty || text.isEmpty { return PictureUnion.of(front, text) }
    let thumbnails = located(entry.thumbnails).compactMap(\.address)
    return PictureUnion.of(front, text, thumbnails: thumbnails)
  }

  /// The pictures of the first source that has any.
  private func first(_ media: [Picture]) -> [Picture] {
    if !media.isEmpty { return PictureUnion.of(media, []) }
    let enclosures = kept(enclosures(), isDeclared: true)
    if !enclosures.isEmpty { return PictureUnion.of(enclosures, []) }
    let field = kept(field(), isDeclared: false)
    return PictureUnion.of(field, field.isEmpty ? kept(inMarkup(), isDeclared: false) : [])
  }

  /// The pictures without those that many entries repeat.
  private func kept(_ pictures: [Picture], isDeclared: Bool) -> [Picture] {
    if repeated.isEmpty { return pictures }
    return pictures.filter { picture in
      let isHidden = repeated.hides(picture.address, isDeclared: isDeclared)
      if isHidden { hidden.append(picture.address) }
      return !isHidden
    }
  }

  private func feedEntry(_ pictures: [Picture]) -> FeedEntry {
    let images = images(of: pictures)
    return FeedEntry(
      id: id,
      images: images,
      explanation: feed.isExplained ? explanation(of: images) : nil
    )
  }

  /// Notes an address that may only stand in the place of a hidden one.
  func note(standIn: String, for hidden: String) { shadows.append((standIn, hidden)) }

  /// The bytes of HTML that the entry keeps.
  var markupBytes: Int {
    (entry.contentMarkup?.bytes.count ?? 0) + (entry.summaryMarkup?.bytes.count ?? 0)
  }

  /// The entry's id, unless it is too long: then it is the address of something else, or a whole text.
  private var id: String? {
    entry.id.flatMap { $0.utf8.count <= FormatLimits.id ? $0 : nil }
  }

  /// The entry's web page, if a browser can open it.
  private static func page(of entry: Entry, in feed: FeedFacts) -> WebAddress? {
    guard let link = entry.link, link.utf8.count <= FormatLimits.address,
      let page = (entry.linkBase ?? feed.address).resolvingEscaped(link),
      NotImages.isReachable(page, from: feed.address)
    else { return nil }
    return page
  }

  private func images(of pictures: [Picture]) -> [FeedImage] {
    if pictures.isEmpty { return [] }
    var thumbnails = entry.thumbnails
    if !repeated.isEmpty {
      thumbnails.removeAll { candidate in
        guard let address = picture(candidate)?.address,
          repeated.hides(address, isDeclared: true)
        else { return false }
        hidden.append(address)
        return true
      }
    }
    // The entry's own thumbnails belong to its only picture.
    if pictures.count == 1 { return [image(of: pictures[0], ifUnnamed: thumbnails)] }
    let keys = thumbnails.map { PictureKey.key(of: $0.reference) }
    let front = pictures.count(where: \.isFront)
    return pictures.map { picture in
      let key = keys.isEmpty ? "" : PictureKey.key(of: picture.address.text)
      let own = thumbnails.indices.filter { keys[$0] == key }.map { thumbnails[$0] }
      let isOnlyFront = front == 1 && picture.isFront
      return image(of: picture, ifUnnamed: own.isEmpty && isOnlyFront ? thumbnails : own)
    }
  }

  private func image(of picture: Picture, ifUnnamed thumbnails: [Candidate]) -> FeedImage {
    let thumbnail = thumbnail(of: picture, ifUnnamed: thumbnails)
    return FeedImage(
      title: entry.title ?? picture.words.title ?? entry.mediaTitle,
      caption: picture.words.caption ?? entry.mediaCaption ?? entry.summary ?? entry.content,
      author: picture.words.author ?? entry.author ?? entry.mediaCredit ?? feed.author,
      licence: picture.words.licence ?? entry.licence ?? feed.licence ?? entry.rights
        ?? feed.rights,
      published: entry.published ?? entry.updated,
      pageAddress: page,
      thumbnailAddress: thumbnail,
      originalAddress: picture.address,
      width: picture.width,
      height: picture.height,
      bytes: picture.bytes.flatMap { $0 > 0 ? $0 : nil },
      renditions: renditions(of: picture, downTo: thumbnail)
    )
  }

  /// The other renditions of a picture, the largest first, and none smaller than the thumbnail.
  private func renditions(of picture: Picture, downTo thumbnail: WebAddress?) -> [WebAddress] {
    if picture.others.isEmpty { return [] }
    var rest = located(picture.others).filter { NotImages.admits($0) }
    var found: [WebAddress] = []
    while found.count < FormatLimits.renditions, let index = RenditionRule.original(of: rest) {
      guard let address = rest.remove(at: index).address, address != picture.address,
        !found.contains(address)
      else { continue }
      found.append(address)
      if address == thumbnail { break }
    }
    return found
  }

  private func thumbnail(
    of picture: Picture,
    ifUnnamed thumbnails: [Candidate]
  ) -> WebAddress? {
    let named = picture.thumbnails.isEmpty ? thumbnails : picture.thumbnails
    let small = named.isEmpty ? picture.renditions : named
    guard let address = ThumbnailRule.choose(from: located(small))?.address,
      address != picture.address
    else { return nil }
    return address
  }
}

/// The addresses of an entry that lead to images.
extension EntryImages {
  func picture(_ candidate: Candidate) -> Picture? {
    guard NotImages.admits(candidate), let address = candidate.address ?? address(of: candidate)
    else { return nil }
    let isSized = candidate.isSized
    return Picture(
      address: address,
      width: isSized ? candidate.width : nil,
      height: isSized ? candidate.height : nil,
      bytes: candidate.bytes
    )
  }

  /// The candidates that lead to images, each with its address.
  func located(_ candidates: [Candidate]) -> [Candidate] {
    candidates.compactMap { candidate in
      var candidate = candidate
      candidate.address = candidate.address ?? address(of: candidate)
      return candidate.address == nil ? nil : candidate
    }
  }

  /// The address of a candidate, if it counts as an image.
  private func address(of candidate: Candidate) -> WebAddress? {
    guard candidate.reference.utf8.count <= FormatLimits.address,
      let address = (candidate.base ?? base).resolvingEscaped(candidate.reference),
      NotImages.admits(address, namedBy: feed.address),
      candidate.isSized || !NotImages.isPixel(address)
    else { return nil }
    return address
  }

  /// The small pictures for an original, without the original itself.
  func small(_ candidates: [Candidate], besides original: WebAddress) -> [Candidate] {
    let candidates = located(candidates)
    let others = candidates.filter { $0.address != original }
    return others.isEmpty ? candidates : others
  }
}
