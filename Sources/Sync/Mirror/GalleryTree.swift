import Models
import Workers

/// Compares the tree of a gallery with a copy, and applies the nodes that differ.
///
/// An image that is in no leaf any more may have moved to another month or feed. So images are removed only after all
/// leaves have been applied. Until then the copy keeps its cursor, so an interruption costs only another comparison.
struct GalleryTree {
  let client: GalleryClient
  let copy: MirrorCopy
  /// Images of the copy that are not at their old place in the tree.
  private(set) var missing: [Int64] = []
  /// Images that were found in leaves that differ.
  private(set) var found: Set<Int64> = []
  /// The number of nodes below the root that were requested, and of feeds, each of which may need one.
  private(set) var nodes = 0
  private(set) var feeds = 0
  /// The number of images in the copy at the start.
  private(set) var known = 0

  /// Makes the copy equal to a root, and stores the root's cursor.
  mutating func apply(_ root: RootNode) async throws(Failure) {
    try root.check()
    guard try hash(root.text) == root.hash else { throw .fault(.wrongNode) }
    let mirror = try await copy.mirror()
    (feeds, known) = (root.feeds.count, mirror?.images ?? 0)
    for start in stride(from: 0, to: root.feeds.count, by: SyncLimits.treeNodesAtOnce) {
      try await apply(root.feeds[start...].prefix(SyncLimits.treeNodesAtOnce), to: mirror)
    }
    let present = Set(root.feeds.map(\.id))
    let gone = (mirror?.feeds.keys.filter { !present.contains($0) } ?? []).sorted()
    for feed in gone { missing += try await copy.images(ofFeed: feed).map(\.id) }
    try await copy.remove(.image, missing.filter { !found.contains($0) })
    try await copy.remove(.feed, gone)
    let pins = Set(root.pins.map(\.id))
    try await copy.remove(.pin, (mirror?.pins ?? []).filter { !pins.contains($0) })
    let lines = root.pins.filter { mirror?.pins.contains($0.id) != true }.map { pin in
      ChangeLine(
        position: ChangePosition(number: pin.seq, kind: .pin, id: pin.id),
        state: .pin(pin.pinned)
      )
    }
    if lines.isEmpty, mirror?.cursor == root.cursor, mirror?.key == copy.key { return }
    try await copy.apply(MirrorPage(lines: lines, cursor: root.cursor, hasMore: false))
  }

  /// Checks that the nodes have led to images: each may need the nodes of its month and leaf.
  private func checkBounds() throws(Failure) {
    let bounds = client.bounds
    var bound: FeedBounds.Bound?
    if found.count - known > bounds.images { bound = .images(bounds.images) }
    let needed = feeds + 2 * (found.count + missing.count)
    if nodes - needed > bounds.documents { bound = .documents(bounds.documents) }
    if let bound { throw .feed(.beyondBound(bound, stored: copy.counts.new)) }
  }

  /// Applies some feeds, and then their images, after one look at the feeds of the copy.
  private mutating func apply(
    _ feeds: ArraySlice<RootNode.Feed>,
    to mirror: MirrorState?
  ) async throws(Failure) {
    var differing: [(node: FeedNode, images: [MirroredImage])] = []
    for feed in feeds {
      let number = mirror?.feeds[feed.id]
      let images = number == nil ? [] : try await copy.images(ofFeed: feed.id)
      if let number, try hash("feed \(feed.id) \(number)\n", images) == feed.hash { continue }
      differing.append((try await applied(feed), images))
    }
    if differing.isEmpty { return }
    let taken = try await copy.mirror()?.feeds ?? [:]
    for (node, var images) in differing {
      // A feed that the copy does not take has no images to compare. A look takes none, but finds their images.
      if taken[node.id] == nil, !copy.onlyLooks {
        missing += images.map(\.id)
        continue
      }
      if images.isEmpty { images = try await copy.images(ofFeed: node.id) }
      try await apply(node, to: &images)
    }
  }

  /// Requests the node of a feed, and applies its line.
  private mutating func applied(_ feed: RootNode.Feed) async throws(Failure) -> FeedNode {
    nodes += 1
    let node = try await client.feed(try digest(feed.hash))
    guard node.hash == feed.hash, node.id == feed.id, node.isOrdered, let line = node.feed.change,
      line.position == ChangePosition(number: feed.seq, kind: .feed, id: feed.id)
    else { throw .fault(.wrongNode) }
    try await copy.apply(MirrorPage(lines: [line]))
    return node
  }

