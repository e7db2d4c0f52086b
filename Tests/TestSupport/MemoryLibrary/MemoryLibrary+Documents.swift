import FoundationEssentials
package import Models
package import Workers

extension MemoryLibrary: DocumentStoring {
  package func documentFeed(at address: WebAddress) throws(StoreError) -> DocumentFeed? {
    try attempt(.makeWriter)
    return state.withLock { state in
      guard let index = state.index(ofFeedAt: address) else { return nil }
      let feed = state.feeds[index]
      let images = state.images.filter { $0.feedID == feed.id }
      return DocumentFeed(
        feed,
        isRemoved: state.removed.contains(feed.id),
        lowestPosition: images.map(\.position).min(),
        hasImagesWithoutEntryID: images.contains { $0.entryID == nil }
      )
    }
  }

  package func candidates(
    for lookups: [EntryLookup],
    feedID: Int64
  ) throws(StoreError) -> [EntryCandidates] {
    let images = state.withLock { state in
      state.images.filter { $0.feedID == feedID }.sorted { $0.position < $1.position }
    }
    return lookups.map { lookup in
      var found = EntryCandidates()
      found.keys = lookup.keys
      if lookup.keys.contains(.entryID), let id = lookup.entryID {
        found.withEntryID = images.filter { $0.entryID == id.text }.map(\.stored)
      }
      if lookup.keys.contains(.original) {
        found.withOriginal = lookup.images.map { image in
          images.filter { $0.originalHash == image.originalHash }.map(\.stored)
        }
      }
      if lookup.keys.contains(.thumbnail) {
        found.withThumbnail = lookup.images.map { image in
          guard let hash = image.thumbnailHash else { return nil }
          let same = images.filter { $0.entryID == nil && $0.thumbnailHash == hash }
          return same.count == 1 ? same.first?.stored : nil
        }
      }
      return found
    }
  }

  package func position(above position: Int64, feedID: Int64) throws(StoreError) -> Int64? {
    state.withLock { state in
      state.images.lazy.filter { $0.feedID == feedID && $0.position > position }.map(\.position)
        .min()
    }
  }

  package func documentMember(
    at address: WebAddress,
    feedID: Int64
  ) throws(StoreError) -> DocumentMember? {
    try attempt(.keepMember)
    return state.withLock { state in
      state.members.first { $0.feedID == feedID && $0.member.address == address }
        .map { DocumentMember(id: $0.id, images: $0.images) }
    }
  }

  package func images(missingFrom seen: IDSet, feedID: Int64) throws(StoreError) -> [Int64] {
    state.withLock { state in
      state.images.filter { $0.feedID == feedID && !$0.isGone && !seen.contains($0.id) }.map(\.id)
    }
  }

  package func compareList(
    _ addresses: [WebAddress],
    isWhole: Bool,
    feedID: Int64?
  ) throws(StoreError) -> ListedFeeds {
    state.withLock { $0.compare(addresses, isWhole: isWhole, listID: feedID) }
  }

  package func write(
    _ batch: DocumentBatch,
    to target: DocumentTarget
  ) throws(StoreError) -> WrittenBatch {
    try attempt(.append)
    let result: Result<WrittenBatch, StoreError> = state.withLock { state in
      do throws(StoreError) {
        let id = try state.followedFeed(target)
        for change in batch.changes { state.write(change) }
        let ids = batch.added.map { new in
          state.add(
            new.image,
            entryID: new.entryID,
            to: id,
            position: new.position,
            now: target.now
          )
        }
        for (id, new) in zip(ids, batch.added) where new.isAmbiguous {
          state.images[state.images.count - ids.count + Int(id - ids[0])].isAmbiguous = true
        }
        state.events.append(.appended(batch.added.compactMap { $0.entryID?.text }))
        if let index = state.feeds.firstIndex(where: { $0.id == id }) {
          state.feeds[index].imageCount += ids.count
        }
        // An image counts as a hundred bytes.
        let length = 1_000
        let bytes = 100 * ids.count
        return .success(WrittenBatch(feedID: id, ids: ids, bytes: bytes, nextLength: length))
      } catch {
        return .failure(error)
      }
    }
    imageBatches.add()
    return try result.get()
  }

