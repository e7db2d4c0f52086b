import Models
import Scenes
import Workers

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
