package import Scenes

/// One image that fills the screen: its thumbnail at once, and the original in its place.
///
/// It keeps what the scene tells, and draws it whenever the screen is drawn.
package final class ImageDisplay: ShowImageDisplayLogic {
  /// The picture that is shown; nil before the first.
  private(set) var picture: DisplayedPicture?
  /// The number of the picture among those of this image: a new one replaces it.
  private(set) var revision = 0
  /// The name of the image.
  private(set) var name: String
  /// What is known of its original, once that is shown.
  private(set) var original: String?
  private(set) var progress: ProgressLine?
  /// Why something is not shown.
  private(set) var problem: String?
  /// All facts about the image, or the reasons for them; nil until they are asked for.
  package private(set) var fields: [DescriptionField]?
  package private(set) var isPinned: Bool?
  /// Whether the original has come, or cannot.
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

  /// Keeps nothing: bytes are for programs.
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

  /// Draws the picture in the middle of an area, not larger than its original is, unless it is to be enlarged.
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
