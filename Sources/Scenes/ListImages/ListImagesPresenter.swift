import Models
import Workers

/// The responses that the interactor presents.
package protocol ListImagesPresentationLogic {
  func presentFetchedImages(response: ListImages.FetchImages.Response)
  func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response)
  func presentEndedFetch(response: ListImages.FetchImages.Ended.Response)
  func presentPinnedImages(response: ListImages.PinImages.Response)
  func presentFailure(response: Fail.Response)
}

/// A display for people.
package protocol ListImagesDisplayLogic {
  func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel)
  func displayUndrawnImages(viewModel: ListImages.FetchImages.Undrawn.ViewModel)
  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel)
  func displayPinnedImages(viewModel: ListImages.PinImages.ViewModel)
  func displayFailure(viewModel: Fail.ViewModel)
}

/// Makes text for people.
package struct ListImagesPresenter: ListImagesPresentationLogic {
  private let display: any ListImagesDisplayLogic

  package init(display: any ListImagesDisplayLogic) { self.display = display }

  package func presentFetchedImages(response: ListImages.FetchImages.Response) {
    var displayed = response.images.map(displayedImage)
    for (index, pixels) in (response.thumbnails ?? []).enumerated() {
      displayed[index].picture = pixels.flatMap(Picture.init)
    }
    display.displayFetchedImages(
      viewModel: .init(displayedImages: displayed, isGrid: response.thumbnails != nil)
    )
  }

  package func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {
    display.displayUndrawnImages(viewModel: .init(note: Wording.undrawn(response.reason)))
  }

  package func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    display.displayEndedFetch(
      viewModel: .init(
        note: Wording.endOfList(response),
        failures: Wording.failures(response.failures).map { "\($0) — \(.explainFailures)" },
        nextOffset: response.nextOffset,
        next: response.next?.text
      )
    )
  }

  package func presentPinnedImages(response: ListImages.PinImages.Response) {
    display.displayPinnedImages(viewModel: .init(text: Wording.pinning(response)))
  }

  package func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: .init(response))
  }

  private func displayedImage(_ image: WebImage) -> DisplayedImage {
    let published = image.published.map(Wording.timestamp) ?? ""
    return DisplayedImage(
      id: image.id,
      published: published,
      day: Wording.day(of: Wording.timestamp(image.published ?? image.firstSeen)),
      feed: Wording.name(of: image.feed),
      title: image.title ?? "",
      originalMark: originalMark(of: image),
      hasFailed: !image.failures.isEmpty,
      isPinned: image.isPinned,
      thumbnail: image.isThumbnailDamaged ? nil : DisplayedFile(image.thumbnail)
    )
  }

  private func originalMark(of image: WebImage) -> String {
    if image.isOriginalDamaged { return "damaged" }
    return image.original.isStored ? "original" : ""
  }
}
