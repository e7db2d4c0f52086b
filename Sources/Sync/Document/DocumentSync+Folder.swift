import FoundationEssentials
import Models
import Workers

/// Reading a folder of pictures as a feed.
///
/// Only files that are new or have changed are read. What they are is decided by `FolderIdentity`.
extension DocumentSync {
  /// What reading the files of a folder has found.
  private struct FolderReads {
    var pictures: [WebAddress: FolderOriginal] = [:]
    var notPictures: [String] = []
    var unreadable: [String] = []
    /// The number of files without a picture that are no images; others stay what they were.
    var leftOut = 0

    /// The flaws, each with the number of files and the first one.
    var flaws: [DocumentFlaw] {
      var flaws: [DocumentFlaw] = []
      if let first = unreadable.first {
        flaws.append(.unreadableFiles(unreadable.count, first: first))
      }
      if let first = notPictures.first {
        flaws.append(.notPictures(notPictures.count, first: first))
      }
      return flaws
    }
  }

  /// Lists the folder, reads what is new in it, and stores its entries.
  mutating func readFolder(with folders: any PictureFolderReading) async throws(Failure) {
    var contents = try await Failure.ofNetwork(
      await folders.contents(of: address, explains: plan.isExplained)
    )
    explain?(contents.passed.map { EntryExplanation($0) })
    let isNew = known == nil
    // A folder without pictures is mostly the place of a disk that is not mounted.
    guard !contents.files.isEmpty else {
      tell(of: contents.leftOut, isNew)
      throw .feed(.emptyFolder)
    }
    await permit.take()
    result.wasRead = true
    let excess = contents.files.count - plan.bounds.images
    if excess > 0 {
      explain?(contents.files.suffix(excess).map { EntryExplanation($0, .excessive) })
      contents.files.removeLast(excess)
    }
    // The feed at another address goes on here, unless another process has brought it here already.
    let former = known == nil ? plan.formerFolder : nil
    let place = former ?? address
    let feed = try await Failure.ofStore(await tools.store.documentFeed(at: place))?.feed
    let stored = try await files(of: feed)
    let isAnew = plan.isForced || plan.readsAnew
    var identity = FolderIdentity(contents.files, known: stored, readsAll: isAnew)
    if excess <= 0, let known, isUnchanged(known, contents, identity) {
      add(contents.flaws)
      tell(of: contents.leftOut, isNew)
      return try await noteUnchanged(known, FeedAnswer())
    }
    var reads = FolderReads()
    if let former {
      // Another process has removed the feed, or brought it to a third place.
      guard let feed else { throw .locked(by: nil) }
      try await read(identity.fresh[...], &identity, &reads, with: folders)
      if reads.pictures.isEmpty, identity.unchanged.isEmpty { throw .feed(.emptyFolder) }
      try await takeOver(feed, at: former, stored.count - identity.lost.count, of: stored.count)
    } else if known == nil {
      await shared.waitForTurn(of: address, tools.pause)
    }
    begin()
    try await readAndStore(
      contents.files,
      &identity,
      &reads,
      isRead: former != nil,
      with: folders
    )
    contents.flaws += reads.flaws
    add(contents.flaws)
    contents.leftOut.notPictures = reads.leftOut
    tell(of: contents.leftOut, isNew)
    let count = writer?.counts.total ?? 0
    if excess > 0 { throw .feed(.beyondBound(.images(plan.bounds.images), stored: count)) }
    // The images of files with other paths are counted at the end of the document.
    guard !reads.pictures.isEmpty || !identity.unchanged.isEmpty else { throw .feed(.emptyFolder) }
    try await finishFolder(contents.flaws)
    // The end of the document has changed the states of images whose files have other names now.
    if feed != nil { try await note(Array(reads.pictures.values)) }
    // A file that could not be read may be one of those under another name.
    if !hasWarnings, reads.unreadable.isEmpty { try await forget(identity.lost) }
  }

  /// Tells what a new folder, or one that the user named, has beside its pictures; an explanation names each file.
  private func tell(of leftOut: LeftOutFiles, _ isNew: Bool) {
    guard leftOut != LeftOutFiles(), isNew || isNamed, !plan.isExplained else { return }
    shared.teller.yield(.notice(.leftOut(leftOut, folder: address)))
  }

