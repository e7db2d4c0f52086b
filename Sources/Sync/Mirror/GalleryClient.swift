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
    /// When their time began to count.
    var start: Date
    var expectedKey: LibraryKey?
    var uncheckable: StoreError?
  }

  let gallery: GalleryAddress
  let tools: SyncTools
  let progress: SyncProgress
  let bounds: FeedBounds
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
    state = Locked(State(reach: reach, start: tools.now()))
  }

  /// The reach of its content; nil until it has answered.
  var reach: FeedReach? { state.withLock { $0.reach } }

  /// Bytes that came over the wire.
  var wireBytes: Int { state.withLock { $0.wireBytes } }

  /// The key that has to sign each node of the tree; nil for a gallery that does not sign.
  var expectedKey: LibraryKey? {
    get { state.withLock { $0.expectedKey } }
    set { state.withLock { $0.expectedKey = newValue } }
  }

  /// The reason why signatures cannot be checked on this machine; nil unless one was to be checked.
  var uncheckable: StoreError? {
    get { state.withLock { $0.uncheckable } }
    set { state.withLock { $0.uncheckable = newValue } }
  }

  /// Begins to count the documents and their time again, before the gallery is read a second time.
  func restartCount() {
    let now = tools.now()
    state.withLock { ($0.documentBytes, $0.start) = (0, now) }
  }

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
    let (header, reader) = try await lines(gallery.changes(behind: cursor), tag)
    switch header.status {
    case 304 where cursor != nil: return .unchanged
    case 410 where cursor != nil: return .tooOld
    case 200:
      // A server that sends another media type is not a gallery.
      guard cursor != nil || header.mediaType == "application/x-ndjson" else {
        throw .fault(.notAGallery)
      }
      var lines = reader
      let name = DocumentSignature.name(
        ofChangesBehind: cursor,
        feedID: gallery.feedID,
        search: gallery.search
      )
      let key = try signer(of: &lines, named: name)
      let (page, end) = try Failure.ofGallery(lines.page(signedBy: key))
      return .page(page, end)
    default: throw .status(header.status)
    }
  }

  /// The root of the tree; nil if the copy's validators match it.
  func root(
    _ validators: Validators
  ) async throws(Failure) -> (node: RootNode, header: NetworkHeader)? {
    let limit = SyncLimits.galleryRootBytes
    let reply = try await document(gallery.treeRoot, validators, limit: limit)
    if reply.header.status == 304, !validators.isEmpty { return nil }
    var root = try decode(RootNode.self, reply, orElse: .notAGallery)
    root.key = try signer(of: reply.body, named: DocumentSignature.name(ofNode: "root"))
    return (root, reply.header)
  }

  func feed(_ hash: SHA256Digest) async throws(Failure) -> FeedNode {
    let name = DocumentSignature.name(ofNode: hash.hexadecimal)
    return try node(named: name, try await document(gallery.treeNode(hash)))
  }

  /// Requests several months at once, and returns them in the order of `hashes`.
  ///
  /// They are decoded one after another, because that takes many times their bytes.
  func months(_ hashes: [SHA256Digest]) async throws(Failure) -> [MonthNode] {
    let replies = try await hashes.mapConcurrently { hash throws(Failure) in
      try await self.document(self.gallery.treeNode(hash))
    }
    return try zip(hashes, replies).map { (hash, reply) throws(Failure) in
      try node(named: DocumentSignature.name(ofNode: hash.hexadecimal), reply)
    }
  }

  /// Requests several leaves at once, and returns them in the order of `hashes`.
  ///
  /// A leaf is nil if it is too large to be read beside others.
  func leaves(_ hashes: [SHA256Digest]) async throws(Failure) -> [ChangeLineReader.Page?] {
    try await hashes.mapConcurrently { hash throws(Failure) in try await self.smallLeaf(hash) }
  }

  private func smallLeaf(_ hash: SHA256Digest) async throws(Failure) -> ChangeLineReader.Page? {
    let limit = SyncLimits.galleryNodeBytes
    do throws(Failure) {
      return try await leaf(hash, limit: limit)
    } catch .network(let error) where error.reason == .tooLarge(limit: limit) {
      return nil
    }
  }

  func leaf(
    _ hash: SHA256Digest,
    limit: Int = SyncLimits.galleryPageBytes
  ) async throws(Failure) -> ChangeLineReader.Page {
    let name = DocumentSignature.name(ofNode: hash.hexadecimal)
    let (header, reader) = try await lines(gallery.treeNode(hash), limit: limit)
    guard header.status == 200 else { throw .status(header.status) }
    var lines = reader
    try checkSigner(try signer(of: &lines, named: name))
    return try Failure.ofGallery(lines.leaf())
  }

  /// Reads a node below the root.
  private func node<Node: Decodable>(
    named name: String,
    _ reply: NetworkReply
  ) throws(Failure) -> Node {
    let node = try decode(Node.self, reply, orElse: .wrongNode)
    try checkSigner(try signer(of: reply.body, named: name))
    return node
  }

  private func decode<Node: Decodable>(
    _ type: Node.Type,
    _ reply: NetworkReply,
    orElse fault: GalleryFault
  ) throws(Failure) -> Node {
    guard reply.header.status == 200 else { throw .status(reply.header.status) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.take(gallery)
    guard let node = try? decoder.decode(type, from: Data(reply.body)) else {
      throw .fault(fault)
    }
    return node
  }

  /// Requests a document that is read as a whole.
  private func document(
    _ address: WebAddress?,
    _ validators: Validators = Validators(),
    limit: Int = SyncLimits.galleryNodeBytes
  ) async throws(Failure) -> NetworkReply {
    let reply = try await fetch(try request(address, validators, limit: limit))
    note(reply.header, bytes: reply.body.count)
    return reply
  }

  /// Requests a document of lines, and reads them as they arrive.
  private func lines(
    _ address: WebAddress?,
    _ validators: Validators = Validators(),
    limit: Int = SyncLimits.galleryPageBytes
  ) async throws(Failure) -> (NetworkHeader, ChangeLineReader) {
    let request = try request(address, validators, limit: limit)
    let response = try await Failure.ofNetwork(await tools.network.open(request))
    defer { note(wireBytes: response.body.wireBytes) }
    note(response.header, bytes: 0)
    var reader = ChangeLineReader(of: gallery, hash: beginHash())
    while let chunk = try await Failure.ofNetwork(await response.body.next()) {
      note(response.header, bytes: chunk.count)
      if response.header.status == 200 { try Failure.ofGallery(reader.push(chunk)) }
    }
    return (response.header, reader)
  }

  private func request(
    _ address: WebAddress?,
    _ validators: Validators,
    limit: Int
  ) throws(Failure) -> NetworkRequest {
    try checkBounds()
    guard let address else { throw .fault(.malformedPage) }
    return NetworkRequest(
      address: address,
      reach: networkReach,
      validators: validators,
      acceptsCompression: true,
      byteLimit: limit,
      timeLimit: SyncLimits.documentTime,
      feedKey: gallery.base.hashValue,
      comesFirst: true
    )
  }

  /// Counts the bytes of a document; the first response decides the gallery's reach.
  private func note(_ header: NetworkHeader, bytes: Int) {
    state.withLock { state in
      state.documentBytes += bytes
      state.reach = state.reach ?? FeedReach(header.firstPeer)
    }
  }

  /// The reach of requests below the gallery's address.
  var networkReach: NetworkReach { reach.map { NetworkReach($0) } ?? .typed }

  func fetch(_ request: NetworkRequest) async throws(Failure) -> NetworkReply {
    let reply = try await Failure.ofNetwork(await tools.network.fetch(request))
    note(wireBytes: reply.wireBytes)
    return reply
  }

  private func checkBounds() throws(Failure) {
    let (bytes, start) = state.withLock { ($0.documentBytes, $0.start) }
    let cost = DocumentCost(
      documentBytes: bytes,
      seconds: tools.now().timeIntervalSince(start)
    )
    if let bound = bounds.bound(onReading: cost) { throw .feed(.beyondBound(bound, stored: 0)) }
  }
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
