import Composition
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import Models
import NIOCore
import Web
import Workers

/// The routes for hubs; only these routes and `/healthz` need no token, and their answers reveal nothing about the
/// library.
///
/// A request to an unknown path costs one look-up in an index; its body is not read.
extension GalleryServer {
  /// The common beginning of the paths of subscriptions.
  static let hubPath = "/websub/"

  func addHubs(to routes: Routes) {
    guard let subscriber else { return }
    routes.get(RouterPath("\(Self.hubPath):path")) { request, context in
      guard let path = context.parameters.get("path"), Self.isHubPath(path),
        let asked = HubRequest(PercentEncoding.parameters(request.uri.query ?? ""))
      else { throw Self.notFound }
      switch try await subscriber.answer(asked, atPath: path) {
      case .confirmed(let challenge): return Self.plain(.ok, challenge)
      case .noted: return Self.plain(.ok)
      case .refused: throw Self.notFound
      }
    }
    routes.post(RouterPath("\(Self.hubPath):path")) { request, context in
      guard let path = context.parameters.get("path"), Self.isHubPath(path),
        let subscription = try await subscriber.subscription(atPath: path)
      else {
        // A hub that receives 410 ends the subscription (WebSub, section 7).
        throw WebProblem(status: 410, title: "Gone")
      }
      if try await isSigned(request, for: subscription) {
        context.logger.info("a hub tells of feed \(subscription.feedID)")
        await deliveries.note(subscription.feedID)
      }
      // A delivery with a wrong signature gets the same answer (WebSub, section 8).
      return Self.plain(.accepted)
    }
  }

  /// Whether a path has the form of a subscription's path, so that arbitrarily long texts are rejected.
  private static func isHubPath(_ path: String) -> Bool {
    path.utf8.count == 64 && path.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  /// Reads the body, and holds only one piece of it at a time.
  private func isSigned(_ request: Request, for subscription: Subscription) async throws -> Bool {
    guard let field = request.headers[.hubSignature],
      let signature = CompositionRoot.signature(field, secret: subscription.secret)
    else { return false }
    var count = 0
    for try await piece in request.body {
      count += piece.readableBytes
      if count > Limits.deliveryBytes { return false }
      piece.withUnsafeReadableBytes { signature.update($0) }
    }
    return signature.isRight()
  }

  /// A path for the log; the path of a callback is secret and therefore masked.
  static func logged(_ path: String) -> String {
    guard let range = path.firstRange(of: hubPath) else { return path }
    return path[..<range.upperBound] + "***"
  }
}

/// Asks feeds whose hubs have reported changes; it asks them soon, like a sync that names them.
///
/// All reports that arrive while a sync waits or runs cause only one more sync.
actor Deliveries {
  private let jobs: SyncJobs
  private let library: any LibraryReading
  private var queue = DeliveryQueue()
  private var task: Task<Void, Never>?
  private var isClosed = false

  init(_ jobs: SyncJobs, _ library: any LibraryReading) {
    self.jobs = jobs
    self.library = library
  }

  func note(_ feedID: Int64) {
    queue.note(feedID)
    guard task == nil, !isClosed else { return }
    task = Task { await ask() }
  }

  func close() async {
    isClosed = true
    task?.cancel()
    await task?.value
  }

  private func ask() async {
    while !Task.isCancelled, let pause = queue.pause(at: Date()) {
      if pause > 0 {
        try? await Task.sleep(for: .seconds(pause))
      } else {
        await sync(queue.take(at: Date()))
      }
    }
    task = nil
  }

  /// A feed that is no longer followed would make the sync of the others fail.
  private func sync(_ ids: [Int64]) async {
    let followed = Set((try? await library.feeds().map(\.id)) ?? [])
    let feeds = ids.filter(followed.contains)
    if !feeds.isEmpty { await jobs.run(feeds.map { .id($0) }) }
  }
}
