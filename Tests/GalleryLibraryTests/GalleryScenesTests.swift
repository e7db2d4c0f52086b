import Foundation
import GalleryLibrary
import GalleryScenes
import TestSupport
import Testing

/// The scenes that `GalleryScenes` makes of a library.
struct GalleryScenesTests {
  private let bench: LibraryBench
  private let display = DisplaySpy()

  init() throws { bench = try LibraryBench() }

  // MARK: Lists

  @Test func `a list displays finished texts, page after page`() async throws {
    let library = try await bench.syncedLibrary()
    let list = list(of: library)
    var query = ImageQuery(limit: 2)
    await list.interactor.fetchImages(request: .init(query: query))
    query.after = display.ends.last?.next
    await list.interactor.fetchImages(request: .init(query: query))

    #expect(display.rows.map { $0.map(\.title) } == [["The moon", "The sun"], ["The stars"]])
    let moon = try #require(display.rows.first?.first)
    #expect((moon.published, moon.day) == ("2026-03-09T08:00:00Z", "2026-03-09"))
    #expect(moon.feed == "Night sky")
    #expect((moon.originalMark, moon.isPinned, moon.hasFailed) == ("", false, false))
    #expect(moon.picture == nil)
    #expect(display.ends.map { $0.next == nil } == [false, true])
    #expect(display.ends.map(\.note) == [nil, nil])
    #expect(display.failures == [])
  }

  @Test func `a list tells pins and stored originals, with and without pictures`() async throws {
    let library = try await bench.syncedLibrary()
    let moon = try #require(try await library.images().images.first)
    try await library.pin([moon.id])
    for try await _ in library.original(moon.id) {}
    let list = list(of: library)
    await list.interactor.fetchImages(request: .init())
    await list.interactor.fetchImages(request: .init(room: PixelSize(width: 9, height: 9)))

    let images = display.rows.flatMap(\.self)
    #expect(images.map(\.isPinned) == [true, false, false, true, false, false])
    #expect(images.map(\.originalMark) == ["original", "", "", "original", "", ""])
  }

  @Test func `thumbnails come as pixels that fit, in whole rows`() async throws {
    let list = list(of: try await bench.syncedLibrary())
    let room = PixelSize(width: 40, height: 40)
    await list.interactor.fetchImages(request: .init(room: room, columns: 2))

    #expect(display.rows.map(\.count) == [2, 1])
    for picture in display.rows.flatMap(\.self).map(\.picture) {
      #expect(picture?.size == PixelSize(width: 40, height: 30))
      #expect(picture?.bytes.count == 4 * 40 * 30)
    }
  }

  @Test(arguments: [-1, 0, 9])
  func `rows of any length present every image`(columns: Int) async throws {
    let list = list(of: try await bench.syncedLibrary())
    let room = PixelSize(width: 0, height: -5)
    await list.interactor.fetchImages(request: .init(room: room, columns: columns))

    #expect(display.rows.flatMap(\.self).count == 3)
    #expect(display.rows.flatMap(\.self).allSatisfy { $0.picture != nil })
  }

  @Test func `without a decoder, a list says so and has no pictures`() async throws {
    _ = try await bench.syncedLibrary()
    let library = try await bench.library(decoder: "/nowhere/gallery-decoder")
    let room = PixelSize(width: 40, height: 40)
    await list(of: library).interactor.fetchImages(request: .init(room: room))

    #expect(display.failures.count == 1)
    #expect(display.failures.first?.contains("/nowhere/gallery-decoder") == true)
    #expect(display.rows.flatMap(\.self).map(\.title) == ["The moon", "The sun", "The stars"])
    #expect(display.rows.flatMap(\.self).allSatisfy { $0.picture == nil })
  }