  /// Applies a feed's node; sorts the images in place, because a feed has many.
  private mutating func apply(
    _ node: FeedNode,
    to images: inout [MirroredImage]
  ) async throws(Failure) {
    images.sort { ($0.month, $0.id) < ($1.month, $1.id) }
    var own: [String: ArraySlice<MirroredImage>] = [:]
    var rest = images[...]
    while let month = rest.first?.month {
      let some = rest.prefix { $0.month == month }
      own[Timeline.text(ofMonth: month)] = some
      rest = rest.dropFirst(some.count)
    }
    var differing: [FeedNode.Month] = []
    for month in node.months {
      let images = own[month.month] ?? []
      if try hash("month \(node.id) \(month.month)\n", images) != month.hash {
        differing.append(month)
      }
    }
    let names = Set(node.months.map(\.month))
    for (month, images) in own where !names.contains(month) { missing += images.map(\.id) }
    for start in stride(from: 0, to: differing.count, by: SyncLimits.treeNodesAtOnce) {
      let some = differing[start...].prefix(SyncLimits.treeNodesAtOnce)
      nodes += some.count
      let months = try await client.months(try digests(some.map(\.hash)))
      for (asked, month) in zip(some, months) {
        guard month.isAnswer(to: asked) else { throw .fault(.wrongNode) }
        try await apply(month, to: own[month.month] ?? [])
      }
      try checkBounds()
    }
  }

  /// Applies the leaves of a month to its images, which are sorted by their ids.
  private mutating func apply(
    _ month: MonthNode,
    to images: ArraySlice<MirroredImage>
  ) async throws(Failure) {
    let differing = try differing(month, from: images)
    for start in stride(from: 0, to: differing.count, by: SyncLimits.treeNodesAtOnce) {
      let some = differing[start...].prefix(SyncLimits.treeNodesAtOnce)
      nodes += some.count
      let pages = try await client.leaves(try digests(some.map(\.hash)))
      for (leaf, page) in zip(some, pages) {
        if let page {
          try await apply(page, of: leaf)
        } else {
          try await apply(try await client.leaf(try digest(leaf.hash)), of: leaf)
        }
      }
      try checkBounds()
    }
  }

  /// The leaves of a month that differ from the copy, found with one pass through both.
  private mutating func differing(
    _ month: MonthNode,
    from images: ArraySlice<MirroredImage>
  ) throws(Failure) -> [MonthNode.Leaf] {
    var (differing, others, rest) = ([] as [MonthNode.Leaf], 0, images)
    for leaf in month.leaves {
      let before = rest.prefix { $0.id < leaf.first }
      let own = rest[before.endIndex...].prefix { $0.id <= leaf.last }
      rest = rest[own.endIndex...]
      missing += before.map(\.id)
      others += before.count
      if try hash("images\n", own) == leaf.hash { continue }
      differing.append(leaf)
      missing += own.map(\.id)
    }
    missing += rest.map(\.id)
    // A month whose hash differs has other leaves than the copy, or fewer.
    guard differing.count + others + rest.count > 0 else { throw .fault(.wrongNode) }
    return differing
  }

  /// Applies a leaf, after checking its lines against its hash.
  private mutating func apply(
    _ page: ChangeLineReader.Page,
    of leaf: MonthNode.Leaf
  ) async throws(Failure) {
    let range = leaf.first...leaf.last
    let images = page.positions.map { MirroredImage(id: $0.id, number: $0.number, month: 0) }
    guard page.positions.allSatisfy({ $0.kind == .image && range.contains($0.id) }),
      images.count <= LibraryTree.imagesPerLeaf, try hash("images\n", images) == leaf.hash
    else { throw .fault(.wrongNode) }
    found.formUnion(images.map(\.id))
    try await copy.apply(MirrorPage(lines: page.lines))
  }

  // MARK: Hashes

  private func digest(_ hash: String) throws(Failure) -> SHA256Digest {
    guard let digest = SHA256Digest(hexadecimal: hash) else { throw .fault(.wrongNode) }
    return digest
  }

  private func digests(_ hashes: [String]) throws(Failure) -> [SHA256Digest] {
    try hashes.map { hash throws(Failure) in try digest(hash) }
  }

  private func hash(
    _ head: String,
    _ images: some Collection<MirroredImage> = EmptyCollection()
  ) throws(Failure) -> String {
    var text = Array(head.utf8)
    text.reserveCapacity(text.count + images.count * 20)
    for image in images { text += "\(image.id) \(image.number)\n".utf8 }
    return try client.tools.hash(of: text)
  }
}
