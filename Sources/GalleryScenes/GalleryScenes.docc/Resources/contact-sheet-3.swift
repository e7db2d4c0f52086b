import GalleryLibrary
import GalleryScenes

@main
struct ContactSheet {
  static func main() async throws {
    let library = try await ImageLibrary(at: CommandLine.arguments[1])
    for try await event in library.sync([CommandLine.arguments[2]]) {
      if case .problem(let problem) = event { print(problem.address, problem.error) }
    }
    let screen = Screen(library)
    let list = ListImagesScene(
      of: library,
      presenter: ListImagesPresenter(display: screen),
      navigation: screen
    )
    await list.interactor.fetchImages(
      request: .init(query: ImageQuery(limit: 6), room: Screen.tile, columns: Screen.columns)
    )
    while let id = readLine(), !id.isEmpty {
      await list.interactor.selectImage(request: .init(id: Int64(id) ?? 0))
      list.router.routeToShowImage()
      await screen.showImage()
    }
    try await library.close()
  }
}

/// Everything that the terminal shows.
final class Screen {
  static let columns = 3
  static let tile = PixelSize(width: 24, height: 18)
  static let room = PixelSize(width: 74, height: 48)

  private let library: ImageLibrary
  private var shown: ShowImageScene?

  init(_ library: ImageLibrary) { self.library = library }

  /// Shows the image to which the router has led: its thumbnail at once, then its original.
  func showImage() async {
    guard let scene = shown else { return }
    shown = nil
    await scene.interactor.fetchThumbnail(request: .init(room: Self.room))
    await scene.interactor.fetchOriginal(request: .init(room: Self.room))
  }

  private func draw(_ picture: Picture?) {
    guard let picture else { return }
    for line in HalfBlocks.lines(of: [picture], in: Self.room) { print(line) }
  }
}

extension Screen: ListImagesNavigation {
  func makeShowImageScene() -> ShowImageScene {
    ShowImageScene(of: library, presenter: ShowImagePresenter(display: self))
  }

  func navigateToShowImage(_ destination: ShowImageScene) { shown = destination }
}

extension Screen: ListImagesDisplayLogic {
  func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    let images = viewModel.displayedImages
    for line in HalfBlocks.lines(of: images.map(\.picture), in: Self.tile) { print(line) }
    let captions = images.map { image in
      let caption = "\(image.id) \(image.title)".prefix(Self.tile.width)
      return caption + String(repeating: " ", count: Self.tile.width - caption.count)
    }
    print(captions.joined(separator: " "))
  }

  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    if let note = viewModel.note { print(note) }
    for failure in viewModel.failures { print(failure) }
  }

  func displayFailure(viewModel: Fail.ViewModel) { print(viewModel.message) }
}

extension Screen: ShowImageDisplayLogic {
  func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    print(viewModel.text)
    draw(viewModel.picture)
  }

  func displayProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel) {}

  func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {}

  func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    draw(viewModel.picture)
    print(viewModel.note ?? viewModel.text)
  }

  func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {}
}

/// Draws pictures with a character for two pixels, one above the other.
enum HalfBlocks {
  /// The lines of pictures side by side, each in the same room.
  static func lines(of pictures: [Picture?], in room: PixelSize) -> [String] {
    stride(from: 0, to: room.height, by: 2).map { row in
      pictures.map { line(row, of: $0, room.width) }.joined(separator: " ")
    }
  }

  private static func line(_ row: Int, of picture: Picture?, _ width: Int) -> String {
    let cells = (0..<width).map { column in
      guard let upper = colour(of: picture, column, row) else { return " " }
      let lower = colour(of: picture, column, row + 1).map { "48;2;\($0)" } ?? "49"
      return "\u{1B}[38;2;\(upper);\(lower)m▀\u{1B}[m"
    }
    return cells.joined()
  }

  /// The colour of a pixel as a terminal takes it; nil outside of the picture.
  private static func colour(of picture: Picture?, _ column: Int, _ row: Int) -> String? {
    guard let picture, column < picture.size.width, row < picture.size.height else { return nil }
    let start = 4 * (row * picture.size.width + column)
    return picture.bytes[start..<start + 3].map(String.init).joined(separator: ";")
  }
}
