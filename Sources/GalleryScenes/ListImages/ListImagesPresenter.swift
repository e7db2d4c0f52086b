internal import Scenes

/// The responses that the interactor presents; a presenter of your own may turn them into texts of your own.
public protocol ListImagesPresentationLogic {
  /// Presents a part of the page.
  func presentFetchedImages(response: ListImages.FetchImages.Response)
  /// Presents the end of the page.
  func presentEndedFetch(response: ListImages.FetchImages.Ended.Response)
  /// Presents what cannot be done; if only the thumbnails cannot be drawn, the images follow without them.
  func presentFailure(response: Fail.Response)
}

/// A display of a list.
///
/// Its texts are English, in one line, and harmless for a terminal; they still have to be escaped for markup.
public protocol ListImagesDisplayLogic {
  /// Displays a part of the page.
  func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel)
  /// Displays the end of the page.
  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel)
  /// Displays what cannot be done.
  func displayFailure(viewModel: Fail.ViewModel)
}

/// Makes the texts of the command `gallery`, without the commands that it suggests.
public struct ListImagesPresenter: ListImagesPresentationLogic {
  private let display: any ListImagesDisplayLogic
  private let presenter: Scenes.ListImagesPresenter

  /// Makes the presenter of a display.
  public init(display: any ListImagesDisplayLogic) {
    self.display = display
    presenter = Scenes.ListImagesPresenter(display: ListImagesTexts(display: display))
  }

  public func presentFetchedImages(response: ListImages.FetchImages.Response) {
    presenter.presentFetchedImages(response: response.facts)
  }

  public func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    presenter.presentEndedFetch(response: response.facts)
  }

  public func presentFailure(response: Fail.Response) {
    display.displayFailure(viewModel: Fail.ViewModel(response))
  }
}

/// Hands view models on, as public values.
private struct ListImagesTexts: Scenes.ListImagesDisplayLogic {
  let display: any ListImagesDisplayLogic

  func displayFetchedImages(viewModel: Scenes.ListImages.FetchImages.ViewModel) {
    let images = viewModel.displayedImages.map { DisplayedImage($0) }
    display.displayFetchedImages(viewModel: .init(displayedImages: images))
  }

  func displayEndedFetch(viewModel: Scenes.ListImages.FetchImages.Ended.ViewModel) {
    display.displayEndedFetch(
      viewModel: .init(
        note: viewModel.note?.withoutHints,
        failures: viewModel.failures.map { HarmlessText.line($0.withoutHints) },
        next: viewModel.next
      )
    )
  }

  // The public presenter hands failures on itself, and no public request is for pins.
  func displayUndrawnImages(viewModel: Scenes.ListImages.FetchImages.Undrawn.ViewModel) {}
  func displayPinnedImages(viewModel: Scenes.ListImages.PinImages.ViewModel) {}
  func displayFailure(viewModel: Scenes.Fail.ViewModel) {}
}
