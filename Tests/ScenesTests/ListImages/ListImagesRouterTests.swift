import Models
import TestSupport
import Testing
import Workers

@testable import Scenes

struct ListImagesRouterTests {
  private struct Source: ListImagesDataStore {
    var images: [WebImage] = []
    var selectedImage: WebImage?
  }

  private let asked = ShowImageBusinessSpy()
  private let navigation: ListImagesNavigationSpy

  init() {
    let router = ShowImageRouter(dataStore: ShowImageDataStoreStruct(image: .unnamed))
    navigation = ListImagesNavigationSpy(
      destination: ShowImageScene(interactor: asked, router: router)
    )
  }

  @Test func `passes the selected image in place`() {
    var destination: any ShowImageDataStore = ShowImageDataStoreStruct()
    let source = Source(images: [.unnamed], selectedImage: .moon)

    router(source).passDataToShowImage(source: source, destination: &destination)

    #expect(destination.image == .moon)
  }

  @Test func `leads to an image with the image in a data store that is not a class`() async {
    await router(Source(selectedImage: .moon)).routeToShowImage()

    #expect(navigation.events == [.madeShowImageScene, .navigatedToShowImage(.moon)])
    #expect(asked.events == [])
  }

  @Test func `passes nothing when nothing is selected`() async {
    await router(Source(images: [.moon])).routeToShowImage()

    #expect(navigation.events == [.madeShowImageScene, .navigatedToShowImage(nil)])
  }

  @Test func `is taken from code once an image is selected`() async {
    let library = LibraryStub(images: [.unnamed, .moon])
    let interactor = ListImagesInteractor(
      presenter: ListImagesPresentationSpy(),
      library: library,
      decoder: ImageDecodingStub(),
      timelines: Timelines(library),
      pins: LibraryManagingSpy()
    )
    let scene = ListImagesScene(interactor: interactor, navigation: navigation)

    await scene.interactor.selectImage(request: .init(id: 7))
    await scene.router.routeToShowImage()

    #expect(scene.router.dataStore.selectedImage == .moon)
    #expect(navigation.events == [.madeShowImageScene, .navigatedToShowImage(.moon)])
  }

  private func router(_ source: Source) -> ListImagesRouter {
    ListImagesRouter(dataStore: source, navigation: navigation)
  }
}
