import Models

/// Makes the images of an entry: decides which of its addresses count, and in which order.
///
/// It asks the sources in turn, and the first one with pictures wins. A feed that names its
/// pictures twice describes them best in the earlier source. This is a class, because a struct
/// would copy the many parts of an entry for each source.
final class EntryImages {
  let entry: Entry
  let feed: FeedFacts
  /// The base of addresses without an `xml:base`.
  let base: WebAddress
  private let page: WebAddress?

  typealias Source = @Sendable (EntryImages) -> [Picture]

  /// The places in an entry that name pictures, the best first.
  static let sources: [(place: EntryExplanation.Place, pictures: Source)] = [
    (.media, { $0.media() }), (.enclosure, { $0.enclosures() }), (.imageField, { $0.field() }),
    (.markup, { $0.inMarkup() }), (.thumbnail, { $0.posters() }),
    (.podcastImage, { $0.podcastCover() }),
  ]

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

  /// The entry with the images of the first source that has any, and whether Media RSS named them.
  ///
  /// The entry is nil without images, unless an explanation is wanted.
  func found() -> (entry: FeedEntry?, usesMedia: Bool) {
    for source in Self.sources {
      let pictures = source.pictures(self)
      if pictures.isEmpty { continue }
      let isMedia = source.place == .media || source.place == .thumbnail
      let found = feedEntry(images(of: Self.unique(pictures)))
      return (found, usesMedia: isMedia || !entry.thumbnails.isEmpty)
    }
    return (feed.isExplained ? feedEntry([]) : nil, usesMedia: false)
  }

  private func feedEntry(_ images: [FeedImage]) -> FeedEntry {
    FeedEntry(
      id: id,
      images: images,
      explanation: feed.isExplained ? explanation(of: images) : nil
    )
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
    // The entry's own thumbnails belong to its only picture.
    let thumbnails = pictures.count == 1 ? entry.thumbnails : []
    return pictures.map { image(of: $0, ifUnnamed: thumbnails) }
  }

  private func image(of picture: Picture, ifUnnamed thumbnails: [Candidate]) -> FeedImage {
    FeedImage(
      title: entry.title ?? picture.words.title ?? entry.mediaTitle,
      caption: picture.words.caption ?? entry.mediaCaption ?? entry.summary ?? entry.content,
      author: picture.words.author ?? entry.author ?? entry.mediaCredit ?? feed.author,
      licence: picture.words.licence ?? entry.licence ?? feed.licence ?? entry.rights
        ?? feed.rights,
      published: entry.published ?? entry.updated,
      pageAddress: page,
      thumbnailAddress: thumbnail(of: picture, ifUnnamed: thumbnails),
      originalAddress: picture.address,
      width: picture.width,
      height: picture.height,
      bytes: picture.bytes.flatMap { $0 > 0 ? $0 : nil }
    )
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

  /// The pictures without those that repeat an earlier address.
  private static func unique(_ pictures: [Picture]) -> [Picture] {
    if pictures.count == 1 { return pictures }
    var known: Set<String> = []
    return pictures.filter { known.insert($0.address.identity).inserted }
  }
}

/// The addresses of an entry that lead to images.
extension EntryImages {
  func picture(_ candidate: Candidate) -> Picture? {
    guard NotImages.admits(candidate), let address = candidate.address ?? address(of: candidate)
    else { return nil }
    return Picture(
      address: address,
      width: candidate.width,
      height: candidate.height,
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
