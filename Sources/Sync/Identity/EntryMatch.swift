import Workers

/// The match between the images of an entry and the stored images with the same entry id.
///
/// Images match by original address, then by thumbnail address, then by position among the unmatched.
struct EntryMatch {
  /// The stored image for each image of the document's entry; nil for a new image.
  private(set) var stored: [StoredImage?]
  /// Whether some images match by the entry id alone, and not by their address.
  private(set) var needsEntryID = false
  private var isFree: [Bool]

  init(_ images: [DocumentImage], candidates: [StoredImage]) {
    stored = Array(repeating: nil, count: images.count)
    isFree = Array(repeating: true, count: candidates.count)
    guard !candidates.isEmpty else { return }
    matchByOriginal(images, candidates)
    guard isFree.contains(true), stored.contains(where: { $0 == nil }) else { return }
    needsEntryID = true
    matchByThumbnail(images, candidates)
    matchByPosition(candidates)
  }

  private mutating func matchByOriginal(_ images: [DocumentImage], _ candidates: [StoredImage]) {
    let indexes = Self.indexes(of: candidates) { $0.originalHash }
    for (position, image) in images.enumerated() {
      take(indexes[image.originalHash], for: position, from: candidates) {
        DocumentImage.isSame($0.fields.originalAddress, image.fields.originalAddress)
      }
    }
  }

  private mutating func matchByThumbnail(_ images: [DocumentImage], _ candidates: [StoredImage]) {
    let indexes = Self.indexes(of: candidates) {
      $0.fields.thumbnailAddress.map(DocumentImage.identity)
    }
    for (position, image) in images.enumerated() where stored[position] == nil {
      guard let address = image.fields.thumbnailAddress else { continue }
      take(indexes[DocumentImage.identity(of: address)], for: position, from: candidates) { _ in
        true
      }
    }
  }

  private mutating func matchByPosition(_ candidates: [StoredImage]) {
    var free = candidates.indices.filter { isFree[$0] }[...]
    for position in stored.indices where stored[position] == nil {
      guard let index = free.popFirst() else { return }
      stored[position] = candidates[index]
      isFree[index] = false
    }
  }

  private mutating func take(
    _ indexes: [Int]?,
    for position: Int,
    from candidates: [StoredImage],
    where isRight: (StoredImage) -> Bool
  ) {
    let index = indexes?.first { isFree[$0] && isRight(candidates[$0]) }
    guard let index else { return }
    stored[position] = candidates[index]
    isFree[index] = false
  }

  private static func indexes<Key: Hashable>(
    of candidates: [StoredImage],
    by key: (StoredImage) -> Key?
  ) -> [Key: [Int]] {
    var result: [Key: [Int]] = [:]
    for (index, candidate) in candidates.enumerated() {
      if let key = key(candidate) { result[key, default: []].append(index) }
    }
    return result
  }
}
