internal import Scenes

/// The responses that the interactor presents; a presenter of your own may turn them into texts of your own.
public protocol ShowImagePresentationLogic {
  /// Presents the stored thumbnail.
  func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response)
  /// Presents the progress of a fetch.
  func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response)
  /// Presents the part of the original that has arrived.
  func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response)
  /// Presents the original.
  func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response)
  /// Presents the facts about the image.
  func presentDescribedImage(response: ShowImage.DescribeImage.Response)
  /// Presents what cannot be done; after an original that cannot be fetched, an older one that is stored may follow.
  func presentFailure(response: Fail.Response)
}

/// A display of one image.
///
/// Its texts are English, in one line, and harmless for a terminal; they still have to be escaped for markup. Only a path
/// is as it is.
public protocol ShowImageDisplayLogic {
  /// Displays the stored thumbnail.
  func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel)
  /// Displays the progress of a fetch.
  func displayProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel)
  /// Displays the part of the original that has arrived.
  func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel)
  /// Displays the original.
  func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel)
  /// Displays the facts about the image.
  func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel)
  /// Displays what cannot be done; after an original that cannot be fetched, an older one that is stored may follow.
  func displayFailure(viewModel: Fail.ViewModel)
}

/// Makes the texts of the command `gallery`, without the commands that it suggests.
public final class ShowImagePresenter: ShowImagePresentationLogic {
  private let display: any ShowImageDisplayLogic
  private var presenter: Scenes.ShowImagePresenter

  /// Makes the presenter of a display.
  public init(display: any ShowImageDisplayLogic) {
    self.display = display
    presenter = Scenes.ShowImagePresenter(display: ShowImageTexts(display: display))
  }

  public func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {
    presenter.presentFetchedThumbnail(response: response.facts)
  }

  public func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    presenter.presentFetchProgress(response: response.facts)
  }

  public func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {
    presenter.presentPartialOriginal(response: response.facts)
  }

  public func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    presenter.presentFetchedOriginal(response: response.facts)
  }

  public func presentDescribedImage(response: ShowImage.DescribeImage.Response) {
    presenter.presentDescribedImage(response: response.facts)
  }

  public func presentFailure(response: Fail.Response) {
    // The next fetch has a speed of its own.
    presenter = Scenes.ShowImagePresenter(display: ShowImageTexts(display: display))
    display.displayFailure(viewModel: Fail.ViewModel(response))
  }
}

/// Hands view models on, as public values.
private struct ShowImageTexts: Scenes.ShowImageDisplayLogic {
  let display: any ShowImageDisplayLogic

  func displayFetchedThumbnail(viewModel: Scenes.ShowImage.FetchThumbnail.ViewModel) {
    display.displayFetchedThumbnail(
      viewModel: .init(
        text: HarmlessText.line(viewModel.text),
        picture: viewModel.picture.map { Picture($0.picture) },
        note: viewModel.note.map(HarmlessText.line)
      )
    )
  }

  func displayProgress(viewModel: Run.Progress.ViewModel) {
    display.displayProgress(
      viewModel: .init(fraction: viewModel.line.fraction, text: viewModel.line.text)
    )
  }

  func displayPartialOriginal(viewModel: Scenes.ShowImage.FetchOriginal.Partial.ViewModel) {
    let picture = Picture(viewModel.picture.picture)
    display.displayPartialOriginal(viewModel: .init(picture: picture))
  }

  func displayFetchedOriginal(viewModel: Scenes.ShowImage.FetchOriginal.ViewModel) {
    // Only a copy to standard output has no path, and no public request is for one.
    guard let path = viewModel.path else { return }
    display.displayFetchedOriginal(
      viewModel: .init(
        text: HarmlessText.line(viewModel.text),
        path: path,
        picture: viewModel.picture.map { Picture($0.picture) },
        note: viewModel.note.map(HarmlessText.line)
      )
    )
  }

  func displayDescribedImage(viewModel: Scenes.ShowImage.DescribeImage.ViewModel) {
    let fields = viewModel.fields.map { DescriptionField($0) }
    display.displayDescribedImage(viewModel: .init(fields: fields))
  }

  // The public presenter hands failures on itself, and no public request is for the rest.
  func displayUnavailableOriginal(viewModel: Scenes.Fail.ViewModel) {}
  func displayExplainedImage(viewModel: Scenes.ShowImage.ExplainImage.ViewModel) {}
  func displayReadThumbnail(viewModel: Scenes.ShowImage.ReadThumbnail.ViewModel) {}
  func displayFailure(viewModel: Scenes.Fail.ViewModel) {}
}