  /// Whether the last sync has read all files as they are now, and there are no others.
  private func isUnchanged(
    _ known: Feed,
    _ contents: FolderContents,
    _ identity: FolderIdentity
  ) -> Bool {
    identity.fresh.isEmpty && identity.missing.isEmpty && !plan.isExplained
      && known.format == .folder && known.isWhole && known.status != .failed
      && known.documentImageCount == contents.files.count
  }

  /// Gives the feed of another folder the address of this one, once the files are read.
  ///
  /// A folder in which less than a half of the pictures are found is probably another one, so the user has to accept
  /// that. Until then, and after every failure before, the feed stays as it is.
  private func takeOver(
    _ feed: Feed,
    at former: WebAddress,
    _ found: Int,
    of total: Int
  ) async throws(Failure) {
    if found < total - found, !plan.acceptsRemovals {
      throw .feed(.otherFolder(than: former, found: found, of: total))
    }
    if Task.isCancelled { throw .interrupted }
    if plan.isDryRun { return }
    try await Failure.ofStore(await tools.store.checkRoom(for: 0))
    let obstacle = try await Failure.ofStore(
      await tools.store.move(feed: feed.id, toFolder: address)
    )
    // Another process has removed the feed, or follows the folder by now.
    if obstacle != nil { throw .locked(by: nil) }
    shared.settle(address)
  }

  private mutating func readAndStore(
    _ files: [FolderFile],
    _ identity: inout FolderIdentity,
    _ reads: inout FolderReads,
    isRead: Bool,
    with folders: any PictureFolderReading
  ) async throws(Failure) {
    let readsAll = !isRead && identity.needsAll
    if readsAll {
      try await read(identity.fresh[...], &identity, &reads, with: folders)
    }
    var rest = files[...]
    while !rest.isEmpty {
      let part = rest.prefix(SyncLimits.folderFilesPerBatch)
      rest = rest.dropFirst(part.count)
      if !isRead, !readsAll {
        let fresh = part.filter { identity.unchanged[$0.address] == nil }
        try await read(fresh[...], &identity, &reads, with: folders)
      }
      try await store(part, identity, reads)
    }
  }

  private mutating func finishFolder(_ flaws: [DocumentFlaw]) async throws(Failure) {
    // A file that cannot be read hides no other one, so that missing files are known to be missing.
    let flaws = flaws.filter { if case .unreadableFiles = $0 { false } else { true } }
    hasWarnings = !flaws.allSatisfy(\.isHarmless)
    let title = address.filePath?.split(separator: "/").last.map(String.init)
    let document = FeedDocument(format: .folder, title: title, flaws: flaws, listsEverything: true)
    try await finish(document, FeedAnswer(validators: Validators()))
  }

  /// The files that the library knows, also of a folder that is not followed any more.
  private func files(of feed: Feed?) async throws(Failure) -> [FolderOriginal] {
    guard let id = feed?.id else { return [] }
    return try await Failure.ofStore(await tools.store.folderOriginals(feedID: id))
  }

  /// Reads files, and gives them the ids of their entries.
  private func read(
    _ files: ArraySlice<FolderFile>,
    _ identity: inout FolderIdentity,
    _ reads: inout FolderReads,
    with folders: any PictureFolderReading
  ) async throws(Failure) {
    typealias Picture = (sha256: String, info: PictureInfo, version: String)
    var found: [(file: FolderFile, picture: Picture?, flaw: EntryExplanation.Reason?)] = []
    for file in files {
      if Task.isCancelled { throw .interrupted }
      switch await folders.read(file, in: address) {
      case .picture(let sha256, let info, let version):
        found.append((file, (sha256, info, version), nil))
      case .notAPicture:
        reads.notPictures.append(file.path)
        found.append((file, nil, .otherContent))
      case .unreadable:
        reads.unreadable.append(file.path)
        found.append((file, nil, .unreadable))
      }
    }
    let ids = identity.entryIDs(of: found.map { ($0.file, $0.picture?.sha256) })
    for (file, picture, flaw) in found {
      guard let id = ids[file.address] else {
        if flaw == .otherContent { reads.leftOut += 1 }
        if let flaw { explain?([EntryExplanation(file, flaw)]) }
        continue
      }
      if let picture {
        reads.pictures[file.address] = FolderOriginal(
          entryID: id,
          address: file.address,
          version: picture.version,
          sha256: picture.sha256,
          info: picture.info
        )
      } else if var known = identity.known(file) {
        // It stays the image that it was. Without a version, the next sync reads it again.
        (known.entryID, known.version) = (id, "")
        reads.pictures[file.address] = known
      }
    }
  }

