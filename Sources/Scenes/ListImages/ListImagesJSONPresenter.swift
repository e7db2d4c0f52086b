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

  package func presentPinnedImages(response: ListImages.PinImages.Response) {
    let record: Record = ["images": .number(response.count), "pinned": .flag(response.isPinned)]
    display.displayRecords(viewModel: .init(record))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }
}