  @Test func `an empty list has a note, and a query that cannot be right a failure`() async throws {
    let list = list(of: try await bench.syncedLibrary())
    await list.interactor.fetchImages(request: .init(query: ImageQuery(search: "comet")))
    #expect(display.ends.last?.note == "no image matches")

    for feed in ["", "-", "nothing"] {
      await list.interactor.fetchImages(request: .init(query: ImageQuery(feed: feed)))
    }
    #expect(display.failures.count == 3)
    #expect(display.rows == [] && display.ends.count == 1)
  }

  @Test func `texts cannot control a terminal, and an own presenter gets them as they are`()
    async throws
  {
    let path = "\(bench.folder.path)/hostile.json"
    let feed = """
      {"version": "https://jsonfeed.org/version/1.1", "title": "F\\u202e", "items": [
      {"id": "1", "title": "a\\u202eb\\u009bc", "image": "https://example.org/a.jpg"}]}
      """
    try Data(feed.utf8).write(to: URL(filePath: path))
    let library = try await bench.library()
    _ = try await library.follow(path)
    let presenter = PresenterSpy()
    await list(of: library).interactor.fetchImages(request: .init())
    await ListImagesScene(of: library, presenter: presenter).interactor
      .fetchImages(request: .init())

    let shown = try #require(display.rows.first?.first)
    func isHarmless(_ text: String) -> Bool {
      text.unicodeScalars.allSatisfy { ![0x202E, 0x9B].contains($0.value) }
    }
    #expect(isHarmless(shown.title) && isHarmless(shown.feed))
    let image = try #require(presenter.images.first)
    #expect(!isHarmless(image.title ?? ""))
    #expect(presenter.images == (try await library.images().images))
    #expect(presenter.count == 1)
  }

  // MARK: From a list to an image

  @Test func `the router leads to an image, with its thumbnail first`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)
    let shown = await scene(of: image.id, in: library)
    let scene = try #require(shown)
    let room = PixelSize(width: 100, height: 100)
    await scene.interactor.fetchThumbnail(request: .init(room: room))
    await scene.interactor.fetchOriginal(request: .init(room: room))
    await scene.interactor.describeImage()

    #expect(display.thumbnails.map(\.text) == ["\(image.id) 'The moon'"])
    #expect(display.thumbnails.first?.picture?.size == PixelSize(width: 100, height: 75))
    let original = try #require(display.originals.first)
    #expect(original.picture?.size == PixelSize(width: 100, height: 75))
    #expect(original.note == nil)
    let photograph = LibraryBench.photograph("moon")
    #expect(try Array(Data(contentsOf: URL(filePath: original.path))) == photograph)
    #expect(display.fields.contains { $0.value == "The moon" })
    #expect(display.failures == [])
  }

  @Test func `an image that no feed has leads nowhere`() async throws {
    let library = try await bench.syncedLibrary()
    let scene = await scene(of: 999, in: library)
    #expect(scene == nil)
    #expect(display.failures == ["cannot show '999': no such image"])
  }

  @Test func `a list without navigation, and one without a selection, lead nowhere`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)
    let list = list(of: library)
    await list.interactor.selectImage(request: .init(id: image.id))
    list.router.routeToShowImage()
    let navigation = NavigationSpy(library, display)
    ListImagesScene(
      of: library,
      presenter: ListImagesPresenter(display: display),
      navigation: navigation
    ).router.routeToShowImage()

    #expect(navigation.shown == nil)
    #expect(display.failures == [])
  }

  @Test func `an original that may not be fetched is a failure, and no server is asked`()
    async throws
  {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)
    let shown = await scene(of: image.id, in: library)
    let scene = try #require(shown)
    await scene.interactor.fetchOriginal(request: .init(mayAskNetwork: false))

    #expect(display.originals == [] && display.failures.count == 1)
    #expect(!bench.targets.contains("/moon.jpg"))
  }

  @Test func `a cancelled fetch is a failure, and the next one shows the original`() async throws {
    let library = try await bench.syncedLibrary()
    let image = try #require(try await library.images().images.first)
    let gate = bench.hold("/moon.jpg")
    let task = Task {
      let display = DisplaySpy()
      let navigation = NavigationSpy(library, display)
      let list = ListImagesScene(
        of: library,
        presenter: ListImagesPresenter(display: display),
        navigation: navigation
      )
      await list.interactor.selectImage(request: .init(id: image.id))
      list.router.routeToShowImage()
      await navigation.shown?.interactor.fetchOriginal(request: .init())
      return [display.failures.count, display.originals.count]
    }
    await bench.asked(for: "/moon.jpg")
    task.cancel()
    #expect(await task.value == [1, 0])
    #expect(try await library.image(image.id)?.original == nil)

    gate.open()
    let shown = await scene(of: image.id, in: library)
    let scene = try #require(shown)
    await scene.interactor.fetchOriginal(request: .init())
    #expect(display.originals.count == 1)
  }

  private func list(of library: ImageLibrary) -> ListImagesScene {
    ListImagesScene(of: library, presenter: ListImagesPresenter(display: display))
  }

  /// The scene to which a list leads; nil when it leads nowhere.
  private func scene(of id: Int64, in library: ImageLibrary) async -> ShowImageScene? {
    let navigation = NavigationSpy(library, display)
    let list = ListImagesScene(
      of: library,
      presenter: ListImagesPresenter(display: display),
      navigation: navigation
    )
    await list.interactor.selectImage(request: .init(id: id))
    list.router.routeToShowImage()
    return navigation.shown
  }
}

