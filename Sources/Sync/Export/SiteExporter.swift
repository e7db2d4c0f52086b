import Models
package import Workers

/// The policy of exports: a file is written before the pages and nodes that name it, and deleted after them.
///
/// An export reads one state of the library, and checks the version of the tree to ensure that. If the library changes
/// during an export, the export begins again, and finds most of its files written.
package struct SiteExporter: SiteExporting {
  package typealias FolderOpening =
    @Sendable (_ path: String, _ library: String) throws(SiteExportError) -> any SiteFolder

  let library: any LibraryReading & ChangeFollowing
  let site: any SiteMaking
  /// Opens a folder for the site of the library with a UUID.
  let openFolder: FolderOpening
  /// Brings originals back from an object store; nil without one.
  let originals: (any OriginalFetching)?
  /// The key pair of the library; nil for a site that is not signed.
  let keys: (any LibraryKeyKeeping)?
  let sha256: @Sendable ([UInt8]) throws(StoreError) -> String

  package init(
    library: any ChangeFollowing & LibraryReading,
    site: any SiteMaking,
    openFolder: @escaping FolderOpening,
    originals: (any OriginalFetching)? = nil,
    keys: (any LibraryKeyKeeping)? = nil,
    sha256: @escaping @Sendable ([UInt8]) throws(StoreError) -> String
  ) {
    self.library = library
    self.site = site
    self.openFolder = openFolder
    self.originals = originals
    self.keys = keys
    self.sha256 = sha256
  }

  package func export(_ plan: SiteExportPlan) -> SiteExportRun {
    let progress = Locked(SiteExportCounts())
    return SiteExportRun(progress) { teller in
      do throws(SiteExportError) {
        let isWhole = try await SiteExport.run(plan, self, progress) { teller.yield($0) }
        teller.yield(.ended(progress.snapshot, isInterrupted: !isWhole))
      } catch {
        teller.yield(.failed(error))
      }
    }
  }
}

/// One attempt to export a state of the library.
struct SiteExport {
  /// How an attempt ended.
  private enum End { case whole, outdated, interrupted }

  let plan: SiteExportPlan
  let exporter: SiteExporter
  let progress: Locked<SiteExportCounts>
  let tell: (SiteExportFact) -> Void
  let folder: any SiteFolder
  let version: LibraryVersion
  let tree: LibraryTree
  /// Signs the nodes of the tree; nil for a site that is not signed.
  let signer: (any LibrarySigning)?
  /// Identifies the state that the site will have.
  let note: String
  let feeds: [Int64: Feed]
  /// The ids of pinned images.
  let pins: Set<Int64>
  /// The packs that may be part of the site.
  var packs: [SHA256Digest: SealedPack]
  /// Pictures that cannot be part of the site.
  var missing: Set<SHA256Digest> = []
  var kept = KeptFiles()

  /// Exports the library, and returns whether the export was completed.
  static func run(
    _ plan: SiteExportPlan,
    _ exporter: SiteExporter,
    _ progress: Locked<SiteExportCounts>,
    _ tell: @escaping (SiteExportFact) -> Void
  ) async throws(SiteExportError) -> Bool {
    // This seals packs. A site works without them, so a library on a full disk can be exported, too.
    try? await exporter.library.prepareForFollowers()
    let version = try await SiteExportError.ofStore(await exporter.library.version())
    let folder = try exporter.openFolder(plan.folder, version.library)
    for _ in 0..<SyncLimits.exportAttempts {
      guard var export = try await begin(plan, exporter, progress, tell, in: folder) else {
        return true
      }
      switch try await export.attempt() {
      case .whole: return true
      case .interrupted: return false
      case .outdated: continue
      }
    }
    throw .changing
  }

  /// Reads the state of the library; nil if the site has that state already.
  private static func begin(
    _ plan: SiteExportPlan,
    _ exporter: SiteExporter,
    _ progress: Locked<SiteExportCounts>,
    _ tell: @escaping (SiteExportFact) -> Void,
    in folder: any SiteFolder
  ) async throws(SiteExportError) -> SiteExport? {
    let version = try await SiteExportError.ofStore(await exporter.library.version())
    let packs = try await SiteExportError.ofStore(await exporter.library.publicPacks())
    let feeds = try await SiteExportError.ofStore(await exporter.library.feeds())
    progress.withLock { $0.total = feeds.reduce(0) { $0 + $1.imageCount } }
    let signer = try await signer(exporter)
    let note = note(of: version, packs, plan, exporter, signer)
    if folder.note == note {
      progress.withLock { ($0.isUnchanged, $0.images) = (true, $0.total ?? 0) }
      return nil
    }
    // A tree of a later state leads to another attempt.
    let tree = try await SiteExportError.ofStore(await exporter.library.tree())
    guard let tree else { throw .changing }
    return SiteExport(
      plan: plan,
      exporter: exporter,
      progress: progress,
      tell: tell,
      folder: folder,
      version: version,
      tree: tree,
      signer: signer,
      note: note,
      feeds: Dictionary(feeds.map { ($0.id, $0) }) { first, _ in first },
      pins: Set(tree.pins.map(\.imageID)),
      packs: packs
    )
  }

  /// A library whose key pair cannot be made, as on a full disk, is exported without signatures.
  private static func signer(
    _ exporter: SiteExporter
  ) async throws(SiteExportError) -> (any LibrarySigning)? {
    do throws(StoreError) {
      return try await exporter.keys?.signer()
    } catch  where error.reason != .unusableKey {
      return nil
    } catch {
      throw .library(error)
    }
  }

