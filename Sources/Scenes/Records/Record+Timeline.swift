import FoundationEssentials
import Models
import Workers

extension Record {
  init(_ response: ListImages.FetchTimeline.Response) {
    let buckets = response.buckets.enumerated().map { index, bucket in
      var record: Record = ["key": .text(String(index)), "count": .number(bucket.count)]
      if let month = bucket.month { record.add("month", .text(Timeline.text(ofMonth: month))) }
      return record
    }
    self = [
      "version": .text(String(response.version)),
      "total": .number(response.total),
      "sort": .text(response.order.rawValue),
      "buckets": .records(buckets),
    ]
  }

  /// Columns of the same length, which are shorter than objects.
  init(_ response: ListImages.FetchBucket.Response) {
    let tiles = response.tiles
    self = [
      "ids": .numbers(tiles.map(\.id)),
      "ratios": .array(tiles.map { .real(Self.rounded($0.aspectRatio ?? 0)) }),
      "thumbnails": .texts(tiles.map { $0.thumbnail?.hexadecimal ?? "" }),
      "colours": .text(Self.colours(of: tiles)),
      "names": .texts(tiles.map { $0.name ?? "" }),
      "originals": .array(tiles.map { .flag($0.isOriginalStored) }),
    ]
  }

  private static func rounded(_ ratio: Double) -> Double { (ratio * 1_000).rounded() / 1_000 }

  /// The colour grids of all images, one behind the other; zeros for one that has none.
  private static func colours(of tiles: [ImageTile]) -> String {
    var bytes = Data(capacity: tiles.count * ColourGrid.bytes)
    for tile in tiles {
      let isKnown = tile.thumbnail != nil && tile.colours?.count == ColourGrid.bytes
      bytes += isKnown ? tile.colours ?? [] : Array(repeating: 0, count: ColourGrid.bytes)
    }
    return bytes.base64EncodedString()
  }
}

extension ListImages.FetchBucket.Response {
  /// Whether no thumbnail waits for its colours, so that the bucket stays as it is.
  var isComplete: Bool { tiles.allSatisfy { $0.thumbnail == nil || $0.colours != nil } }
}
