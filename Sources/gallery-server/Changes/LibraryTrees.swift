import Models
import Workers

/// The trees of hashes of the library's last states; each is computed when a client first asks for it.
actor LibraryTrees {
  /// The node that a hash refers to.
  enum Node: Sendable {
    case library(LibraryTree)
    case feed(LibraryTree.Feed)
    case month(LibraryTree.Month, feedID: Int64)
    case leaf(LibraryTree.Leaf, month: Int, feedID: Int64)
  }

  private struct Kept {
    var tree: LibraryTree
    var nodes: [SHA256Digest: Node]
  }

  private struct Reading {
    var version: LibraryVersion
    var task: Task<Result<LibraryTree?, StoreError>, Never>
  }

  private let library: any ChangeFollowing
  private var reading: Reading?
  /// Sorted by age, the newest last.
  private var kept: [Kept] = []

  init(_ library: any ChangeFollowing) { self.library = library }

  /// The tree of the library's current state; nil when the library has no tree.
  func newest() async throws(StoreError) -> LibraryTree? {
    let version = try await library.version()
    if let last = kept.last, last.tree.version == version { return last.tree }
    guard let tree = try await read(version).value.get() else { return nil }
    keep(tree)
    return tree
  }

  /// The node with a hash; nil when it is not in a kept tree.
  func node(_ hash: SHA256Digest) -> Node? {
    for tree in kept.reversed() {
      if let node = tree.nodes[hash] { return node }
    }
    return nil
  }

  private func read(
    _ version: LibraryVersion
  ) -> Task<Result<LibraryTree?, StoreError>, Never> {
    if let reading, reading.version == version { return reading.task }
    let task = Task { [library] () -> Result<LibraryTree?, StoreError> in
      do throws(StoreError) {
        return .success(try await library.tree())
      } catch {
        return .failure(error)
      }
    }
    reading = Reading(version: version, task: task)
    return task
  }

  private func keep(_ tree: LibraryTree) {
    if kept.contains(where: { $0.tree.version == tree.version }) { return }
    kept.append(Kept(tree: tree, nodes: Self.nodes(of: tree)))
    if kept.count > Limits.treesKept { kept.removeFirst() }
  }

  private static func nodes(of tree: LibraryTree) -> [SHA256Digest: Node] {
    var nodes: [SHA256Digest: Node] = [tree.hash: .library(tree)]
    for feed in tree.feeds {
      nodes[feed.hash] = .feed(feed)
      for month in feed.months {
        nodes[month.hash] = .month(month, feedID: feed.id)
        for leaf in month.leaves {
          nodes[leaf.hash] = .leaf(leaf, month: month.month, feedID: feed.id)
        }
      }
    }
    return nodes
  }
}