/// Records what a front end would show.
private final class DisplaySpy: ListImagesDisplayLogic, ShowImageDisplayLogic {
  private(set) var rows: [[DisplayedImage]] = []
  private(set) var ends: [ListImages.FetchImages.Ended.ViewModel] = []
  private(set) var thumbnails: [ShowImage.FetchThumbnail.ViewModel] = []
  private(set) var originals: [ShowImage.FetchOriginal.ViewModel] = []
  private(set) var fields: [DescriptionField] = []
  private(set) var failures: [String] = []

  func displayFetchedImages(viewModel: ListImages.FetchImages.ViewModel) {
    rows.append(viewModel.displayedImages)
  }

  func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    ends.append(viewModel)
  }

  func displayFetchedThumbnail(viewModel: ShowImage.FetchThumbnail.ViewModel) {
    thumbnails.append(viewModel)
  }

  func displayProgress(viewModel: ShowImage.FetchOriginal.Progress.ViewModel) {}

  func displayPartialOriginal(viewModel: ShowImage.FetchOriginal.Partial.ViewModel) {}

  func displayFetchedOriginal(viewModel: ShowImage.FetchOriginal.ViewModel) {
    originals.append(viewModel)
  }

  func displayDescribedImage(viewModel: ShowImage.DescribeImage.ViewModel) {
    fields = viewModel.fields
  }

  func displayFailure(viewModel: Fail.ViewModel) { failures.append(viewModel.message) }
}

/// Records the facts of a list.
private final class PresenterSpy: ListImagesPresentationLogic {
  private(set) var images: [LibraryImage] = []
  private(set) var count: Int?

  func presentFetchedImages(response: ListImages.FetchImages.Response) {
    images += response.images
  }

  func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    count = response.count
  }

  func presentFailure(response: Fail.Response) {}
}

/// Keeps the scene to which a router leads.
private final class NavigationSpy: ListImagesNavigation {
  private(set) var shown: ShowImageScene?
  private let library: ImageLibrary
  private let display: DisplaySpy

  init(_ library: ImageLibrary, _ display: DisplaySpy) {
    (self.library, self.display) = (library, display)
  }

  func makeShowImageScene() -> ShowImageScene {
    ShowImageScene(of: library, presenter: ShowImagePresenter(display: display))
  }

  func navigateToShowImage(_ destination: ShowImageScene) { shown = destination }
}
