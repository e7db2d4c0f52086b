import FoundationEssentials
package import Models
package import Workers

extension MemoryLibrary: LibraryReading {
  package func imageIDs(matching query: ImageQuery) throws(StoreError) -> [Int64] {
    let found = state.withLock { state in
      let found = state.images.filter { state.matches($0, query) }
      guard query.order != .random else { return found.map(\.id) }
      let positions = found.map { $0.position(in: query.order) }
        .filter { position in query.after.map { query.order.precedes($0, position) } ?? true }
      return positions.sorted { query.order.precedes($0, $1) }.map(\.imageID)
    }
    guard query.order != .random else {
      var generator = Generator(state: query.seed)
      return Array(found.shuffled(using: &generator).prefix(query.limit ?? .max))
    }
    return Array(found.dropFirst(query.offset).prefix(query.limit ?? .max))
  }

  package func images(ids: [Int64]) throws(StoreError) -> [WebImage] {
    state.withLock { state in
      ids.compactMap { id in
        state.images.first { $0.id == id && !state.removed.contains($0.feedID) }
          .flatMap { state.webImage($0) }
      }
    }
  }

  package func image(id: Int64) throws(StoreError) -> WebImage? {
    guard var image = try images(ids: [id]).first else { return nil }
    state.withLock { state in
      image.manifest = state.manifest(of: id)
      image.isPinned = state.pins.contains(id)
    }
    return image
  }

  package func thumbnailBytes(imageID: Int64) throws(StoreError) -> [UInt8]? {
    state.withLock { state in state.images.first { $0.id == imageID }?.thumbnail?.bytes }
  }

  package func original(imageID: Int64) throws(StoreError) -> StoredOriginal? {
    try attempt(.findOriginal)
    return state.withLock { state in state.images.first { $0.id == imageID }?.original }
  }

  package func feeds() throws(StoreError) -> [Feed] {
    state.withLock { state in
      state.feeds.filter { !state.removed.contains($0.id) }.map(state.hearing)
        .sorted { $0.id < $1.id }
    }
  }

  package func manifests(at address: WebAddress?) throws(StoreError) -> [FeedManifest] {
    state.withLock { state in
      state.members.filter { member in
        !member.images.isEmpty && !state.removed.contains(member.feedID)
          && (address == nil || member.member.address == address)
      }
      .sorted { ($0.feedID, $0.position) < ($1.feedID, $1.position) }
      .map { member in
        FeedManifest(
          id: member.id,
          feedID: member.feedID,
          address: member.member.address,
          label: member.member.manifest?.label,
          imageCount: member.images.count
        )
      }
    }
  }

  package func storage(imageID: Int64) throws(StoreError) -> ImageStorage? {
    state.withLock { state in
      let image = state.images.first { $0.id == imageID }
      return state.feeds.first { $0.id == image?.feedID }.map(ImageStorage.init)
    }
  }

  package func failures() throws(StoreError) -> [Int64: [FailureGroup]] {
    state.withLock { state in
      var groups: [Int64: [FailureGroup]] = [:]
      for image in state.images where !state.removed.contains(image.feedID) {
        for failure in image.pictureFailures { groups[image.feedID, default: []].add(failure) }
      }
      return groups
    }
  }

  package func figures() throws(StoreError) -> LibraryFigures {
    state.withLock { state in
      let images = state.images.filter { !state.removed.contains($0.feedID) }
      var figures = LibraryFigures()
      figures.images = images.count
      figures.thumbnails = images.count { $0.thumbnail != nil }
      figures.waitingThumbnails = images.count {
        $0.thumbnailState == .wanted || $0.thumbnailState == .unmade
      }
      figures.originals = images.count { $0.original != nil }
      figures.pins = images.count { state.pins.contains($0.id) }
      return figures
    }
  }
}

/// SplitMix64: the same seed gives the same order.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

extension MemoryLibrary.Image {
  fileprivate var pictureFailures: [PictureFailure] {
    failures.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, failure in
      PictureFailure(
        kind: kind,
        reason: failure.picture.reason,
        tries: failure.tries,
        failed: failure.picture.failed,
        retry: failure.retry
      )
    }
  }

  /// The facts about the stored thumbnail, with its hash.
  var thumbnailInfo: PictureInfo? {
    guard let thumbnail else { return nil }
    var info = thumbnail.info
    (info.bytes, info.hash) = (thumbnail.bytes.count, SHA256Digest(of: thumbnail.bytes))
    return info
  }

  fileprivate var shape: ImageQuery.Shape? {
    let (width, height) =
      if let width = fields.width, let height = fields.height {
        (width, height)
      } else {
        (thumbnail?.info.width ?? 0, thumbnail?.info.height ?? 0)
      }
    return width == height ? nil : width > height ? .landscape : .portrait
  }
}

