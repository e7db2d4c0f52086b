import GalleryLibrary
import GalleryScenes

@main
struct ContactSheet {
  static func main() async throws {
    let library = try await ImageLibrary(at: CommandLine.arguments[1])
    for try await event in library.sync([CommandLine.arguments[2]]) {
      if case .problem(let problem) = event { print(problem.address, problem.error) }
    }
    let screen = Screen()
    let list = ListImagesScene(of: library, presenter: ListImagesPresenter(display: screen))
    await list.interactor.fetchImages(request: .init(query: ImageQuery(limit: 6)))
    try await library.close()
  }
}

/// Everything that the terminal shows.
final class Screen {
}

extension Screen: ListImagesDisplayLogic {
  func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    for image in viewModel.displayedImages { print(image.id, image.title) }
  }

  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    if let note = viewModel.note { print(note) }
    for failure in viewModel.failures { print(failure) }
  }

  func displayFailure(viewModel: Fail.ViewModel) { print(viewModel.message) }
}
