import Models
import Workers

/// A thumbnail that came in the place of a stored one in this sync.
struct ThumbnailReplacement {
  let imageID: Int64
  let address: WebAddress
  /// The hash of the stored one's bytes; nil for a thumbnail that is kept beside it, and once another has shown that
  /// this one is a sign.
  var former: Int?

  init(_ thumbnail: FetchedThumbnail) {
    imageID = thumbnail.imageID
    address = thumbnail.address
    former = thumbnail.former?.hashValue
  }
}

extension PictureBatch {
  /// Doubts thumbnails in the place of stored ones if images under other addresses have got the same bytes, too.
  ///
  /// Those of the batches before are misled by the same bytes, unless both images had the same thumbnail before.
  ///
  /// - Parameter earlier: Those of the batches before, by the hashes of their bytes. The library may not have them yet.
  ///   Takes those of this batch.
  mutating func doubtShared(_ earlier: inout [Int: [ThumbnailReplacement]]) {
    let replacing = changed + new.filter(\.replacesOther)
    var shared: Set<Int64> = []
    if !replacing.isEmpty {
      for (bytes, group) in Dictionary(grouping: changed + new + doubtful, by: \.bytes) {
        let first = earlier[bytes.hashValue]?.first?.address ?? group[0].address
        if group.contains(where: { !$0.address.isOfSamePicture(as: first) }) {
          shared.formUnion(group.map(\.imageID))
        }
      }
    }
    // Those that are doubtful for other reasons show, too, that the same bytes were signs before.
    for index in doubtful.indices {
      let misled = Self.takeMisled(by: doubtful[index], from: &earlier)
      doubtful[index].misled += misled
    }
    for var thumbnail in replacing where shared.contains(thumbnail.imageID) {
      thumbnail.doubts = [.shared]
      thumbnail.misled = Self.takeMisled(by: thumbnail, from: &earlier)
      thumbnail.former = nil
      doubtful.append(thumbnail)
    }
    changed.removeAll { shared.contains($0.imageID) }
    new.removeAll { $0.replacesOther && shared.contains($0.imageID) }
    for thumbnail in doubtful + changed + new.filter(\.replacesOther) {
      let (bytes, replacement) = (thumbnail.bytes.hashValue, ThumbnailReplacement(thumbnail))
      // Of those without a former thumbnail, only the first address counts.
      if replacement.former != nil || earlier[bytes] == nil {
        earlier[bytes, default: []].append(replacement)
      }
    }
  }

  /// The images that got the bytes of a thumbnail in the batches before, each of which is returned once.
  private static func takeMisled(
    by thumbnail: FetchedThumbnail,
    from earlier: inout [Int: [ThumbnailReplacement]]
  ) -> [Int64] {
    let bytes = thumbnail.bytes.hashValue
    var misled: [Int64] = []
    for (index, other) in (earlier[bytes] ?? []).enumerated()
    where other.former != nil && other.former != thumbnail.former?.hashValue
      && !other.address.isOfSamePicture(as: thumbnail.address)
    {
      earlier[bytes]?[index].former = nil
      if !thumbnail.misled.contains(other.imageID) { misled.append(other.imageID) }
    }
    return misled
  }
}