  /// Identifies a state of the site: an export with the same note has nothing to do.
  private static func note(
    of version: LibraryVersion,
    _ packs: [SHA256Digest: SealedPack],
    _ plan: SiteExportPlan,
    _ exporter: SiteExporter,
    _ signer: (any LibrarySigning)?
  ) -> String {
    let hashes = packs.keys.map(\.hexadecimal).sorted().joined(separator: " ")
    let originals = plan.hasOriginals ? "with originals" : "without originals"
    return """
      library \(version.library) \(version.epoch) \(version.number)
      site \(exporter.site.version) \(originals)
      packs \(hashes)
      key \(signer?.key.text ?? "-")

      """
  }

  // MARK: An attempt

  private mutating func attempt() async throws(SiteExportError) -> End {
    guard tree.version == version else { return .outdated }
    progress.withLock { $0.images = 0 }
    try folder.setNote(nil)
    for asset in exporter.site.assets { try write(asset) }
    for feed in tree.feeds {
      guard let end = try await write(feed) else { continue }
      return end
    }
    var last: [SiteFile] = [exporter.site.worker]
    guard let pages = try await writePages() else { return .interrupted }
    last += pages
    last.append(try signed(exporter.site.root(of: tree)))
    let now = try await SiteExportError.ofStore(await exporter.library.version())
    guard now == version else { return .outdated }
    try folder.settle()
    for file in last { try write(file) }
    try sweep()
    try folder.settle()
    try folder.setNote(note)
    return .whole
  }

  /// Writes the nodes of a feed with their pictures, the lower nodes first; nil when all are written.
  private mutating func write(_ node: LibraryTree.Feed) async throws(SiteExportError) -> End? {
    guard let feed = feeds[node.id] else { return .outdated }
    for month in node.months {
      for leaf in month.leaves {
        if Task.isCancelled { return .interrupted }
        guard try await write(leaf, of: month, ofFeed: node.id) else { return .outdated }
        progress.withLock { $0.images += leaf.images }
      }
      try write(signed(exporter.site.node(month, ofFeed: node.id)))
    }
    try write(signed(exporter.site.node(node, of: feed)))
    return nil
  }

  /// Writes a leaf with its pictures; false if its images do not match its hash any more.
  private mutating func write(
    _ leaf: LibraryTree.Leaf,
    of month: LibraryTree.Month,
    ofFeed feedID: Int64
  ) async throws(SiteExportError) -> Bool {
    let images = try await SiteExportError.ofStore(
      await exporter.library.images(ofFeed: feedID, month: month.month, ids: leaf.ids)
    )
    let text = Array(LibraryTree.text(ofLeaf: images).utf8)
    let hash = try await SiteExportError.ofStore(exporter.sha256(text))
    guard hash == leaf.hash.hexadecimal else { return false }
    try await writePictures(of: images)
    try write(signed(exporter.site.leaf(leaf, images.map(published))))
    return true
  }

  /// The file of a node with its signature, as the server sends it.
  private func signed(_ file: SiteFile) throws(SiteExportError) -> SiteFile {
    guard let signer else { return file }
    let name = DocumentSignature.name(ofNode: String(file.path.split(separator: "/").last ?? ""))
    do throws(StoreError) {
      let bytes = try DocumentSignature.sign(file.bytes, named: name, by: signer)
      return SiteFile(path: file.path, bytes: bytes)
    } catch {
      throw .library(error)
    }
  }

  mutating func write(_ file: SiteFile) throws(SiteExportError) {
    kept.add(file.path)
    if try folder.write(file.bytes, to: file.path) { count(file.bytes.count) }
  }

  /// Counts a file that was written.
  func count(_ bytes: Int) {
    progress.withLock { counts in
      counts.written += 1
      counts.writtenBytes += bytes
    }
  }

  private mutating func sweep() throws(SiteExportError) {
    kept.sort()
    for name in ["api", "assets", "feeds", "months", "o", "p", "t"] {
      let removed = try folder.sweep(name, keeping: kept.contains)
      progress.withLock { $0.removed += removed }
    }
  }
}

extension SiteExportError {
  /// Reads from the library; its error ends the export.
  static func ofStore<Answer>(
    _ answer: @autoclosure () async throws(StoreError) -> Answer
  ) async throws(SiteExportError) -> Answer {
    do { return try await answer() } catch { throw .library(error) }
  }
}

/// The names of the files that a site has: those of pictures by 8 bytes of their hashes, the others in full.
///
/// So a million pictures take 8 MB. An outdated picture with the same 8 bytes would stay, which is harmless.
struct KeptFiles {
  private var names: Set<String> = []
  private var pictures: [UInt64] = []

  mutating func add(_ name: String) { names.insert(name) }

  mutating func add(picture hash: SHA256Digest) { pictures.append(hash.words[0]) }

  /// Prepares look-ups of pictures.
  mutating func sort() { pictures.sort() }

  func contains(_ name: String) -> Bool {
    if names.contains(name) { return true }
    let parts = name.split(separator: "/")
    guard parts.count == 2, parts[0].utf8.count == 1,
      let hash = SHA256Digest(hexadecimal: String(parts[1]))
    else { return false }
    let index = pictures.firstIndex(notBelow: hash.words[0])
    return index < pictures.count && pictures[index] == hash.words[0]
  }
}
