import Scenes

/// For commands that list and lead nowhere.
struct NoNavigation: ListImagesNavigation {
  let gallery: Gallery

  func makeShowImageScene() -> ShowImageScene { gallery.showImage().makeScene() }

  func navigateToShowImage(_ destination: ShowImageScene) async {}
}
