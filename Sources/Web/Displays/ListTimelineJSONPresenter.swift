import FoundationEssentials
import Models
package import Scenes
import Workers

/// Makes records of a timeline, for the script of a grid.
package struct ListTimelineJSONPresenter: ListTimelinePresentationLogic {
  private let display: any RecordDisplayLogic

  package init(display: any RecordDisplayLogic) { self.display = display }

  package func presentFetchedTimeline(response: ListTimeline.FetchTimeline.Response) {
    display.displayRecords(viewModel: .init(Record(response)))
  }

  /// Presents no outcome while a thumbnail waits for its colours, because the bucket will change.
  package func presentFetchedBucket(response: ListTimeline.FetchBucket.Response) {
    display.displayRecords(
      viewModel: .init(Record(response), outcome: response.isComplete ? .done : nil)
    )
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

extension Record {
  fileprivate init(_ response: ListTimeline.FetchTimeline.Response) {
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

  /// Makes columns of equal length, which take fewer bytes than an object for each image.
  fileprivate init(_ response: ListTimeline.FetchBucket.Response) {
    let tiles = response.tiles
    self = [
      "ids": .numbers(tiles.map(\.id)),
      "ratios": .array(tiles.map { .real(Self.rounded($0.aspectRatio ?? 0)) }),
      "thumbnails": .texts(tiles.map { $0.thumbnail?.hexadecimal ?? "" }),
      "colours": .text(Self.colours(of: tiles)),
      "names": .texts(tiles.map { $0.name ?? "" }),
      "originals": .array(tiles.map { .flag($0.isOriginalStored) }),
      "pins": .array(tiles.map { .flag($0.isPinned) }),
    ]
  }

  private static func rounded(_ ratio: Double) -> Double { (ratio * 1_000).rounded() / 1_000 }

  /// The colour grids of all images, concatenated in Base64; zeros for an image without a grid.
  private static func colours(of tiles: [ImageTile]) -> String {
    var bytes = Data(capacity: tiles.count * ColourGrid.bytes)
    for tile in tiles {
      let isKnown = tile.thumbnail != nil && tile.colours?.count == ColourGrid.bytes
      bytes += isKnown ? tile.colours ?? [] : Array(repeating: 0, count: ColourGrid.bytes)
    }
    return bytes.base64EncodedString()
  }
}

extension ListTimeline.FetchBucket.Response {
  /// Whether every stored thumbnail has its colours, so that the bucket will not change.
  fileprivate var isComplete: Bool { tiles.allSatisfy { $0.thumbnail == nil || $0.colours != nil } }
}
