import Models
package import Workers

/// The policy of exports of files: a file keeps its first name, and is touched only while it is unmodified.
package struct FileExporter: FileExporting {
  let library: any LibraryReading
  let folders: any NamedFolderOpening
  let sidecars: any SidecarMaking
  /// Brings originals back from an object store; nil without one.
  let originals: (any OriginalFetching)?
  /// Tells what cameras have written, for the names of files; nil to leave it unknown.
  let details: (any PictureDetailing)?

  package init(
    library: any LibraryReading,
    folders: any NamedFolderOpening,
    sidecars: any SidecarMaking,
    originals: (any OriginalFetching)? = nil,
    details: (any PictureDetailing)? = nil
  ) {
    self.library = library
    self.folders = folders
    self.sidecars = sidecars
    self.originals = originals
    self.details = details
  }

  package func export(_ plan: FileExportPlan) -> FileExportRun {
    let progress = Locked(FileExportCounts())
    return FileExportRun(progress) { teller in
      do throws(SiteExportError) {
        let isWhole = try await FileExport.run(plan, self, progress) { teller.yield($0) }
        teller.yield(.ended(progress.snapshot, isInterrupted: !isWhole))
      } catch {
        teller.yield(.failed(error))
      }
    }
  }
}

extension FileExporter {
  fileprivate func states(
    of ids: ArraySlice<Int64>
  ) async -> Result<[ImageState], SiteExportError> {
    await Result(of: try await SiteExportError.ofStore(await library.states(ids: Array(ids))))
  }
}

/// One export of files.
///
/// The record and the images are both read in the order of image ids, so one pass merges them. The memory grows little
/// with the library: by an id and the key of a name for each image.
struct FileExport {
  private static let imagesPerBatch = 500

  let plan: FileExportPlan
  let exporter: FileExporter
  let progress: Locked<FileExportCounts>
  let tell: (FileExportFact) -> Void
  /// Nil if the folder is missing and the export only looks.
  let folder: (any NamedFolder)?
  /// The keys of the names that are in use.
  var taken: Set<Int> = []
  /// Images whose file, or whose sidecar, was edited or moved since it was written.
  var leftFiles: Set<Int64> = []
  var leftSidecars: Set<Int64> = []
  /// The feeds that are folders of pictures, with their addresses.
  var folderFeeds: [Int64: WebAddress] = [:]

  /// Exports files, and returns whether the export was completed.
  static func run(
    _ plan: FileExportPlan,
    _ exporter: FileExporter,
    _ progress: Locked<FileExportCounts>,
    _ tell: @escaping (FileExportFact) -> Void
  ) async throws(SiteExportError) -> Bool {
    let version = try await SiteExportError.ofStore(await exporter.library.version())
    let folder = try exporter.folders.openNamed(plan.folder, for: version.library, plan.access)
    var export = FileExport(
      plan: plan,
      exporter: exporter,
      progress: progress,
      tell: tell,
      folder: folder
    )
    let note = export.note(of: version)
    let isUnchanged = folder?.note == note
    let known = try export.checkRecord(notingNames: !isUnchanged)
    if isUnchanged {
      progress.withLock { ($0.isUnchanged, $0.images, $0.total) = (true, known, known) }
      return true
    }
    let isWhole = try await export.exportImages()
    if let folder, plan.access != .looking {
      try folder.finishRecord()
      // The next export retries the files that were omitted.
      if isWhole, progress.snapshot.omitted == 0 { try folder.setNote(note) }
    }
    return isWhole
  }

  /// Identifies a state of the folder: an export with the same note has nothing to do.
  private func note(of version: LibraryVersion) -> String {
    let query = plan.query
    let ids = [query.feedID, query.listID, query.manifestID].map { $0.map(String.init) ?? "-" }
    return """
      files \(version.library) \(version.epoch) \(version.number)
      images \(ids.joined(separator: " ")) \(FileName.cleaned(query.search ?? "-"))
      sidecars \(plan.sidecars?.rawValue ?? "-")
      template \(plan.template.text)

      """
  }

  // MARK: Existing files

