package import Models
package import Workers

extension MemoryLibrary {
  package func version() throws(StoreError) -> LibraryVersion {
    state.withLock { state in
      state.noteChanges()
      if state.log.number == 0 { return LibraryVersion(library: "", epoch: 0, number: 0) }
      let library = "00000000-0000-4000-8000-000000000000"
      return LibraryVersion(library: library, epoch: 1, number: state.log.number)
    }
  }

  package func timeline(matching query: ImageQuery) throws(StoreError) -> Timeline {
    let ids = try imageIDs(matching: query)
    return state.withLock { state in
      var timeline = Timeline()
      for id in ids {
        let image = state.images.first { $0.id == id }
        let date = query.order == .added ? image?.firstSeen : image?.date
        timeline.append(id, month: query.order.isByDate ? date.map(Timeline.month) : nil)
      }
      return timeline
    }
  }

  package func tiles(ids: [Int64]) throws(StoreError) -> [ImageTile] {
    state.withLock { state in ids.compactMap { state.shownImage($0).map(\.tile) } }
  }

  package func thumbnails(_ hashes: [SHA256Digest]) throws(StoreError) -> [Workers.PictureBytes] {
    state.withLock { state in
      hashes.compactMap { hash in
        let image = state.images.first { image in
          !state.removed.contains(image.feedID) && !image.damaged.contains(.thumbnail)
            && image.thumbnailInfo?.hash == hash
        }
        return image?.thumbnail.map {
          Workers.PictureBytes(bytes: $0.bytes, format: $0.info.format)
        }
      }
    }
  }

  package func original(_ hash: SHA256Digest) throws(StoreError) -> StoredOriginal? {
    state.withLock { state in
      state.images.filter { !state.removed.contains($0.feedID) }.compactMap(\.original)
        .first { $0.sha256 == hash.hexadecimal && !$0.isDamaged }
    }
  }

  package func imageIDs(
    withPictures hashes: [SHA256Digest]
  ) throws(StoreError) -> [SHA256Digest: [Int64]] {
    state.withLock { state in
      let images = state.images.filter { !state.removed.contains($0.feedID) }
      let found = hashes.map { hash in
        let ids = images.filter { image in
          image.thumbnailInfo?.hash == hash || image.original?.sha256 == hash.hexadecimal
        }
        .map(\.id)
        return (hash, ids)
      }
      return Dictionary(found) { first, _ in first }
    }
  }

  package func cursor(
    behind imageID: Int64,
    in order: ImageQuery.Order
  ) throws(StoreError) -> ImageCursor? {
    state.withLock { state in state.shownImage(imageID)?.position(in: order) }
  }

  /// The states without their pictures, which no test needs.
  package func states(ids: [Int64]) throws(StoreError) -> [ImageState] {
    state.withLock { state in
      ids.compactMap { state.shownImage($0)?.state(number: state.log.number) }
    }
  }

  package func nodes() -> [Node] { [] }
}

extension MemoryLibrary {
  package func thumbnailsWithoutColours(limit: Int) throws(StoreError) -> [SHA256Digest] {
    let ids = try imageIDs(matching: ImageQuery())
    return state.withLock { state in
      let images = ids.compactMap { state.shownImage($0) }
      return Array(
        images.filter { $0.colours == nil }.compactMap { $0.thumbnailInfo?.hash }.prefix(limit)
      )
    }
  }

  package func store(colours: [SHA256Digest: [UInt8]]) throws(StoreError) {
    state.withLock { state in
      for index in state.images.indices where state.images[index].colours == nil {
        let hash = state.images[index].thumbnailInfo?.hash
        state.images[index].colours = hash.flatMap { colours[$0] }
      }
    }
  }
}

extension MemoryLibrary.State {
  fileprivate func shownImage(_ id: Int64) -> MemoryLibrary.Image? {
    images.first { $0.id == id && !removed.contains($0.feedID) }
  }
}

extension MemoryLibrary.Image {
  fileprivate var tile: ImageTile {
    let info = thumbnailInfo
    return ImageTile(
      id: id,
      name: ImageTile.name(title: fields.title, caption: fields.caption),
      thumbnail: damaged.contains(.thumbnail) ? nil : info?.hash,
      aspectRatio: ImageTile.ratio(info?.width, info?.height)
        ?? ImageTile.ratio(fields.width, fields.height),
      colours: colours,
      isOriginalStored: original != nil
    )
  }

  fileprivate func state(number: Int64) -> ImageState {
    ImageState(
      id: id,
      number: number,
      feedID: feedID,
      position: position,
      date: date,
      firstSeen: firstSeen,
      fields: fields,
      entryID: entryID,
      isEntryAmbiguous: isAmbiguous,
      isGone: isGone
    )
  }

  func position(in order: ImageQuery.Order) -> ImageCursor {
    let number =
      switch order {
      case .newest, .oldest: date
      case .added: firstSeen
      case .title, .feed, .random: feedID
      }
    let text = order == .title ? titleKey : nil
    return ImageCursor(number: number, title: text, position: position, imageID: id)
  }
}
