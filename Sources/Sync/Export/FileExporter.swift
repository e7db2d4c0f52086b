import Models
package import Workers

/// The policy of exports of files: a file keeps the name that it got first, and is touched only while it is as it was
/// written.
package struct FileExporter: FileExporting {
  private let tools: FileExport.Tools

  package init(
    library: any NamedImageReading,
    folders: any NamedFolderOpening,
    sidecars: any SidecarMaking,
    originals: (any OriginalFetching)? = nil
  ) {
    tools = .init(library: library, folders: folders, sidecars: sidecars, originals: originals)
  }

  package func export(_ plan: FileExportPlan) -> FileExportRun {
    let progress = FileExportProgress()
    return FileExportRun(progress) { [tools] teller in
      do throws(SiteExportError) {
        let isWhole = try await FileExport.run(plan, tools, progress) { teller.yield($0) }
        teller.yield(.ended(progress.snapshot, isInterrupted: !isWhole))
      } catch {
        teller.yield(.failed(error))
      }
    }
  }
}

/// One export of files.
///
/// The record names the files by image, and so do the images that are read: one pass merges the two. So the memory
/// that it takes hardly grows with the library: an id and the key of a name for each image.
struct FileExport {
  struct Tools: Sendable {
    let library: any NamedImageReading
    let folders: any NamedFolderOpening
    let sidecars: any SidecarMaking
    /// Brings originals back from an object store; nil without one.
    let originals: (any OriginalFetching)?
  }

  private static let imagesPerBatch = 500

  let plan: FileExportPlan
  let tools: Tools
  let progress: FileExportProgress
  let tell: (FileExportFact) -> Void
  /// Nil when it is missing and only looked at.
  let folder: (any NamedFolder)?
  /// The keys of the names that files have.
  var taken: Set<Int> = []
  /// Images whose file, or whose sidecar, is not as it was written.
  var leftFiles: Set<Int64> = []
  var leftSidecars: Set<Int64> = []

  /// Exports files; says whether it came to its end.
  static func run(
    _ plan: FileExportPlan,
    _ tools: Tools,
    _ progress: FileExportProgress,
    _ tell: @escaping (FileExportFact) -> Void
  ) async throws(SiteExportError) -> Bool {
    let library = tools.library
    let version = try await SiteExport.reading { () throws(StoreError) in
      try await library.version()
    }
    let folder = try tools.folders.openNamed(plan.folder, for: version.library, plan.access)
    var export = FileExport(
      plan: plan,
      tools: tools,
      progress: progress,
      tell: tell,
      folder: folder
    )
    let note = export.note(of: version)
    let isUnchanged = folder?.note == note
    let known = try export.checkRecord(notingNames: !isUnchanged)
    if isUnchanged {
      progress.change { ($0.isUnchanged, $0.images, $0.total) = (true, known, known) }
      return true
    }
    let isWhole = try await export.exportImages()
    if let folder, plan.access != .looking {
      try folder.finishRecord()
      // What is left out is tried again.
      if isWhole, progress.snapshot.omitted == 0 { try folder.setNote(note) }
    }
    return isWhole
  }

  /// Stands for a state of the folder: an export that would lead to the same one has nothing to do.
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

  // MARK: What is there

  /// Looks at each file of the record; says how many there are.
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

  func leave(_ imageID: Int64, _ path: String, _ reason: LeftFile.Reason) {
    let isOmitted = reason == .blocked || reason == .damaged
    progress.change { counts in
      if isOmitted { counts.omitted += 1 } else { counts.left += 1 }
    }
    tell(.left(LeftFile(imageID: imageID, path: path, reason: reason)))
  }

  // MARK: The images

  /// Says whether it came to its end.
  private mutating func exportImages() async throws(SiteExportError) -> Bool {
    let library = tools.library
    let feeds = try await SiteExport.reading { () throws(StoreError) in try await library.feeds() }
    let names = Dictionary(
      feeds.map { ($0.id, $0.title ?? $0.address.host ?? $0.address.masked) },
      uniquingKeysWith: { first, _ in first }
    )
    var query = plan.query
    query.isOriginalStored = true
    let ids = try await SiteExport.reading { [query] () throws(StoreError) in
      try await library.imageIDs(matching: query).sorted()
    }
    progress.change { $0.total = ids.count }
    if plan.access != .looking { try folder?.setNote(nil) }
    let next = try folder?.readRecord()
    var recorded = try next?()
    let starts = stride(from: 0, to: ids.count, by: Self.imagesPerBatch)
    var batch = await Self.states(of: ids, from: 0, in: library)
    for start in starts where !Task.isCancelled {
      // The next batch is read while this one is exported.
      async let following = Self.states(of: ids, from: start + Self.imagesPerBatch, in: library)
      for state in try batch.get() {
        while let file = recorded, file.imageID < state.id {
          try keep(file)
          recorded = try next?()
        }
        var file: ExportedFile?
        if let here = recorded, here.imageID == state.id {
          file = here
          recorded = try next?()
        }
        if let image = NamedImage(state, feed: names[state.feedID] ?? "unknown") {
          if plan.access != .looking, file?.hash != image.hash.words[0] {
            await tools.originals?.bringBack(imageID: image.id)
          }
          file = try export(image, file)
        } else {
          leave(state.id, file?.path ?? "", .damaged)
        }
        if let file { try keep(file) }
      }
      progress.change { $0.images += min(Self.imagesPerBatch, ids.count - start) }
      batch = await following
    }
    while let file = recorded {
      try keep(file)
      recorded = try next?()
    }
    return !Task.isCancelled
  }

  private static func states(
    of ids: [Int64],
    from start: Int,
    in library: any NamedImageReading
  ) async -> Result<[ImageState], SiteExportError> {
    do throws(SiteExportError) {
      let batch = Array(ids.dropFirst(start).prefix(imagesPerBatch))
      return .success(
        try await SiteExport.reading { () throws(StoreError) in
          try await library.states(ids: batch)
        }
      )
    } catch {
      return .failure(error)
    }
  }

  private func keep(_ file: ExportedFile) throws(SiteExportError) {
    if plan.access != .looking { try folder?.append(file) }
  }
}