  /// Stores the entries of files, and then which files their originals are.
  private mutating func store(
    _ files: ArraySlice<FolderFile>,
    _ identity: FolderIdentity,
    _ reads: FolderReads
  ) async throws(Failure) {
    guard let writer else { return }
    let originals = files.compactMap { file in
      (identity.unchanged[file.address] ?? reads.pictures[file.address]).map { (file, $0) }
    }
    if originals.isEmpty { return }
    if Task.isCancelled { throw .interrupted }
    explain?(originals.map { file, original in EntryExplanation(file, original) })
    let taken = await datesTaken(of: originals.map(\.1))
    // Otherwise files that were not read for that would have other dates until something changes in the folder.
    if Task.isCancelled { throw .interrupted }
    let entries = originals.map { file, original in
      FeedEntry(file, original, taken: taken[original.sha256])
    }
    shared.progress.update { $0.images += entries.count }
    do throws(StoreError) {
      try await tools.store.checkRoom(for: 0)
      try await writer.append(entries)
    } catch {
      throw .store(error)
    }
    try await note(originals.map(\.1).filter { identity.unchanged[$0.address] == nil })
  }

  /// The dates at which cameras took pictures, by the hashes of their files.
  private func datesTaken(of originals: [FolderOriginal]) async -> [String: Date] {
    guard let details = tools.details, let folders = tools.pictureFolders else { return [:] }
    let files = originals.map { [address] original -> DetailsReader.File in
      // The file may have changed since it was read.
      (original.sha256, { await folders.picture(of: original, in: address) })
    }
    // A dry run compares the same dates, or it would call images changed that are not.
    let known = await details.details(ofFiles: files, isStored: !plan.isDryRun)
    return known.compactMapValues { $0.taken?.date }
  }

  /// Records which files the originals are, whose images are stored by now.
  private func note(_ originals: [FolderOriginal]) async throws(Failure) {
    guard !plan.isDryRun, let id = writer?.feedID else { return }
    var rest = originals.filter { !$0.version.isEmpty }[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(SyncLimits.folderFilesPerBatch))
      rest = rest.dropFirst(part.count)
      try await Failure.ofStore(await tools.store.note(part, feedID: id))
    }
  }

  /// Records that images have no files any more.
  private func forget(_ lost: [FolderOriginal]) async throws(Failure) {
    if plan.isDryRun { return }
    let ids = lost.map(\.imageID)
    try await Failure.ofStore(await tools.store.forgetFolderOriginals(ofImages: ids))
  }

  private mutating func add(_ flaws: [DocumentFlaw]) {
    result.problems += flaws.map { flaw in
      SyncProblem(subject: .document, address: address, failure: .flaw(flaw))
    }
  }
}

extension EntryExplanation {
  /// A file that is an image.
  fileprivate init(_ file: FolderFile, _ original: FolderOriginal) {
    let side = [original.info.width, original.info.height].compactMap(\.self).max()
    let choice = Choice(address: file.address, place: .file, side: side)
    self.init(
      id: original.entryID,
      title: file.title,
      images: [Image(original: choice, thumbnail: nil)]
    )
  }

  /// A file that is left out.
  fileprivate init(_ file: FolderFile, _ reason: Reason) {
    self.init(Passed(address: file.path, place: .file, reason: reason))
  }

  /// A file or folder that is left out.
  fileprivate init(_ passed: Passed) { self.init(title: passed.address, passed: [passed]) }
}

extension FeedEntry {
  /// The entry of a file, with the date of the camera, else that of the file; a file from before 1970 has none.
  fileprivate init(_ file: FolderFile, _ original: FolderOriginal, taken: Date?) {
    let written = file.modified.timeIntervalSince1970 > 0 ? file.modified : nil
    let image = FeedImage(
      title: file.title,
      published: taken ?? written,
      originalAddress: file.address,
      width: original.info.width,
      height: original.info.height,
      bytes: original.info.bytes
    )
    self.init(id: original.entryID, images: [image])
  }
}
