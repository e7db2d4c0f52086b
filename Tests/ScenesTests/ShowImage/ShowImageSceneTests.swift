import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ShowImageSceneTests {
  private let presenter = ShowImagePresentationSpy()

  private var interactor: ShowImageInteractor {
    ShowImageInteractor(
      presenter: presenter,
      library: LibraryStub(),
      originalWorker: OriginalFetchingStub(nil),
      exporter: PictureExportingStub(),
      opener: PictureOpeningStub(),
      decoder: ImageDecodingStub(),
      marker: DamageMarkingSpy(),
      pins: LibraryManagingSpy()
    )
  }

  @Test func `shows the image that its router was passed`() async {
    var scene = ShowImageScene(interactor: interactor)

    scene.router.dataStore.image = .moon
    await scene.interactor.describeImage()

    #expect(presenter.events == [.description(.init(image: .moon))])
  }

  @Test func `says in each use case that no image was passed`() async {
    let interactor = interactor
    await interactor.fetchThumbnail(request: .init())
    await interactor.fetchOriginal(request: .init(stop: StopRequest()))
    await interactor.describeImage()
    await interactor.explainImage()
    await interactor.pinImage(request: .init(isPinned: true))
    await interactor.readThumbnail()

    let failure = ShowImagePresentationSpy.Event.failure(.init(failure: .noImageSelected))
    #expect(presenter.events == Array(repeating: failure, count: 6))
    #expect(RequestFailure.noImageSelected.outcome == .notFound)
  }
}