extension ImageQuery.Order {
  fileprivate func precedes(_ one: ImageCursor, _ other: ImageCursor) -> Bool {
    let (positions, back) = ((one.position, one.imageID), (other.position, other.imageID))
    let (number, text) = (one.number == other.number, one.title == other.title)
    return switch self {
    case .newest, .added: number ? positions < back : one.number > other.number
    case .oldest: number ? positions > back : one.number < other.number
    case .feed: number ? positions < back : one.number < other.number
    case .title, .random: text ? positions < back : (one.title ?? "") < (other.title ?? "")
    }
  }
}

extension MemoryLibrary.Image {
  /// Images without a title come last.
  var titleKey: String { fields.title?.lowercased() ?? "\u{10FFFF}" }

  fileprivate func contains(_ word: Substring, feed: Feed?) -> Bool {
    let texts = [fields.title, fields.caption, fields.author, feed?.title]
    return texts.compactMap { $0?.lowercased() }.contains { text in
      text.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(word) }
    }
  }
}

extension MemoryLibrary {
  fileprivate static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }
}

extension MemoryLibrary.State {
  fileprivate func matches(_ image: MemoryLibrary.Image, _ query: ImageQuery) -> Bool {
    let feed = feeds.first { $0.id == image.feedID }
    let words = MemoryLibrary.words(query.search ?? "")
    let part = query.part.search.map(MemoryLibrary.words)
    let isListed =
      query.listID.map { id in
        (lists[id] ?? []).contains { listed in feed?.has(listed.address) == true }
      } ?? true
    let isInManifest =
      query.manifestID.map { id in
        members.contains { $0.id == id && $0.images.contains(image.id) }
      } ?? true
    return !removed.contains(image.feedID)
      && query.feedIDs.allSatisfy { $0 == image.feedID } && isListed && isInManifest
      && words.allSatisfy { image.contains($0, feed: feed) } && part?.isEmpty != true
      && (part ?? []).allSatisfy { image.contains($0, feed: feed) }
      && query.since.map { image.date >= $0.storedSeconds } ?? true
      && query.addedSince.map { image.firstSeen >= $0.storedSeconds } ?? true
      && query.isOriginalStored.map { $0 == (image.original != nil) } ?? true
      && query.shape.map { $0 == image.shape } ?? true
      && (!query.isPinned || pins.contains(image.id))
  }

  /// The manifest that an image is from; the first one, if there are several.
  func manifest(of imageID: Int64) -> Manifest? {
    members.filter { $0.images.contains(imageID) }.sorted { $0.position < $1.position }
      .compactMap(\.member.manifest).first
  }

  func webImage(_ image: MemoryLibrary.Image) -> WebImage? {
    guard let feed = feeds.first(where: { $0.id == image.feedID }),
      let original = WebAddress(image.fields.originalAddress)
    else { return nil }
    let fields = image.fields
    return WebImage(
      id: image.id,
      feed: FeedReference(id: feed.id, address: feed.address, title: feed.title, reach: feed.reach),
      title: fields.title,
      caption: fields.caption,
      author: fields.author,
      licence: fields.licence,
      published: fields.published.map { Date(timeIntervalSince1970: Double($0)) },
      firstSeen: Date(timeIntervalSince1970: Double(image.firstSeen)),
      pageAddress: fields.pageAddress.flatMap(WebAddress.init),
      thumbnailAddress: fields.thumbnailAddress.flatMap(WebAddress.init),
      originalAddress: original,
      width: fields.width,
      height: fields.height,
      thumbnail: image.thumbnailInfo,
      original: image.original.map { $0.isStale ? .stale : .stored } ?? .missing,
      isGone: image.isGone,
      isThumbnailDamaged: image.damaged.contains(.thumbnail),
      isOriginalDamaged: image.damaged.contains(.original),
      failures: image.pictureFailures
    )
  }
}
