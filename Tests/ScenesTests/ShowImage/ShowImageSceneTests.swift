import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ShowImageSceneTests {
  @Test func `shows the image that its router was passed`() async {
    let presenter = ShowImagePresentationSpy()
    let interactor = ShowImageInteractor(
      presenter: presenter,
      library: LibraryStub(),
      originalWorker: OriginalFetchingStub(nil),
      exporter: PictureExportingStub(),
      opener: PictureOpeningStub(),
      decoder: ImageDecodingStub(),
      marker: DamageMarkingSpy(),
      pins: LibraryManagingSpy()
    )
    var scene = ShowImageScene(interactor: interactor)

    scene.router.dataStore.image = .moon
    await scene.interactor.describeImage()

    #expect(presenter.events == [.description(.init(image: .moon))])
  }
}
