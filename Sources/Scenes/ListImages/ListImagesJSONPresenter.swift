package import Models
import Workers

/// A display for scripts.
package protocol ListImagesRecordDisplayLogic: RecordDisplayLogic {
  func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel)
  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel)
}

/// Makes records for scripts.
package struct ListImagesJSONPresenter: ListImagesPresentationLogic {
  private let display: any ListImagesRecordDisplayLogic
  private let file: (PictureInfo) -> String?
  private let tellsMissing: Bool

  /// - Parameters:
  ///   - display: The display.
  ///   - tellsMissing: Whether a missing image is an event, as it is among the events of 'show'.
  ///   - file: Returns the path of a stored original's file; nil when this disk does not have it.
  package init(
    display: any ListImagesRecordDisplayLogic,
    tellsMissing: Bool = false,
    file: @escaping (PictureInfo) -> String? = { _ in nil }
  ) {
    self.display = display
    self.tellsMissing = tellsMissing
    self.file = file
  }

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    var records = records(of: response.images.span)
    if let originals = response.originals {
      for (index, image) in response.images.enumerated() {
        let original = originals[image.id]
        let details = original?.hash.flatMap { response.details[$0.hexadecimal] }
        records[index].facts = .init(
          pageURL: image.pageAddress?.masked,
          feedURL: image.feed.address.masked,
          isPinned: image.isPinned,
          original: original,
          file: original.flatMap(file),
          camera: details?.camera,
          taken: details?.taken.map(Wording.timestamp)
        )
      }
    }
    display.displayFetchedImages(viewModel: .init(records: records))
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

  package func presentPinnedImages(response: ListImages.PinImages.Response) {
    let record: Record = ["images": .number(response.count), "pinned": .flag(response.isPinned)]
    display.displayRecords(viewModel: .init(record))
  }

  package func presentFailure(response: Fail.Response) {
    if tellsMissing, case .noSuchImage(let id, _) = response.failure {
      let record: Record = [
        "event": "unavailable", "id": .integer(id), "reason": "no such image", "detail": .text(nil),
      ]
      display.displayRecords(viewModel: .init(record, outcome: nil))
    }
    display.displayFailure(viewModel: .init(response))
  }
}
