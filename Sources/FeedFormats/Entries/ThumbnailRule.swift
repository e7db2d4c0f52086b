/// Chooses the thumbnail among the small pictures that a feed names for one image.
enum ThumbnailRule {
  /// A thumbnail should have at least this many pixels on its longer side.
  static let enough = 200

  /// The smallest of at least 200 pixels, else the largest there is, else, where no size is
  /// known, the first; nil when there is none.
  static func choose(from candidates: [Candidate]) -> Candidate? {
    if candidates.count == 1 { return NotImages.admits(candidates[0]) ? candidates[0] : nil }
    let admitted = candidates.filter { NotImages.admits($0) }
    let sized = admitted.filter { $0.longerSide != nil }
    let sufficient = sized.filter { side(of: $0) >= enough }
    if let smallest = first(of: sufficient, where: { $0 < $1 }) { return smallest }
    return first(of: sized, where: { $0 > $1 }) ?? admitted.first
  }

  /// The first in the document's order of those that `isBetter` puts before all others.
  private static func first(
    of candidates: [Candidate],
    where isBetter: (Int, Int) -> Bool
  ) -> Candidate? {
    var best = candidates.first
    for candidate in candidates {
      if let current = best, isBetter(side(of: candidate), side(of: current)) { best = candidate }
    }
    return best
  }

  private static func side(of candidate: Candidate) -> Int { candidate.longerSide ?? 0 }
}
