import Models

/// Makes the images of an entry: which of its addresses count, and in which order.
///
/// The sources are asked in turn, and the first that yields something wins: a feed that names its
/// pictures twice names them best in the first of these places.
struct EntryImages {
  private let entry: Entry
  private let feed: FeedFacts
  /// What addresses are relative to where no `xml:base` says so.
  private let base: WebAddress
  private let page: WebAddress?

  /// The entry's images, in its order.
  private(set) var images: [FeedImage] = []
  /// Whether they were named by Media RSS.
  private(set) var usesMedia = false

  /// A place in an entry that names pictures.
  private struct Source: Sendable {
    let isMedia: Bool
    let pictures: @Sendable (EntryImages) -> [Picture]
  }

  private static let sources = [
    Source(isMedia: true) { $0.media() },
    Source(isMedia: false) { $0.enclosures() },
    Source(isMedia: false) { $0.field() },
    Source(isMedia: false) { $0.inMarkup() },
    Source(isMedia: true) { $0.posters() },
    Source(isMedia: false) { $0.podcastCover() },
  ]

  /// Where relative addresses in an entry lead.
  enum Base {
    /// To the place of the entry's web page, as RSS and JSON Feed are read.
    case link
    /// To the place of the document, as the web has it.
    case document
  }

  init(of entry: Entry, in feed: FeedFacts, relativeTo rule: Base) {
    self.entry = entry
    self.feed = feed
    page = Self.page(of: entry, in: feed)
    base = rule == .link ? page ?? feed.address : feed.address
    for source in Self.sources {
      let pictures = source.pictures(self)
      if pictures.isEmpty { continue }
      images = images(of: Self.unique(pictures))
      usesMedia = source.isMedia || !entry.thumbnails.isEmpty
      return
    }
  }

  /// The entry's web page; what a reader cannot open is none.
  private static func page(of entry: Entry, in feed: FeedFacts) -> WebAddress? {
    guard let link = entry.link, link.utf8.count <= FormatLimits.address,
      let page = (entry.linkBase ?? feed.address).resolvingEscaped(link),
      NotImages.isReachable(page, from: feed.address)
    else { return nil }
    return page
  }

  private func images(of pictures: [Picture]) -> [FeedImage] {
    var pictures = pictures
    if pictures.count == 1, pictures[0].thumbnails.isEmpty {
      pictures[0].thumbnails = entry.thumbnails
    }
    return pictures.enumerated().map { image(of: $1, at: $0) }
  }

  private func image(of picture: Picture, at place: Int) -> FeedImage {
    FeedImage(
      entryID: entry.id.flatMap { $0.utf8.count <= FormatLimits.id ? $0 : nil },
      placeInEntry: place,
      title: entry.title ?? picture.title ?? entry.mediaTitle,
      caption: picture.caption ?? entry.mediaCaption ?? entry.summary ?? entry.content,
      author: picture.author ?? entry.author ?? entry.mediaCredit ?? feed.author,
      licence: picture.licence ?? entry.licence ?? feed.licence ?? entry.rights ?? feed.rights,
      published: entry.published ?? entry.updated,
      pageAddress: page,
      thumbnailAddress: thumbnail(of: picture),
      originalAddress: picture.address,
      width: picture.original.width,
      height: picture.original.height
    )
  }

  private func thumbnail(of picture: Picture) -> WebAddress? {
    let small = picture.thumbnails.isEmpty ? picture.renditions : picture.thumbnails
    guard let address = ThumbnailRule.choose(from: located(small))?.address,
      address != picture.address
    else { return nil }
    return address
  }

  /// The small pictures that are named beside an original, without the original itself.
  private func small(_ candidates: [Candidate], besides original: WebAddress) -> [Candidate] {
    let candidates = located(candidates)
    let others = candidates.filter { $0.address != original }
    return others.isEmpty ? candidates : others
  }

  // MARK: - Sources

  private func media() -> [Picture] {
    if entry.units.isEmpty { return [] }
    let units = entry.units.compactMap(Self.withImagesOnly)
    return RenditionRule.joined(units).compactMap(picture)
  }

  /// The unit without the renditions that are no images; nil when there are no others.
  private static func withImagesOnly(_ unit: MediaUnit) -> MediaUnit? {
    if unit.renditions.allSatisfy(isImage) { return unit.renditions.isEmpty ? nil : unit }
    var unit = unit
    unit.renditions.removeAll { !isImage($0) }
    return unit.renditions.isEmpty ? nil : unit
  }

  private static func isImage(_ candidate: Candidate) -> Bool {
    ImageTest.isImage(candidate) && NotImages.admits(candidate)
  }

  /// The largest rendition is the original.
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
    picture.title = unit.title
    picture.caption = unit.caption
    picture.author = unit.author
    picture.licence = unit.licence
    return picture
  }

  private func enclosures() -> [Picture] {
    entry.enclosures.filter { ImageTest.isImage($0) }.compactMap { picture($0) }
  }

  private func field() -> [Picture] {
    for candidate in entry.fields {
      guard var picture = picture(candidate) else { continue }
      picture.thumbnails = small(entry.smallFields, besides: picture.address)
      return [picture]
    }
    return []
  }

  /// The pictures in the HTML of the whole article, else of what sums it up.
  private func inMarkup() -> [Picture] {
    for markup in [entry.contentMarkup, entry.summaryMarkup] {
      guard let markup else { continue }
      let found = HTMLPictures.read(markup.bytes.span).compactMap { image in
        picture(of: image.rebased(on: markup.base))
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The picture that a link leads to, else the largest the `img` names.
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

  /// A medium that is no image may still have one to stand for it, as a video has its poster.
  private func posters() -> [Picture] {
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

  private func podcastCover() -> [Picture] {
    [entry.podcastCover.flatMap { picture($0) }].compactMap(\.self)
  }

  // MARK: - Addresses

  private func picture(_ candidate: Candidate) -> Picture? {
    guard NotImages.admits(candidate), let address = candidate.address ?? address(of: candidate)
    else { return nil }
    return Picture(original: candidate, address: address)
  }

  /// The candidates that lead to images, each with its address.
  private func located(_ candidates: [Candidate]) -> [Candidate] {
    candidates.compactMap { candidate in
      if candidate.address != nil { return candidate }
      guard let address = address(of: candidate) else { return nil }
      var candidate = candidate
      candidate.address = address
      return candidate
    }
  }

  /// The address of a candidate, where it counts as an image.
  private func address(of candidate: Candidate) -> WebAddress? {
    guard candidate.reference.utf8.count <= FormatLimits.address,
      let address = (candidate.base ?? base).resolvingEscaped(candidate.reference),
      NotImages.admits(address, namedBy: feed.address)
    else { return nil }
    return address
  }

  /// The pictures without those whose address came before.
  private static func unique(_ pictures: [Picture]) -> [Picture] {
    guard pictures.count > 1 else { return pictures }
    var known: Set<String> = []
    return pictures.filter { known.insert($0.address.identity).inserted }
  }
}
