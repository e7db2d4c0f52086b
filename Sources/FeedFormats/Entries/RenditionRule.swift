/// Tells which of several renditions of one image is the original, and which loose addresses are
/// renditions of one image.
enum RenditionRule {
  /// The largest: by declared pixels; where those are missing, an address that asks for no size
  /// before one that does; then by bytes, by what the feed calls the default, by order.
  static func original(of renditions: [Candidate]) -> Int? {
    guard var best = renditions.indices.first else { return nil }
    for index in renditions.indices.dropFirst()
    where isLarger(renditions[index], than: renditions[best]) {
      best = index
    }
    return best
  }

  private static func isLarger(_ one: Candidate, than other: Candidate) -> Bool {
    if let area = one.area, let otherArea = other.area {
      if area != otherArea { return area > otherArea }
    } else if let side = comparableSide(one, other), side.one != side.other {
      return side.one > side.other
    }
    let bytes = one.bytes ?? 0
    let otherBytes = other.bytes ?? 0
    if bytes != otherBytes { return bytes > otherBytes }
    return one.isDefault && !other.isDefault
  }

  private static func comparableSide(
    _ one: Candidate,
    _ other: Candidate
  ) -> (one: Int, other: Int)? {
    let isOneSized = one.longerSide != nil
    let isOtherSized = other.longerSide != nil
    guard isOneSized || isOtherSized else { return nil }
    return (one.longerSide ?? unasked(one), other.longerSide ?? unasked(other))
  }

  /// An address without a query is the picture as it was uploaded.
  private static func unasked(_ candidate: Candidate) -> Int {
    candidate.reference.utf8.contains(UInt8(ascii: "?")) ? 0 : .max
  }

  /// Puts loose images whose addresses differ only in the query together into one unit.
  static func joined(_ units: [MediaUnit]) -> [MediaUnit] {
    guard units.count > 1 else { return units }
    var result: [MediaUnit] = []
    var places: [Substring: Int] = [:]
    for unit in units {
      guard !unit.isGroup, let path = unit.renditions.first.map(withoutQuery) else {
        result.append(unit)
        continue
      }
      if let place = places[path] {
        result[place].add(unit)
      } else {
        places[path] = result.count
        result.append(unit)
      }
    }
    return result
  }

  private static func withoutQuery(_ candidate: Candidate) -> Substring {
    let query = candidate.reference.utf8.firstIndex(of: UInt8(ascii: "?"))
    return query.map { candidate.reference[..<$0] } ?? candidate.reference[...]
  }
}

extension MediaUnit {
  /// Takes over the renditions of another unit, and from its words those that are missing here.
  fileprivate mutating func add(_ other: MediaUnit) {
    renditions += other.renditions
    thumbnails += other.thumbnails
    title.fill(other.title)
    caption.fill(other.caption)
    author.fill(other.author)
    licence.fill(other.licence)
  }
}
