import FoundationEssentials
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
    /// Whether it is another picture of a choice.
    var isAlternative = false
    /// Whether a script replaces the address.
    var isStandIn = false
    /// Whether it is in the summary, and the article has pictures.
    var isInSummary = false
  }

  func explanation(of images: [FeedImage]) -> EntryExplanation {
    let named = named
    let chosen = Set(images.flatMap { [$0.originalAddress, $0.thumbnailAddress] })
    let front = images.first.map { choice($0.originalAddress, among: named).place }
    var passed: [EntryExplanation.Passed] = []
    var known: Set<String> = []
    for name in named where known.insert(name.candidate.reference).inserted {
      if let address = resolved(name.candidate), chosen.contains(address) { continue }
      passed.append(self.passed(name, inFront: front))
    }
    return EntryExplanation(
      id: entry.id,
      title: entry.title ?? entry.mediaTitle,
      dateDoubt: dateDoubt,
      images: images.map { image in
        EntryExplanation.Image(
          original: choice(image.originalAddress, among: named),
          thumbnail: image.thumbnailAddress.map { choice($0, among: named) }
        )
      },
      passed: passed
    )
  }

  /// The beginning of 1990, before which there were no feeds.
  private static let firstDate = Date(timeIntervalSince1970: 631_152_000)
  private static let week: TimeInterval = 7 * 86_400

  private var dateDoubt: EntryExplanation.DateDoubt? {
    guard let date = entry.published ?? entry.updated else {
      return entry.unreadDate.map { .unreadable($0) }
    }
    if date < Self.firstDate { return .early(date) }
    if let now = feed.now, date > now.addingTimeInterval(Self.week) { return .ahead(date) }
    return nil
  }

  private func choice(_ address: WebAddress, among named: [Named]) -> EntryExplanation.Choice {
    let all = named.filter { resolved($0.candidate) == address }
    // The HTML comes first in the order of precedence, and often repeats what the entry declares.
    let declared = all.first { $0.place != .markup && $0.place != .link && $0.place != .thumbnail }
    return EntryExplanation.Choice(
      address: address,
      place: (declared ?? all.first)?.place ?? .rule,
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
      (entry.unitPlace, entry.units.flatMap { $0.renditions + $0.spares }),
      (.enclosure, entry.enclosures),
      (.imageField, entry.fields + entry.smallFields),
      (.thumbnail, entry.units.flatMap(\.thumbnails) + entry.thumbnails),
      (.podcastImage, [entry.podcastCover].compactMap(\.self)),
    ]
    let alternatives = entry.alternatives.map {
      Named(candidate: $0, place: entry.unitPlace, isAlternative: true)
    }
    return inHTML
      + places.flatMap { place, candidates in
        candidates.map { Named(candidate: $0, place: place) }
      } + alternatives
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
    let article = entry.contentMarkup.map { inHTML($0) } ?? []
    var summary = entry.summaryMarkup.map { inHTML($0) } ?? []
    let hasPictures = article.contains { !$0.isDropped }
    for index in summary.indices { summary[index].isInSummary = hasPictures }
    return article + summary
  }

  private func inHTML(_ markup: EntryMarkup) -> [Named] {
    let pictures = HTMLPictures.read(markup.bytes.span)
    return pictures.images.flatMap { named(revealed($0).rebased(on: markup.base)) }
      + pictures.dropped.map { Named(candidate: $0, place: .markup, isDropped: true) }
  }

  /// The addresses that an `img` and the link around it name.
  private func named(_ image: HTMLImage) -> [Named] {
    let link = image.link.map { link in
      Named(
        candidate: link,
        place: LinkedPicture.leads(link.reference, from: image) ? .markup : .link
      )
    }
    return [link].compactMap(\.self) + image.renditions.map { Named(candidate: $0, place: .markup) }
      + image.standIns.map { Named(candidate: $0, place: .markup, isStandIn: true) }
  }

  private func passed(
    _ named: Named,
    inFront front: EntryExplanation.Place?
  ) -> EntryExplanation.Passed {
    EntryExplanation.Passed(
      address: resolved(named.candidate)?.masked ?? named.candidate.reference,
      place: named.place,
      reason: reason(named, inFront: front)
    )
  }

  private func reason(
    _ named: Named,
    inFront front: EntryExplanation.Place?
  ) -> EntryExplanation.Reason {
    let candidate = named.candidate
    guard let address = resolved(candidate), NotImages.isReachable(address, from: feed.address)
    else { return .unreachable }
    if named.isStandIn { return .standIn }
    if named.place == .link { return .page }
    if !NotImages.admits(candidate) { return .tooSmall }
    if !NotImages.admits(address, namedBy: feed.address) { return .avatar }
    if !candidate.isSized, NotImages.isPixel(address) { return .pixel }
    if named.isAlternative { return .otherChoice }
    if case .member = named.place, repeated.hides(address, isDeclared: true) { return .repeated }
    switch named.place {
    case .member where named.isForeign: return .foreign
    case .member: return memberReason(candidate)
    case .media, .canvas, .listed, .sitemap, .photo, .enclosure:
      if !ImageTest.isImage(candidate) { return .otherMedium }
    case .markup:
      if named.isDropped || NotImages.isDecoration(address) { return .decoration }
    default: break
    }
    if repeated.hides(address, isDeclared: named.place != .markup) { return .repeated }
    if feed.imageChoice == .front, let front, front != named.place { return .laterPlace }
    if named.place == .thumbnail { return .otherSize }
    return named.isInSummary || named.place == .podcastImage ? .laterPlace : .otherSize
  }

  private func memberReason(_ candidate: Candidate) -> EntryExplanation.Reason {
    if ImageTest.hasImageExtension(candidate.reference) || candidate.type != nil {
      return .otherSize
    }
    let isOther = JSONAddress.isOtherMedium(candidate.reference)
    return isOther && !JSONAddress.isSite(candidate.reference) ? .otherMedium : .page
  }
}

extension Candidate {
  /// The longer side that the entry declares; the usual meaning of a size's name does not count.
  fileprivate var statedSide: Int? {
    isSized ? longerSide : SizeInAddress.longerSide(of: reference)
  }
}
