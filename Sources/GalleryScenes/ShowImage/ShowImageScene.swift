internal import Composition
public import GalleryLibrary
internal import Scenes
internal import Workers

/// The scene that shows one image; it stays in the task, or on the actor, that made it.
///
/// The router of a list passes the image to it: ``ListImagesRoutingLogic/routeToShowImage()``.
public struct ShowImageScene {
  var scene: Scenes.ShowImageScene
  private let library: ImageLibrary
  private let presenter: any ShowImagePresentationLogic

  /// Makes the scene.
  ///
  /// - Parameters:
  ///   - library: The library that has the image.
  ///   - presenter: The presenter, such as a ``ShowImagePresenter`` with the program's display.
  public init(of library: ImageLibrary, presenter: any ShowImagePresentationLogic) {
    let responses = ShowImageResponses(presenter: presenter)
    scene = library.root.showImage(presenter: responses, opener: NoOpener())
    (self.library, self.presenter) = (library, presenter)
  }

  /// Takes the requests; without an image, each presents a failure.
  public var interactor: any ShowImageBusinessLogic {
    ShowImageInteractor(library: library, scene: scene.interactor, presenter: presenter)
  }
}

/// The requests of the scene of an image.
public protocol ShowImageBusinessLogic {
  /// Presents the stored thumbnail; without one, presents nothing.
  func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async
  /// Presents the original; one that is not stored is fetched, with its progress.
  ///
  /// If the task is cancelled, that is presented as a failure. What has arrived is kept for the next fetch, and never
  /// passes for a picture.
  func fetchOriginal(request: ShowImage.FetchOriginal.Request) async
  /// Presents the facts about the image, without the network.
  func describeImage() async
}

/// Makes requests of the values of requests.
private struct ShowImageInteractor: ShowImageBusinessLogic {
  let library: ImageLibrary
  let scene: any Scenes.ShowImageBusinessLogic
  let presenter: any ShowImagePresentationLogic

  func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async {
    guard isOpen() else { return }
    await scene.fetchThumbnail(request: .init(room: request.room.map { .init($0) }))
  }

  func fetchOriginal(request: ShowImage.FetchOriginal.Request) async {
    guard isOpen() else { return }
    let stop = StopRequest()
    await withTaskCancellationHandler {
      await scene.fetchOriginal(
        request: .init(
          mayAskNetwork: request.mayAskNetwork,
          room: request.room.map { .init($0) },
          holdTime: .untilNext,
          stop: stop
        )
      )
    } onCancel: {
      stop.make()
    }
  }

  func describeImage() async { if isOpen() { await scene.describeImage() } }

  /// Presents a failure if the library was closed.
  private func isOpen() -> Bool {
    do throws(LibraryError) {
      try library.checkOpen()
      return true
    } catch {
      presenter.presentFailure(response: Fail.Response(error))
      return false
    }
  }
}

/// Hands responses on, as public values.
private struct ShowImageResponses: Scenes.ShowImagePresentationLogic {
  let presenter: any ShowImagePresentationLogic

  func presentFetchedThumbnail(response: Scenes.ShowImage.FetchThumbnail.Response) {
    presenter.presentFetchedThumbnail(response: .init(facts: response))
  }

  func presentFetchProgress(response: Scenes.ShowImage.FetchOriginal.Progress.Response) {
    presenter.presentFetchProgress(response: .init(facts: response))
  }

  func presentPartialOriginal(response: Scenes.ShowImage.FetchOriginal.Partial.Response) {
    presenter.presentPartialOriginal(response: .init(facts: response))
  }

  func presentFetchedOriginal(response: Scenes.ShowImage.FetchOriginal.Response) {
    presenter.presentFetchedOriginal(response: .init(facts: response))
  }

  func presentUnavailableOriginal(
    response: Scenes.ShowImage.FetchOriginal.Unavailable.Response
  ) {
    let message = Scenes.Fail.ViewModel(response).message.withoutHints
    presenter.presentFailure(response: Fail.Response(LibraryError(response.failure), message))
  }

  func presentDescribedImage(response: Scenes.ShowImage.DescribeImage.Response) {
    presenter.presentDescribedImage(response: .init(facts: response))
  }

  func presentFailure(response: Scenes.Fail.Response) {
    presenter.presentFailure(response: Fail.Response(response))
  }

  // No public request is for these.
  func presentExplainedImage(response: Scenes.ShowImage.ExplainImage.Response) {}
  func presentFetchedNewer(response: Scenes.ShowImage.FetchNewer.Response) {}
  func presentReadThumbnail(response: Scenes.ShowImage.ReadThumbnail.Response) {}
}
