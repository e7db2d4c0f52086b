import FoundationEssentials
import Models
import Workers

/// A display for scripts.
package protocol ListImagesRecordDisplayLogic: RecordDisplayLogic {
  func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel)
  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel)
}

/// Makes records for scripts.
package struct ListImagesJSONPresenter: ListImagesPresentationLogic {
  private let display: any ListImagesRecordDisplayLogic

  package init(display: any ListImagesRecordDisplayLogic) { self.display = display }

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    display.displayFetchedImages(viewModel: .init(records: records(of: response.images.span)))
  }

  /// Takes a span, because it borrows each image, while an array would copy it.
  private func records(of images: Span<WebImage>) -> [ImageRecord] {
    var records: [ImageRecord] = []
    records.reserveCapacity(images.count)
    for index in images.indices { records.append(ImageRecord(images[index])) }
    return records
  }

  /// Presents nothing: scripts get no pictures.
  package func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {}

  /// Presents only the position of the next page; the records contain everything else.
  package func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    display.displayEndedFetch(
      viewModel: .init(nextOffset: response.nextOffset, next: response.next?.text)
    )
  }

  package func presentFetchedTimeline(response: ListImages.FetchTimeline.Response) {
    display.displayRecords(viewModel: .init(Record(response)))
  }

  /// Presents no outcome while a thumbnail waits for its colours, because the bucket will change.
  package func presentFetchedBucket(response: ListImages.FetchBucket.Response) {
    display.displayRecords(
      viewModel: .init(Record(response), outcome: response.isComplete ? .done : nil)
    )
  }

  package func presentPinnedImages(response: ListImages.PinImages.Response) {
    let record: Record = ["images": .number(response.count), "pinned": .flag(response.isPinned)]
    display.displayRecords(viewModel: .init(record))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}

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

  /// Makes columns of equal length, which take fewer bytes than an object for each image.
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

extension ListImages.FetchBucket.Response {
  /// Whether every stored thumbnail has its colours, so that the bucket will not change.
  var isComplete: Bool { tiles.allSatisfy { $0.thumbnail == nil || $0.colours != nil } }
}
