import Composition
import Hummingbird
import Models
import Web
import Workers

/// The routes for clients whose copy of the library is too old for the change log, and thumbnails by the pack.
extension GalleryServer {
  func addTree(to routes: Routes) {
    routes.get("/api/v1/tree/:hash") { request, context in
      try context.requireWholeLibrary()
      return try await treeNode(request, context)
    }
    routes.get("/p/:hash") { request, context in
      // A pack contains thumbnails of all feeds.
      try context.requireWholeLibrary()
      return try await pack(request, context)
    }
  }

  /// The node with a hash, or the newest root.
  private func treeNode(_ request: Request, _ context: ServerContext) async throws -> Response {
    if context.parameters.get("hash") == "root" {
      try await following.prepare()
      guard let tree = try await following.trees.newest() else { throw Self.notFound }
      try await root.changes.noteFollowed(tree.version)
      let bytes = try await signed(root(tree), "root", of: tree.version.library, context)
      return try answer(bytes, for: request)
    }
    let name = try hash(in: context).hexadecimal
    guard let node = await following.trees.node(try hash(in: context)) else { throw treeHasChanged }
    let isLeaf = if case .leaf = node { true } else { false }
    let json = try await json(of: node)
    let library = try await root.changes.version().library
    let bytes = try await signed(json, name, of: library, context)
    return immutable(bytes, request, type: isLeaf ? "application/x-ndjson" : "application/json")
  }

  private func signed(
    _ bytes: [UInt8],
    _ node: String,
    of library: String,
    _ context: ServerContext
  ) async throws -> [UInt8] {
    let name = DocumentSignature.name(ofNode: node)
    return try await following.signer.sign(bytes, named: name, of: library, context.logger)
  }

  private func json(of node: LibraryTrees.Node) async throws -> [UInt8] {
    switch node {
    case .library(let tree): return root(tree)
    case .feed(let node):
      guard let feed = try await root.library.feeds().first(where: { $0.id == node.id }) else {
        throw treeHasChanged
      }
      return TreeNodes.feed(node, feed)
    case .month(let month, let feedID): return TreeNodes.month(month, ofFeed: feedID)
    case .leaf(let leaf, let month, let feedID):
      let images = try await root.changes.images(ofFeed: feedID, month: month, ids: leaf.ids)
      let text = Array(LibraryTree.text(ofLeaf: images).utf8)
      guard try CompositionRoot.sha256(of: text) == leaf.hash.hexadecimal else {
        throw treeHasChanged
      }
      return TreeNodes.leaf(images)
    }
  }

  private func root(_ tree: LibraryTree) -> [UInt8] {
    let cursor = ChangeCursor(behind: tree.version, part: LibraryPart())
    return TreeNodes.library(tree, cursor: cursor.text, title: settings.title)
  }

  private func immutable(
    _ bytes: [UInt8],
    _ request: Request,
    type: String
  ) -> Response {
    var response = Self.json(bytes, for: request, type: type)
    response.headers[.cacheControl] = "private, max-age=31536000, immutable"
    return response
  }

  private var treeHasChanged: WebProblem {
    WebProblem(
      status: 404,
      title: "Not found",
      detail: "the library has changed: begin with \(settings.basePath)/api/v1/tree/root"
    )
  }

  // MARK: Packs

  /// A sealed pack of thumbnails, or a range of it (RFC 9110, section 14).
  ///
  /// It also has the bytes of thumbnails that were replaced, maybe because of their places. So if places are removed,
  /// no pack is sent, and mirrors request the thumbnails themselves.
  private func pack(_ request: Request, _ context: ServerContext) async throws -> Response {
    let hash = try hash(in: context)
    guard !settings.removesPlaces, let pack = try await root.changes.pack(hash) else {
      throw Self.notFound
    }
    let stored = StoredPicture(hash: hash.hexadecimal, format: nil, length: pack.bytes)
    let file = try await OpenFile.at(pack.path, length: pack.bytes)
    context.answer.goInPieces()
    return answer(stored, request) { range in
      // A thumbnail that is removed takes the hash from its pack, and then its bytes from the file.
      file.body(range, on: context.eventLoop, while: { try await root.changes.pack(hash) != nil })
    }
  }
}
