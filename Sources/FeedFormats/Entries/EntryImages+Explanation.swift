import Models

/// Explains the choice of an entry's images.
extension EntryImages {
  /// An address of the entry, and its place.
  private struct Named {
    let candidate: Candidate
    let place: EntryExplanation.Place
    var isForeign = false
    /// Whether the HTML marks the picture as one that is not meant for viewing.
    var isDropped = false
  }

  func explanation(of images: [FeedImage]) -> EntryExplanation {
    let named = named
    let chosen = Set(images.flatMap { [$0.originalAddress, $0.thumbnailAddress] })
    var passed: [EntryExplanation.Passed] = []
    var known: Set<String> = []
    for name in named where known.insert(name.candidate.reference).inserted {
      if let address = resolved(name.candidate), chosen.contains(address) { continue }
      passed.append(self.passed(name))
    }
    return EntryExplanation(
      id: entry.id,
      title: entry.title ?? entry.mediaTitle,
      images: images.map { image in
        EntryExplanation.Image(
          original: choice(image.originalAddress, among: named),
          thumbnail: image.thumbnailAddress.map { choice($0, among: named) }
        )
      },
      passed: passed
    )
  }

  private func choice(_ address: WebAddress, among named: [Named]) -> EntryExplanation.Choice {
    let all = named.filter { resolved($0.candidate) == address }
    return EntryExplanation.Choice(
      address: address,
      place: all.first?.place ?? .rule,
      side: all.compactMap(\.candidate.statedSide).first
    )
  }

  private func resolved(_ candidate: Candidate) -> WebAddress? {
    (candidate.base ?? base).resolvingEscaped(candidate.reference)
  }

  /// All addresses that the entry names, in the order of precedence of their places.
  private var named: [Named] {
    if let members = entry.members { return named(members) }
    let places: [(EntryExplanation.Place, [Candidate])] = [
      (.media, entry.units.flatMap(\.renditions)), (.enclosure, entry.enclosures),
      (.imageField, entry.fields + entry.smallFields),
      (.thumbnail, entry.units.flatMap(\.thumbnails) + entry.thumbnails),
      (.podcastImage, [entry.podcastCover].compactMap(\.self)),
    ]
    return inHTML
      + places.flatMap { place, candidates in
        candidates.map { Named(candidate: $0, place: place) }
      }
  }

  /// The addresses in the JSON objects from which the entry was read.
  private func named(_ members: [EntryMember]) -> [Named] {
    let candidates = entry.units.flatMap { $0.renditions + $0.thumbnails } + entry.thumbnails
    return members.map { member in
      let known = candidates.first { $0.reference == member.text }
      return Named(
        candidate: known ?? Candidate(reference: member.text),
        place: .member(member.path),
        isForeign: member.isForeign
      )
    }
  }

  private var inHTML: [Named] {
    [entry.contentMarkup, entry.summaryMarkup].compactMap(\.self).flatMap { markup in
      let pictures = HTMLPictures.read(markup.bytes.span)
      let images = pictures.images.map { $0.rebased(on: markup.base) }
      let named = images.flatMap { [$0.link].compactMap(\.self) + $0.renditions }
      return named.map { Named(candidate: $0, place: .markup) }
        + pictures.dropped.map { Named(candidate: $0, place: .markup, isDropped: true) }
    }
  }

  private func passed(_ named: Named) -> EntryExplanation.Passed {
    EntryExplanation.Passed(
      address: resolved(named.candidate)?.masked ?? named.candidate.reference,
      place: named.place,
      reason: reason(named)
    )
  }

  private func reason(_ named: Named) -> EntryExplanation.Reason {
    let candidate = named.candidate
    guard let address = resolved(candidate), NotImages.isReachable(address, from: feed.address)
    else { return .unreachable }
    if !NotImages.admits(candidate) { return .tooSmall }
    if !NotImages.admits(address, namedBy: feed.address) { return .avatar }
    if !candidate.isSized, NotImages.isPixel(address) { return .pixel }
    switch named.place {
    case .member where named.isForeign: return .foreign
    case .member: return memberReason(candidate)
    case .media, .enclosure:
      if !ImageTest.isImage(candidate) { return .otherMedium }
    case .markup:
      if named.isDropped || NotImages.isDecoration(address) { return .decoration }
    default: break
    }
    return named.place == winner || named.place == .thumbnail ? .otherSize : .laterPlace
  }

  private func memberReason(_ candidate: Candidate) -> EntryExplanation.Reason {
    if ImageTest.hasImageExtension(candidate.reference) || candidate.type != nil {
      return .otherSize
    }
    let isOther = JSONAddress.isOtherMedium(candidate.reference)
    return isOther && !JSONAddress.isSite(candidate.reference) ? .otherMedium : .page
  }

  /// The place from which the images come.
  private var winner: EntryExplanation.Place? {
    Self.sources.first { !$0.pictures(self).isEmpty }?.place
  }
}

extension Candidate {
  /// The longer side that the entry declares; the usual meaning of a size's name does not count.
  fileprivate var statedSide: Int? {
    isSized ? longerSide : SizeInAddress.longerSide(of: reference)
  }
}