  package func write(
    _ member: FeedMember,
    position: Int,
    images: [Int64],
    feedID: Int64
  ) throws(StoreError) -> Int64 {
    try attempt(.endDocument)
    record(.wroteMember(member))
    return state.withLock { state in
      if let index = state.members.firstIndex(where: {
        $0.feedID == feedID && $0.member.address == member.address
      }) {
        let id = state.members[index].id
        state.members[index] = Member(
          id: id,
          feedID: feedID,
          member: member,
          position: position,
          images: images
        )
        return id
      }
      let id = (state.members.map(\.id).max() ?? 0) + 1
      let new = Member(id: id, feedID: feedID, member: member, position: position, images: images)
      state.members.append(new)
      return id
    }
  }

  package func finish(
    _ end: DocumentEnd,
    of target: DocumentTarget
  ) throws(StoreError) -> WrittenFeed {
    try attempt(.finish)
    let validators = end.answer.validators ?? Validators()
    record(.finished(validators, isWhole: end.isWhole, end.document.listsEverything))
    let result: Result<WrittenFeed, StoreError> = state.withLock { state in
      do throws(StoreError) {
        return .success(try state.finish(end, of: target))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  package func breakOff(
    problem: String,
    isExcess: Bool,
    of target: DocumentTarget
  ) throws(StoreError) -> Feed? {
    try attempt(.breakOff)
    record(.brokenOff(problem: problem))
    return state.withLock { state in
      let index = state.index(ofFeedAt: target.address)
      guard let index, state.followed(index) != nil else { return nil }
      let id = state.feeds[index].id
      if isExcess { state.excesses[id, default: 0] += 1 }
      let excesses = isExcess ? state.excesses[id] : nil
      state.feeds[index].breakOff(problem: problem, excesses: excesses, now: target.now)
      return state.feeds[index]
    }
  }
}

extension MemoryLibrary.Image {
  fileprivate var thumbnailHash: Int64? { fields.thumbnailAddress.map(DocumentImage.hash) }

  fileprivate var hasThumbnail: Bool { thumbnailState == .stored || thumbnailState == .made }

  /// The stored image in the form that a document's image is compared with.
  fileprivate var stored: StoredImage {
    let hasOriginal = original.map { !$0.isStale } ?? false
    let thumbnailCheck = checks[.thumbnail] ?? checks[.madeThumbnail]
    return StoredImage(
      id: id,
      position: position,
      firstSeen: firstSeen,
      isGone: isGone,
      isAmbiguous: isAmbiguous,
      isUnasked: hasThumbnail && thumbnailCheck == nil || hasOriginal && checks[.original] == nil,
      hasThumbnail: hasThumbnail,
      hasOriginal: hasOriginal,
      entryID: entryID,
      originalHash: originalHash,
      fields: fields
    )
  }

  /// Makes the right stored pictures due, and removes the dates of the others.
  ///
  /// Unless `isRedated` is true, a picture keeps a date that it already has.
  fileprivate mutating func wake(isRedated: Bool = false) {
    let always = Date(timeIntervalSince1970: 0)
    for kind in [PictureKind.thumbnail, .madeThumbnail, .original] {
      let isRight =
        switch kind {
        case .thumbnail: thumbnailState == .stored
        case .madeThumbnail: thumbnailState == .made
        case .original: original?.isStale == false
        }
      checks[kind] = isRight ? (isRedated ? always : checks[kind] ?? always) : nil
    }
  }

  fileprivate mutating func take(_ image: DocumentImage, _ effect: PictureEffect) {
    fields = image.fields
    originalHash = image.originalHash
    isGone = false
    switch effect.thumbnail {
    case .kept: break
    case .wanted: thumbnailState = .wanted
    case .unmade: thumbnailState = .unmade
    }
    if effect.outdatesOriginal { original?.isStale = true }
    wake(isRedated: effect.isRedated)
  }
}

extension MemoryLibrary.State {
  /// Adds an image, and returns its id.
  @discardableResult
  fileprivate mutating func add(
    _ image: DocumentImage,
    entryID: EntryID?,
    to feedID: Int64,
    position: Int64?,
    now: Date
  ) -> Int64 {
    add(image, entryID: entryID?.text, to: feedID, position: position, now: now)
  }

  @discardableResult
  mutating func add(
    _ image: DocumentImage,
    entryID: String?,
    to feedID: Int64,
    position: Int64?,
    now: Date
  ) -> Int64 {
    lastImageID += 1
    images.append(
      MemoryLibrary.Image(
        id: lastImageID,
        feedID: feedID,
        fields: image.fields,
        originalHash: image.originalHash,
        entryID: entryID,
        position: position ?? lastImageID << 20,
        firstSeen: now.storedSeconds,
        thumbnailState: image.fields.thumbnailAddress == nil ? .unmade : .wanted
      )
    )
    return lastImageID
  }

  fileprivate mutating func write(_ change: ImageChange) {
    switch change {
    case .update(let stored, let image, let effect): edit(stored.id) { $0.take(image, effect) }
    case .wake(let id): edit(id) { $0.wake() }
    case .move(let id, let position): edit(id) { $0.position = position }
    case .adopt(let id, let entryID): edit(id) { $0.entryID = entryID.text }
    case .disown(let stored):
      edit(stored.id) { image in
        image.entryID = nil
        image.isAmbiguous = true
      }
    }
  }

  private mutating func edit(_ id: Int64, _ edit: (inout MemoryLibrary.Image) -> Void) {
    if let index = index(ofImage: id) { edit(&images[index]) }
  }

  /// The feed of a document; the first transaction creates it or follows it again.
  fileprivate mutating func followedFeed(_ target: DocumentTarget) throws(StoreError) -> Int64 {
    if target.hasBegun {
      if let id = target.feedID, !removed.contains(id) { return id }
      throw StoreError(reason: .other, path: "/library", message: "the feed has been removed")
    }
    let index = index(ofFeedAt: target.address) ?? addFeed(at: target.address)
    let id = feeds[index].id
    if removed.remove(id) != nil { setDeclined(false, feeds[index]) }
    feeds[index].validators = Validators()
    feeds[index].nextSync = nil
    if let reach = target.reach { feeds[index].reach = reach }
    return id
  }

  private mutating func addFeed(at address: WebAddress) -> Int {
    feeds.append(Feed(id: (feeds.map(\.id).max() ?? 0) + 1, address: address))
    setDeclined(false, feeds[feeds.count - 1])
    return feeds.count - 1
  }

  fileprivate mutating func finish(
    _ end: DocumentEnd,
    of target: DocumentTarget
  ) throws(StoreError) -> WrittenFeed {
    let id = try followedFeed(target)
    guard let index = feeds.firstIndex(where: { $0.id == id }) else {
      throw StoreError(reason: .other, path: "/library", message: "the feed has no row")
    }
    for id in end.gone { edit(id) { $0.isGone = true } }
    let kept = Set(end.members)
    if end.isWhole { members.removeAll { $0.feedID == id && !kept.contains($0.id) } }
    for (position, member) in end.members.enumerated() {
      for index in members.indices where members[index].id == member {
        members[index].position = position
      }
    }
    let list = storeList(end.document, of: id)
    feeds[index].take(end, list: list, now: target.now)
    excesses[id] = nil
    let move = follow(end.answer.permanentAddress, index, askedAt: target.address)
    if end.isWhole {
      for image in images where image.feedID == id && !end.seen.contains(image.id) {
        edit(image.id) { $0.checks = [:] }
      }
    }
    return WrittenFeed(feed: feeds[index], counts: end.counts, move: move, list: list)
  }

  // MARK: Addresses

  /// Accepts an https spelling at once, and a permanent redirect the second time.
  mutating func follow(_ target: WebAddress?, _ index: Int, askedAt asked: WebAddress) -> FeedMove?
  {
    var feed = feeds[index]
    defer { feeds[index] = feed }
    return feed.move(
      askedAt: asked,
      to: target,
      owner: { self.index(ofFeedAt: $0).map { feeds[$0].id } },
      store: { _ in }
    )
  }

  // MARK: Lists of feeds

  private mutating func storeList(_ document: FeedDocument, of id: Int64) -> ListedFeeds? {
    guard let addresses = document.listedFeeds else {
      lists[id] = nil
      return nil
    }
    let compared = compare(addresses, isWhole: document.listsEverything, listID: id)
    let before = lists[id] ?? []
    var now: [MemoryLibrary.Listed] = []
    for address in addresses where !now.contains(where: { $0.address.isSame(address) }) {
      var listed = before.first { $0.address.isSame(address) } ?? .init(address: address)
      let isNew = !before.contains { $0.address.isSame(address) }
      if isNew, !before.isEmpty, isRemoved(address) { listed.isDeclined = true }
      listed.address = address
      now.append(listed)
    }
    if !document.listsEverything {
      now += before.filter { old in !now.contains { $0.address.isSame(old.address) } }
    }
    lists[id] = now
    var list = listed(by: id)
    (list.new, list.lost) = (compared.new, compared.lost)
    return list
  }

  /// The members of a collection, in the collection's order.
  func members(ofFeed id: Int64) -> [FeedMember] {
    members.filter { $0.feedID == id && $0.position >= 0 }.sorted { $0.position < $1.position }
      .map { FeedMember(address: $0.member.address, validators: $0.member.validators) }
  }

  func listed(by id: Int64) -> ListedFeeds {
    let all = lists[id] ?? []
    let followed = all.filter { !$0.isDeclined && !isKnown($0.leadsTo) }.map(\.address)
    return ListedFeeds(followed: followed, total: all.count)
  }

  private func isRemoved(_ address: WebAddress) -> Bool {
    feeds.contains { removed.contains($0.id) && $0.address.isSame(address) }
  }

  private func isKnown(_ identity: String?) -> Bool {
    identity.map { identity in feeds.contains { $0.address.identity == identity } } ?? false
  }

  fileprivate func compare(
    _ addresses: [WebAddress],
    isWhole: Bool,
    listID: Int64?
  ) -> ListedFeeds {
    let before = lists[listID ?? 0] ?? []
    var list = ListedFeeds(followed: [], total: 0)
    var now: Set<String> = []
    for address in addresses where now.insert(address.identity).inserted {
      list.total += 1
      let known = before.first { $0.address.isSame(address) }
      if known == nil { list.new += 1 }
      let isLeftOut =
        known.map { $0.isDeclined || isKnown($0.leadsTo) }
        ?? (!before.isEmpty && isRemoved(address))
      if !isLeftOut { list.followed.append(address) }
    }
    guard isWhole else { return list }
    list.lost = before.filter { !now.contains($0.address.identity) }
      .sorted { $0.address.identity < $1.address.identity }
      .compactMap { lost in
        let identity = lost.leadsTo ?? lost.address.identity
        let feed = feeds.first { feed in
          feed.address.identity == identity || feed.aliases.contains { $0.identity == identity }
        }
        return feed.flatMap { removed.contains($0.id) ? nil : $0.address }
      }
    return list
  }

  /// Prevents lists from bringing back a removed feed, or allows it.
  mutating func setDeclined(_ isDeclined: Bool, _ feed: Feed) {
    let own = Set(([feed.address] + feed.aliases).map(\.identity))
    for (id, list) in lists {
      lists[id] = list.map { listed in
        guard own.contains(listed.address.identity) || listed.leadsTo.map(own.contains) == true
        else { return listed }
        var listed = listed
        listed.isDeclined = isDeclined
        return listed
      }
    }
  }
}

extension WebAddress {
  fileprivate func isSame(_ other: WebAddress) -> Bool { identity == other.identity }
}
