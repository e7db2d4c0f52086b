package import Scenes

/// The answers of the API: records of a scene, gathered until all are there.
package final class RecordAnswer: ListImagesRecordDisplayLogic {
  package private(set) var records: [Record] = []
  package private(set) var images: [ImageRecord] = []
  /// Where the next page begins; nil after the last one.
  package private(set) var next: String?
  /// Why there is no answer; nil when there is one.
  package private(set) var failure: Fail.ViewModel?
  /// Whether more is still to come, at another time.
  package private(set) var isPartial = false

  package init() {}

  package func displayRecords(viewModel: RecordViewModel) {
    records += viewModel.records
    isPartial = viewModel.outcome == nil
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    images += viewModel.records
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    next = viewModel.next
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }
}

/// The description of the API (OpenAPI 3.1), written by hand and held to the routes by tests.
package enum OpenAPI {
  package static var document: [UInt8] { EmbeddedFiles.openAPI }
}