  /// Checks each file of the record, and returns the number of files.
  private mutating func checkRecord(notingNames: Bool) throws(SiteExportError) -> Int {
    guard let folder else { return 0 }
    let next = try folder.readRecord()
    var count = 0
    while let file = try next() {
      count += 1
      if notingNames { taken.insert(FileName.key(file.path)) }
      if let reason = reason(toLeave: file.path, file.mark, in: folder) {
        leave(file.imageID, file.path, reason)
        leftFiles.insert(file.imageID)
      }
      guard let sidecar = file.sidecar else { continue }
      let path = sidecar.format.path(beside: file.path)
      if let reason = reason(toLeave: path, sidecar.mark, in: folder) {
        leave(file.imageID, path, reason)
        leftSidecars.insert(file.imageID)
      }
    }
    return count
  }

  private func reason(
    toLeave path: String,
    _ mark: FileMark,
    in folder: any NamedFolder
  ) -> LeftFile.Reason? {
    guard let found = folder.mark(of: path) else { return .moved }
    return found == mark ? nil : .edited
  }

  func leave(
    _ imageID: Int64,
    _ path: String,
    _ reason: LeftFile.Reason,
    feedID: Int64? = nil
  ) {
    let isOmitted = reason == .blocked || reason == .damaged
    progress.withLock { counts in
      if isOmitted { counts.omitted += 1 } else { counts.left += 1 }
    }
    let isOfFolder = feedID.flatMap { folderFeeds[$0] } != nil
    tell(.left(LeftFile(imageID: imageID, path: path, reason: reason, isOfFolder: isOfFolder)))
  }

  // MARK: The images

  /// Exports all images, and returns whether the export was completed.
  private mutating func exportImages() async throws(SiteExportError) -> Bool {
    let feeds = try await SiteExportError.ofStore(await exporter.library.feeds())
    let names = Dictionary(
      feeds.map { ($0.id, $0.title ?? $0.address.host ?? $0.address.masked) },
      uniquingKeysWith: { first, _ in first }
    )
    for feed in feeds where feed.address.isFolder { folderFeeds[feed.id] = feed.address }
    var query = plan.query
    query.isOriginalStored = true
    let ids = try await SiteExportError.ofStore(
      await exporter.library.imageIDs(matching: query).sorted()
    )
    progress.withLock { $0.total = ids.count }
    if plan.access != .looking { try folder?.setNote(nil) }
    let next = try folder?.readRecord()
    var recorded = try next?()
    let (exporter, length) = (exporter, Self.imagesPerBatch)
    var batch = await exporter.states(of: ids.prefix(length))
    for start in stride(from: 0, to: ids.count, by: length) where !Task.isCancelled {
      // The next batch is read while this one is exported.
      async let following = exporter.states(of: ids.dropFirst(start + length).prefix(length))
      for state in try batch.get() {
        while let file = recorded, file.imageID < state.id {
          try keep(file)
          recorded = try next?()
        }
        let own = recorded?.imageID == state.id ? recorded : nil
        if own != nil { recorded = try next?() }
        let file = try await export(state, own, feed: names[state.feedID] ?? "unknown")
        if let file { try keep(file) }
      }
      progress.withLock { $0.images += min(length, ids.count - start) }
      batch = await following
    }
    while let file = recorded {
      try keep(file)
      recorded = try next?()
    }
    return !Task.isCancelled
  }

  /// Exports an image, and returns its new record.
  private mutating func export(
    _ state: ImageState,
    _ recorded: ExportedFile?,
    feed: String
  ) async throws(SiteExportError) -> ExportedFile? {
    guard var image = NamedImage(state, feed: feed, place: folderFeeds[state.feedID]) else {
      leave(state.id, recorded?.path ?? "", .damaged, feedID: state.feedID)
      return recorded
    }
    if plan.access != .looking, recorded?.hash != image.hash.words[0] {
      await exporter.originals?.bringBack(imageID: image.id)
    }
    // A file keeps its name, so only a new one needs them.
    if recorded == nil, plan.template.needsDetails {
      image.details = try await details(of: image) ?? PictureDetails()
    }
    return try export(image, recorded)
  }

  private func details(of image: NamedImage) async throws(SiteExportError) -> PictureDetails? {
    let (library, id) = (exporter.library, image.id)
    let original = try await SiteExportError.ofStore(await library.original(imageID: id))
    guard let original, let details = exporter.details else { return nil }
    return await details.details(of: original)
  }

  private func keep(_ file: ExportedFile) throws(SiteExportError) {
    if plan.access != .looking { try folder?.append(file) }
  }
}
