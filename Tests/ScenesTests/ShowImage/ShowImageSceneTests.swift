import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ShowImageSceneTests {
  @Test func `shows the image that its router was passed`() {
    let presenter = ShowImagePresentationSpy()
    var scene = ShowImageScene(
      presenter: presenter,
      library: LibraryStub(),
      originalWorker: OriginalFetchingStub(nil),
      exporter: PictureExportingStub(),
      opener: PictureOpeningStub(),
      decoder: ImageDecodingStub(),
      marker: DamageMarkingSpy()
    )

    scene.router.dataStore.image = .moon
    scene.interactor.describeImage()

    #expect(presenter.events == [.description(.init(image: .moon))])
  }
}
