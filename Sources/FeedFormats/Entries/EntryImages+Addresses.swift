import Models

/// Which of an entry's addresses lead to images.
extension EntryImages {
  func picture(_ candidate: Candidate) -> Picture? {
    guard NotImages.admits(candidate), let address = candidate.address ?? address(of: candidate)
    else { return nil }
    return Picture(address: address, width: candidate.width, height: candidate.height)
  }

  /// The candidates that lead to images, each with its address.
  func located(_ candidates: [Candidate]) -> [Candidate] {
    if candidates.indices.allSatisfy({ candidates[$0].address != nil }) { return candidates }
    var located = candidates
    for index in located.indices where located[index].address == nil {
      located[index].address = address(of: located[index])
    }
    located.removeAll { $0.address == nil }
    return located
  }

  /// The address of a candidate, where it counts as an image.
  private func address(of candidate: Candidate) -> WebAddress? {
    guard candidate.reference.utf8.count <= FormatLimits.address,
      let address = (candidate.base ?? base).resolvingEscaped(candidate.reference),
      NotImages.admits(address, namedBy: feed.address)
    else { return nil }
    return address
  }

  /// The small pictures that are named beside an original, without the original itself.
  func small(_ candidates: [Candidate], besides original: WebAddress) -> [Candidate] {
    let candidates = located(candidates)
    guard candidates.indices.contains(where: { candidates[$0].address == original }) else {
      return candidates
    }
    let others = candidates.filter { $0.address != original }
    return others.isEmpty ? candidates : others
  }
}
