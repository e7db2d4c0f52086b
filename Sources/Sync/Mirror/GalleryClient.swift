import FoundationEssentials
import Models
import Workers

/// Requests a gallery's changes and its tree, within the limits of one sync.
final class GalleryClient: Sendable {
  /// The answer of a gallery to a request for changes.
  enum Changes {
    case page(ChangeLineReader.Page, ChangeLineReader.End)
    /// Nothing has changed.
    case unchanged
    /// The cursor is too old: the changes behind it are not all that the copy lacks.
    case tooOld
  }

  private struct State {
    var reach: FeedReach?
    /// Bytes that came over the wire, and bytes of documents after decompression.
    var wireBytes = 0
    var documentBytes = 0
  }

  let gallery: GalleryAddress
  let tools: SyncTools
  let progress: SyncProgress
  private let bounds: FeedBounds
  private let start: Date
  private let state: Locked<State>

  init(
    _ gallery: GalleryAddress,
    reach: FeedReach?,
    bounds: FeedBounds,
    tools: SyncTools,
    progress: SyncProgress
  ) {
    self.gallery = gallery
    self.bounds = bounds
    self.tools = tools
    self.progress = progress
    start = tools.now()
    state = Locked(State(reach: reach))
  }

  /// The reach of its content; nil until it has answered.
  var reach: FeedReach? { state.withLock { $0.reach } }

  /// Bytes that came over the wire.
  var wireBytes: Int { state.withLock { $0.wireBytes } }

  /// Counts bytes that came over the wire; the progress has `counted` of them already.
  func note(wireBytes: Int, counted: Int = 0) {
    state.withLock { $0.wireBytes += wireBytes }
    progress.update { $0.bytes += wireBytes - counted }
  }

  // MARK: Requests

  @concurrent
  func changes(behind cursor: String?) async throws(Failure) -> Changes {
    // If there are no changes behind the cursor, the gallery answers with a 304.
    let tag = Validators(entityTag: cursor.map { "\"\($0)\"" })
    let reply = try await document(gallery.changes(behind: cursor), tag)
    switch reply.header.status {
    case 304 where cursor != nil: return .unchanged
    case 410 where cursor != nil: return .tooOld
    case 200:
      // A server that sends another media type is not a gallery.
      guard cursor != nil || reply.header.mediaType == "application/x-ndjson" else {
        throw .fault(.notAGallery)
      }
      let (page, end) = try Failure.ofGallery(ChangeLineReader().page(reply.body))
      return .page(page, end)
    default: throw .status(reply.header.status)
    }
  }

  /// The root of the tree; nil if the copy's validators match it.
  func root(
    _ validators: Validators
  ) async throws(Failure) -> (node: RootNode, header: NetworkHeader)? {
    let reply = try await document(gallery.treeRoot, validators)
    if reply.header.status == 304, !validators.isEmpty { return nil }
    return (try decode(RootNode.self, reply, isRoot: true), reply.header)
  }

  func feed(_ hash: SHA256Digest) async throws(Failure) -> FeedNode {
    try decode(FeedNode.self, try await document(gallery.treeNode(hash)))
  }

  /// Requests several months at once, and returns them in the order of `hashes`.
  func months(_ hashes: [SHA256Digest]) async throws(Failure) -> [MonthNode] {
    try await hashes.mapConcurrently { hash throws(Failure) in
      try self.decode(MonthNode.self, try await self.document(self.gallery.treeNode(hash)))
    }
  }

  /// Requests several leaves at once, and returns them in the order of `hashes`.
  func leaves(_ hashes: [SHA256Digest]) async throws(Failure) -> [ChangeLineReader.Page] {
    try await hashes.mapConcurrently { hash throws(Failure) in
      let reply = try await self.document(self.gallery.treeNode(hash))
      guard reply.header.status == 200 else { throw .status(reply.header.status) }
      return try Failure.ofGallery(ChangeLineReader().leaf(reply.body))
    }
  }

  private func decode<Node: Decodable>(
    _ type: Node.Type,
    _ reply: NetworkReply,
    isRoot: Bool = false
  ) throws(Failure) -> Node {
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let node = try? decoder.decode(type, from: Data(reply.body)) else {
      throw .fault(isRoot ? .notAGallery : .wrongNode)
    }
    return node
  }

  /// Requests a document; the first response decides the gallery's reach.
  private func document(
    _ address: WebAddress?,
    _ validators: Validators = Validators()
  ) async throws(Failure) -> NetworkReply {
    try checkBounds()
    guard let address else { throw .fault(.malformedPage) }
    let reply = try await fetch(
      NetworkRequest(
        address: address,
        reach: networkReach,
        validators: validators,
        acceptsCompression: true,
        byteLimit: SyncLimits.galleryPageBytes,
        timeLimit: SyncLimits.documentTime,
        feedKey: gallery.base.hashValue,
        comesFirst: true
      )
    )
    state.withLock { state in
      state.documentBytes += reply.body.count
      state.reach = state.reach ?? FeedReach(reply.header.firstPeer)
    }
    return reply
  }

  /// The reach of requests below the gallery's address.
  var networkReach: NetworkReach { reach.map { NetworkReach($0) } ?? .typed }

  func fetch(_ request: NetworkRequest) async throws(Failure) -> NetworkReply {
    let reply = try await Failure.ofNetwork(await tools.network.fetch(request))
    note(wireBytes: reply.wireBytes)
    return reply
  }

  private func checkBounds() throws(Failure) {
    let cost = DocumentCost(
      documentBytes: state.withLock { $0.documentBytes },
      seconds: tools.now().timeIntervalSince(start)
    )
    if let bound = bounds.bound(onReading: cost) { throw .feed(.beyondBound(bound, stored: 0)) }
  }
}

/// The root of a gallery's tree.
struct RootNode: Decodable, Sendable {
  struct Feed: Decodable {
    var id: Int64
    var seq: Int64
    var hash: String
  }

  struct Pin: Decodable {
    var id: Int64
    var seq: Int64
    var pinned: Date
  }

  var hash: String
  var library: String
  var cursor: String
  var feeds: [Feed]
  var pins: [Pin]

  /// The text of which `hash` has to be the hash.
  var text: String {
    feeds.sorted { $0.id < $1.id }.map { "feed \($0.id) \($0.hash)\n" }
      .reduce("library \(library)\n", +)
      + pins.sorted { $0.id < $1.id }.map { "pin \($0.id) \($0.seq)\n" }.joined()
  }
}

/// A feed in a gallery's tree.
struct FeedNode: Decodable, Sendable {
  struct Month: Decodable {
    var month: String
    var hash: String
  }

  var hash: String
  var id: Int64
  var feed: Line
  var months: [Month]
}

/// A month of a feed in a gallery's tree.
struct MonthNode: Decodable, Sendable {
  struct Leaf: Decodable {
    var hash: String
    var first: Int64
    var last: Int64
  }

  var hash: String
  var month: String
  var leaves: [Leaf]
}

extension Failure {
  static func fault(_ fault: GalleryFault) -> Failure { .feed(.gallery(fault)) }

  /// Checks data of a gallery, and turns the fault in it into a failure.
  static func ofGallery<Value>(
    _ work: @autoclosure () throws(GalleryFault) -> Value
  ) throws(Failure) -> Value {
    do { return try work() } catch { throw .fault(error) }
  }
}
