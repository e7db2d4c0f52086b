import Composition
import Models
import Scenes
import Terminal
import Workers

/// An image that is shown, or whose facts are: its scene, and what that displays.
struct OpenedImage {
  /// The number of the scene, which its events have.
  var number: Int
  var display: ImageDisplay
  var scene: ShowImageScene
  /// Ends the fetch of the original.
  var stop = StopRequest()

  /// Asks for the thumbnail, and then for the original in its place.
  ///
  /// - Parameters:
  ///   - room: The room for the picture; nil when none is drawn.
  ///   - mayAskNetwork: Whether the original may be fetched.
  func show(in room: PixelSize?, mayAskNetwork: Bool) async {
    await scene.interactor.fetchThumbnail(request: .init(room: room))
    await scene.interactor.fetchOriginal(
      request: .init(mayAskNetwork: mayAskNetwork, room: room, stop: stop)
    )
  }
}

/// The scene of a list, in the task of a loop, and its route to the scenes of images, which work in the background.
final class ImageRoute {
  /// Where the route leads: the loop takes the scene from here.
  private final class Navigation: ListImagesNavigation {
    private let scenes: BrowseScenes
    private let send: @Sendable (BrowseEvent) -> Void
    private(set) var number = 0
    private var destination: ShowImageScene?

    init(_ scenes: BrowseScenes, _ send: @escaping @Sendable (BrowseEvent) -> Void) {
      self.scenes = scenes
      self.send = send
    }

    func makeShowImageScene() -> ShowImageScene {
      number += 1
      let interactor = BackgroundShowImage { [number, scenes, send] in
        scenes.showImage { change in send(.displayed(change, scene: number)) }
      }
      return ShowImageScene(interactor: interactor)
    }

    func navigateToShowImage(_ destination: ShowImageScene) async {
      self.destination = destination
    }

    func take() -> ShowImageScene? {
      defer { destination = nil }
      return destination
    }
  }

  private let scene: ListImagesScene
  private let display = ListedPageDisplay()
  private let navigation: Navigation

  init(_ scenes: BrowseScenes, _ send: @escaping @Sendable (BrowseEvent) -> Void) {
    navigation = Navigation(scenes, send)
    scene = scenes.root.listImages(
      presenter: ListImagesPresenter(display: display),
      navigation: navigation
    )
  }

  /// Why an image could not be opened.
  var problem: String? { display.listed.note }

  /// Selects an image and goes to its scene; nil when it is not there any more.
  func open(_ image: DisplayedImage) async -> OpenedImage? {
    await scene.showImage(image.id)
    guard let destination = navigation.take() else { return nil }
    let display = ImageDisplay(id: image.id, name: image.caption)
    return OpenedImage(number: navigation.number, display: display, scene: destination)
  }
}

/// The scene of an image, at work in a task of its own: the loop that reads keys does not wait for a picture.
///
/// The loop's router passes the image to this object and makes its requests of it, as of the interactor itself. The
/// scene is made by the task, stays in it, and gets all of this in order; what it displays comes back as events.
final class BackgroundShowImage: ShowImageBusinessLogic, ShowImageDataStore {
  private enum Order: Sendable {
    case image(WebImage?)
    case request(@Sendable (any ShowImageBusinessLogic) async -> Void)
  }

  var image: WebImage? {
    didSet { orders.yield(.image(image)) }
  }
  private let orders: AsyncStream<Order>.Continuation

  /// Takes what makes the scene.
  init(_ makeScene: @escaping @Sendable () -> ShowImageScene) {
    let (stream, orders) = AsyncStream.makeStream(of: Order.self)
    self.orders = orders
    Task {
      var scene = makeScene()
      for await order in stream {
        switch order {
        case .image(let image): scene.router.dataStore.image = image
        case .request(let request): await request(scene.interactor)
        }
      }
    }
  }

  deinit { orders.finish() }

  func fetchThumbnail(request: ShowImage.FetchThumbnail.Request) async {
    orders.yield(.request { await $0.fetchThumbnail(request: request) })
  }

  func fetchOriginal(request: ShowImage.FetchOriginal.Request) async {
    orders.yield(.request { await $0.fetchOriginal(request: request) })
  }

  func describeImage() async { orders.yield(.request { await $0.describeImage() }) }

  func explainImage() async { orders.yield(.request { await $0.explainImage() }) }

  func pinImage(request: ShowImage.PinImage.Request) async {
    orders.yield(.request { await $0.pinImage(request: request) })
  }

  func readThumbnail() async { orders.yield(.request { await $0.readThumbnail() }) }
}
