import ArgumentParser
import Composition
import Scenes
import Terminal

struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Tell why an image has what it has, and what comes next; never asks the network.",
    discussion: """
      Tells which feed the image is from and when that is asked again, why there is or is no thumbnail \
      and no original, and what would take the original away.

        gallery why 7
        gallery why 7 --json
      """
  )

  @Argument(
    help: ArgumentHelp("The ids of the images.", valueName: "id"),
    completion: LibraryCompletion.images
  )
  var ids: [Int64]

  @OptionGroup var storage: StorageOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common, storage: storage)
    let (makeScene, shown) = run.showImage()
    let navigation = WhyNavigation(makeScene: makeScene)
    let (scene, display) = run.listImages(navigation: navigation)
    for id in ids {
      await scene.interactor.selectImage(request: .init(id: id))
      guard scene.router.dataStore.selectedImage != nil else { continue }
      await scene.router.routeToShowImage()
    }
    try await run.end(shown.outcome, display.outcome)
  }
}

/// Explains an image in the place of showing it.
private struct WhyNavigation: ListImagesNavigation {
  let makeScene: () -> ShowImageScene

  func makeShowImageScene() -> ShowImageScene { makeScene() }

  func navigateToShowImage(_ destination: ShowImageScene) async {
    await destination.interactor.explainImage()
  }
}
