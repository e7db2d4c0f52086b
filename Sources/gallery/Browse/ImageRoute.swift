import Composition
import Models
import Scenes
import Terminal
import Workers

/// An image whose picture or facts are shown, with its scene and the state of its display.
struct OpenedImage {
  /// The number of the scene, which identifies its events.
  var number: Int
  var display: ImageDisplay
  var scene: ShowImageScene
  /// Stops the fetch of the original.
  var stop = StopRequest()

  /// Requests the thumbnail, and then the original that replaces it.
  ///
  /// - Parameters:
  ///   - room: The room for the picture; nil when it is not drawn.
  ///   - mayAskNetwork: Whether the original may be fetched.
  func show(in room: PixelSize?, mayAskNetwork: Bool) async {
    await scene.interactor.fetchThumbnail(request: .init(room: room))
    await scene.interactor.fetchOriginal(
      request: .init(
        mayAskNetwork: mayAskNetwork,
        room: room,
        holdTime: .untilNext,
        stop: stop
      )
    )
  }
}

/// The scene of a list in the event loop's task, with a route to the scenes of images, which run in the background.
final class ImageRoute {
  /// The end of the route, from which the event loop takes the scene.
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

  /// The reason why an image could not be opened.
  var problem: String? { display.listed.note }

  /// Selects an image and opens its scene; nil when the image no longer exists.
  func open(_ image: DisplayedImage) async -> OpenedImage? {
    await scene.showImage(image.id)
    guard let destination = navigation.take() else { return nil }
    let display = ImageDisplay(id: image.id, name: image.caption)
    return OpenedImage(number: navigation.number, display: display, scene: destination)
  }
}

/// The scene of an image in a separate task, so that the event loop does not wait for a picture.
///
/// The event loop's router passes the image to this object and makes the requests, as if it were the interactor itself.
/// The task creates the scene, keeps it, and forwards all requests in order. The scene's view models are returned as
/// events.
final class BackgroundShowImage: ShowImageBusinessLogic, ShowImageDataStore {
  private enum Order: Sendable {
    case image(WebImage?)
    case request(@Sendable (any ShowImageBusinessLogic) async -> Void)
  }

  var image: WebImage? {
    didSet { orders.yield(.image(image)) }
  }
  private let orders: AsyncStream<Order>.Continuation

  /// Takes the function that creates the scene.
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

  func fetchNewer(request: ShowImage.FetchNewer.Request) async {
    orders.yield(.request { await $0.fetchNewer(request: request) })
  }

  func takeNewer() async { orders.yield(.request { await $0.takeNewer() }) }

  func readThumbnail() async { orders.yield(.request { await $0.readThumbnail() }) }
}
