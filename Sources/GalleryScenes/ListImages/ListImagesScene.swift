internal import Composition
public import GalleryLibrary
internal import Models
internal import Scenes
internal import Workers

/// The scene that lists images and selects one; it stays in the task, or on the actor, that made it.
public struct ListImagesScene {
  /// Takes the requests.
  public let interactor: any ListImagesBusinessLogic
  /// Leads to the scene of the selected image.
  public let router: any ListImagesRoutingLogic

  /// Makes the scene.
  ///
  /// - Parameters:
  ///   - library: The library whose images it lists.
  ///   - presenter: The presenter, such as a ``ListImagesPresenter`` with the program's display.
  ///   - navigation: The way to the scenes of single images; nil for a list that leads nowhere.
  public init(
    of library: ImageLibrary,
    presenter: any ListImagesPresentationLogic,
    navigation: (any ListImagesNavigation)? = nil
  ) {
    let responses = ListImagesResponses(presenter: presenter, file: library.root.file(of:))
    let scene = library.root.listImages(presenter: responses)
    interactor = ListImagesInteractor(library: library, scene: scene, presenter: presenter)
    router = ListImagesRouter(dataStore: scene, navigation: navigation)
  }
}

/// The requests of the scene of a list.
public protocol ListImagesBusinessLogic {
  /// Reads a page of images, never waiting for the network, and presents its parts, then its end.
  func fetchImages(request: ListImages.FetchImages.Request) async
  /// Selects an image for the router; if no followed feed has it, presents that, and nothing is selected.
  func selectImage(request: ListImages.SelectImage.Request) async
}

/// The route from a list to an image.
public protocol ListImagesRoutingLogic {
  /// Passes the selected image to a scene that shows it, and goes there; does nothing without a selected image.
  func routeToShowImage()
}

/// The navigation of a program, such as a push of the next screen.
public protocol ListImagesNavigation {
  /// Makes the scene that shows an image, with a display of the program.
  func makeShowImageScene() -> ShowImageScene
  /// Goes to the scene, which has its image.
  func navigateToShowImage(_ destination: ShowImageScene)
}

/// Makes requests of the values of requests.
private struct ListImagesInteractor: ListImagesBusinessLogic {
  let library: ImageLibrary
  let scene: any Scenes.ListImagesBusinessLogic
  let presenter: any ListImagesPresentationLogic

  func fetchImages(request: ListImages.FetchImages.Request) async {
    do throws(LibraryError) {
      try library.checkOpen()
      var fetch = try request.query.request
      fetch.grid = request.room.map { room in
        .init(room: Workers.PixelSize(room), count: max(request.columns, 1))
      }
      await scene.fetchImages(request: fetch)
    } catch {
      presenter.presentFailure(response: Fail.Response(error))
    }
  }

  func selectImage(request: ListImages.SelectImage.Request) async {
    do throws(LibraryError) {
      try library.checkOpen()
      await scene.selectImage(request: .init(id: request.id))
    } catch {
      presenter.presentFailure(response: Fail.Response(error))
    }
  }
}

/// Passes the selected image on.
private struct ListImagesRouter: ListImagesRoutingLogic {
  let dataStore: any ListImagesDataStore
  let navigation: (any ListImagesNavigation)?

  func routeToShowImage() {
    guard let navigation, let image = dataStore.selectedImage else { return }
    var destination = navigation.makeShowImageScene()
    destination.scene.router.dataStore.image = image
    navigation.navigateToShowImage(destination)
  }
}

/// Hands responses on, as public values.
private struct ListImagesResponses: Scenes.ListImagesPresentationLogic {
  let presenter: any ListImagesPresentationLogic
  let file: (PictureInfo) -> String?

  func presentFetchedImages(response: Scenes.ListImages.FetchImages.Response) {
    presenter.presentFetchedImages(response: .init(facts: response, file: file))
  }

  func presentUndrawnImages(response: Scenes.ListImages.FetchImages.Undrawn.Response) {
    let error = LibraryError(Failure.imaging(response.reason))
    presenter.presentFailure(response: Fail.Response(error, Wording.undrawn(response.reason)))
  }

  func presentEndedFetch(response: Scenes.ListImages.FetchImages.Ended.Response) {
    presenter.presentEndedFetch(response: .init(facts: response))
  }

  func presentPinnedImages(response: Scenes.ListImages.PinImages.Response) {}

  func presentFailure(response: Scenes.Fail.Response) {
    presenter.presentFailure(response: Fail.Response(response))
  }
}
