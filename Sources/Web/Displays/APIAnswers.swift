import FoundationEssentials
import Models
package import Scenes
package import Workers

/// The answers of the API: records of a scene, gathered until all are there.
package final class RecordAnswer: ListImagesRecordDisplayLogic {
  package private(set) var records: [Record] = []
  package private(set) var images: [ImageRecord] = []
  /// Where the next page begins; nil after the last one.
  package private(set) var next: String?
  /// Why there is no answer; nil when there is one.
  package private(set) var failure: Fail.ViewModel?

  package init() {}

  package func displayRecords(viewModel: RecordViewModel) { records += viewModel.records }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    images += viewModel.records
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    next = viewModel.next
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }
}

/// A bucket of a timeline for the grid, in columns of the same length, which are shorter than objects.
package struct TileColumns {
  private let tiles: [ImageTile]

  /// Takes the tiles, and the ids of the bucket: an image that has been removed since keeps its index.
  package init(_ tiles: [ImageTile], of ids: [Int64]) {
    let found = Dictionary(uniqueKeysWithValues: tiles.map { ($0.id, $0) })
    self.tiles = ids.map { found[$0] ?? ImageTile(id: $0) }
  }

  package var json: [UInt8] {
    let record: Record = [
      "ids": .numbers(tiles.map(\.id)),
      "ratios": .array(tiles.map { .real(Self.rounded($0.aspectRatio ?? 0)) }),
      "thumbnails": .texts(tiles.map { $0.thumbnail?.hexadecimal ?? "" }),
      "colours": .text(colours),
      "names": .texts(tiles.map { $0.name ?? "" }),
      "originals": .array(tiles.map { .flag($0.isOriginalStored) }),
    ]
    return JSONLine.lines([record])
  }

  /// Whether no thumbnail waits for its colours, so that the columns stay as they are.
  package var isComplete: Bool { tiles.allSatisfy { $0.thumbnail == nil || $0.colours != nil } }

  /// The colour grids of all images, one behind the other; zeros for one that has none.
  private var colours: String {
    var bytes = Data(capacity: tiles.count * ColourGrid.bytes)
    for tile in tiles {
      let isKnown = tile.thumbnail != nil && tile.colours?.count == ColourGrid.bytes
      bytes += isKnown ? tile.colours ?? [] : Array(repeating: 0, count: ColourGrid.bytes)
    }
    return bytes.base64EncodedString()
  }

  private static func rounded(_ ratio: Double) -> Double { (ratio * 1_000).rounded() / 1_000 }
}

/// The description of the API (OpenAPI 3.1), written by hand and held to the routes by tests.
package enum OpenAPI {
  package static var document: [UInt8] { EmbeddedFiles.openAPI }
}
