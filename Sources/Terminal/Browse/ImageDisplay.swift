package import Scenes

/// One image that fills the screen: first its thumbnail, which the original then replaces.
///
/// It keeps the scene's view models, and draws them whenever the screen is drawn.
package final class ImageDisplay: ShowImageDisplayLogic {
  /// The picture that is shown; nil before the first.
  private(set) var picture: DisplayedPicture?
  /// The number of pictures shown so far, which identifies the current one.
  private(set) var revision = 0
  /// The name of the image.
  private(set) var name: String
  /// A line about the original; nil until the original is shown.
  private(set) var original: String?
  private(set) var progress: ProgressLine?
  /// The reason why a picture is not shown.
  private(set) var problem: String?
  /// All facts about the image, or an explanation of them; nil until they are requested.
  package private(set) var fields: [DescriptionField]?
  package private(set) var isPinned: Bool?
  /// Whether the original has arrived, or the request for it has failed.
  package private(set) var hasEnded = false
  package let id: Int64

  /// Whether there is a picture to look at.
  package var hasPicture: Bool { picture != nil }

  /// Takes the image's id, and its name in the list.
  package init(id: Int64, name: String) {
    self.id = id
    self.name = name
  }

  package func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    name = viewModel.text
    show(viewModel.picture)
  }

  package func displayProgress(viewModel: Run.Progress.ViewModel) {
    progress = viewModel.line
  }

  package func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {
    show(viewModel.picture)
  }

  package func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    progress = nil
    hasEnded = true
    original = viewModel.text
    problem = viewModel.note
    show(viewModel.picture)
  }

  package func displayUnavailableOriginal(viewModel: Fail.ViewModel) {
    progress = nil
    hasEnded = true
    problem = viewModel.message.commandLine
  }

  package func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    fields = viewModel.fields
    isPinned = viewModel.image.isPinned
  }

  package func displayExplainedImage(viewModel: ShowImage.ExplainImage.ViewModel) {
    fields = viewModel.fields
  }

  /// Ignores the bytes, because they are for programs.
  package func displayReadThumbnail(viewModel: ShowImage.ReadThumbnail.ViewModel) {}

  package func displayFailure(viewModel: Fail.ViewModel) {
    progress = nil
    hasEnded = true
    problem = viewModel.message.commandLine
  }

  private func show(_ picture: DisplayedPicture?) {
    guard let picture else { return }
    self.picture = picture
    revision += 1
  }

  // MARK: The screen

  /// Draws the picture in the middle of an area, not larger than its original unless `isEnlarged`.
  func draw(
    on content: inout ScreenContent,
    area: CellArea,
    _ drawing: BrowseDrawing?,
    isEnlarged: Bool = false
  ) {
    guard let drawing, let picture else { return }
    let natural = isEnlarged ? nil : picture.fullSize
    let size = drawing.cells(of: picture.picture.size, natural: natural, in: area.size)
    content.place(
      PlacedPicture(
        key: "original \(id) \(revision)",
        picture: picture.picture,
        area: area.centred(size)
      )
    )
  }
}
