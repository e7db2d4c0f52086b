import CurlNetwork
import FeedFormats
import FoundationEssentials
import Imaging
import LibraryFiles
package import Logging
package import Models
package import ObjectStore
import PostgresStore
import SQLiteCache
package import Scenes
package import Settings
import Sync
package import Workers

/// The one place that names concrete workers, and wires scenes with them.
///
/// Each program makes one, and gives it the presenters of its medium. The workers do no work until a
/// scene asks for it: they open no library, and start neither the network nor a decoder.
package struct CompositionRoot: Sendable {
  /// The choices of a program and its user.
  package struct Settings: Sendable {
    /// Where the library is.
    package var location: LibraryLocation
    /// Receive the new images of each sync.
    package var tellers: [any NewImageTelling] = []
    /// How much originals may take.
    package var bounds = StorageBounds()
    /// The object store that originals go to, and who asks it; nil for none.
    package var objects: (location: S3Location, settings: S3Settings)?
    /// The most transfers at once, and the most connections to one host; nil for the usual ones.
    package var jobs: Int?
    /// A file of certificate authorities; nil for those of the system.
    package var certificateFile: String?
    /// The file with logins for hosts; nil for none.
    package var netrcFile: String?
    /// What the user's settings say of feeds, and the bounds of transfers.
    package var feeds = FeedSettings()
    /// Descriptors to read documents from, by the addresses that stand for them.
    package var pipes: [WebAddress: Int32] = [:]
    /// Whether to measure the time that each phase of a sync takes.
    package var isTimed = false
    /// The log of details; nil for none.
    package var logger: Logger?

    package init(_ location: LibraryLocation) { self.location = location }
  }

  /// All that a store does for scenes and syncs.
  typealias Store = SyncStoring & FeedManaging & FeedLocking & HostPausing & LibraryBrowsing
    & ColourStoring & ChangeFollowing & ChangeReading & Pinning & SubscriptionStoring
    & MirrorStoring
    & ObjectRecording & FolderFollowing & LibraryInspecting & LibraryCleaning & SiteReading
    & NamedImageReading & LibraryCopying & NodeListing

  package let location: LibraryLocation
  let store: any Store
  /// Brings to the disk what a power cut could still take.
  private let flush: @Sendable () throws(StoreError) -> Void
  let network: OnDemandNetwork
  private let objects: ObjectOriginals?
  private let decoders: ImageDecoderPool
  private let stopwatch: Stopwatch?
  private let feeds: [ConfiguredFeed]
  private let tellers: [any NewImageTelling]
  let logger: Logger?
  /// Long lists, which all scenes share.
  package let timelines: Timelines

  package init(_ settings: Settings) {
    let logger = settings.logger
    self.logger = logger
    let stopwatch = settings.isTimed ? Stopwatch() : nil
    location = settings.location
    let folder = settings.location.path
    let store: any Store
    let postgres = settings.location.database.map { database in
      PostgresLibrary(
        database,
        folder: folder,
        bounds: settings.bounds,
        objects: settings.objects?.location.name
      )
    }
    if let postgres {
      store = postgres
      flush = { () throws(StoreError) in }
    } else {
      let library = SQLiteLibrary(
        folder: folder,
        bounds: settings.bounds,
        objects: settings.objects?.location.name,
        stopwatch: stopwatch
      )
      store = library
      flush = { () throws(StoreError) in try library.settle() }
    }
    self.store = store
    feeds = settings.feeds.feeds
    tellers = settings.tellers
    timelines = Timelines(store)
    self.stopwatch = stopwatch
    decoders = ImageDecoderPool { logger?.info("\(Wording.ready($0))") }
    let network = OnDemandNetwork {
      NetworkWorker(
        userAgent: Version.userAgent,
        limits: settings.jobs.map(ConnectionLimits.init(jobs:)) ?? ConnectionLimits(),
        certificateFile: settings.certificateFile,
        netrcFile: settings.netrcFile,
        originFields: settings.feeds.fields,
        rates: TransferRates(
          bytesPerSecond: settings.feeds.bytesPerSecond,
          requestsPerSecond: settings.feeds.requestsPerSecond
        ),
        hostRates: settings.feeds.hostRates.map {
          ($0.address, TransferRates(bytesPerSecond: $0.bytes, requestsPerSecond: $0.requests))
        },
        pipes: settings.pipes,
        pauses: store,
        stopwatch: stopwatch,
        logger: logger
      )
    }
    self.network = network
    objects = settings.objects.map { objects in
      let objectStore = S3ObjectStore(objects.location, objects.settings, network: network)
      postgres?.usePacks(in: objectStore)
      return ObjectOriginals(objectStore, of: store)
    }
  }

  /// The library, for reading.
  package var library: any LibraryReading & LibraryBrowsing { store }

  /// The decoders, for pictures in other sizes.
  package var renderer: any ImageDecoding & PictureRendering { decoders }

  /// The library, for clients that follow its changes.
  package var changes: any ChangeFollowing { store }

  // MARK: Scenes

  package func syncFeeds(
    presenter: any SyncFeedsPresentationLogic
  ) -> any SyncFeedsBusinessLogic {
    SyncFeedsInteractor(
      presenter: presenter,
      library: store,
      manager: store,
      worker: SyncWorker(tools: syncTools),
      settings: feeds,
      tellers: tellers
    )
  }

  package func listImages(
    presenter: any ListImagesPresentationLogic,
    navigation: any ListImagesNavigation
  ) -> ListImagesScene {
    ListImagesScene(
      interactor: ListImagesInteractor(
        presenter: presenter,
        library: store,
        decoder: decoders,
        timelines: timelines,
        pins: store
      ),
      navigation: navigation
    )
  }

  package func showImage(
    presenter: any ShowImagePresentationLogic,
    opener: any PictureOpening
  ) -> ShowImageScene {
    ShowImageScene(
      interactor: ShowImageInteractor(
        presenter: presenter,
        library: store,
        originalWorker: originalWorker,
        exporter: PictureExporter(),
        opener: opener,
        decoder: decoders,
        marker: store,
        pins: store
      )
    )
  }

  package func listFeeds(
    presenter: any ListFeedsPresentationLogic
  ) -> any ListFeedsBusinessLogic {
    ListFeedsInteractor(presenter: presenter, library: store, manager: store)
  }

  package func checkLibrary(
    presenter: any CheckLibraryPresentationLogic
  ) -> any CheckLibraryBusinessLogic {
    let repairer = PictureRepairer(tools: syncTools)
    return CheckLibraryInteractor(
      presenter: presenter,
      library: store,
      verifier: LibraryVerifier(
        library: store,
        repairer: repairer,
        objects: objects,
        imaging: decoders
      ),
      cleaner: objects.map { ObjectCleaner(store, $0) } ?? store,
      nodes: store
    )
  }

  /// Takes what makes the files of a site.
  package func exportLibrary(
    presenter: any ExportLibraryPresentationLogic,
    site: any SiteMaking
  ) -> any ExportLibraryBusinessLogic {
    ExportLibraryInteractor(
      presenter: presenter,
      library: store,
      exporter: SiteExporter(
        library: store,
        site: site,
        folders: SiteFolders(besides: LibraryFolder(location.path)),
        originals: returningOriginals,
        sha256: SHA256.ofThumbnail
      )
    )
  }

  package func exportFiles(
    presenter: any ExportFilesPresentationLogic
  ) -> any ExportFilesBusinessLogic {
    ExportFilesInteractor(
      presenter: presenter,
      library: store,
      exporter: fileExporter,
      folders: store
    )
  }

  /// Takes what the copy is made with.
  package func moveLibrary(
    to other: CompositionRoot,
    presenter: any MoveLibraryPresentationLogic
  ) -> any MoveLibraryBusinessLogic {
    let hasSameObjects = objects?.objects.name == other.objects?.objects.name
    let copier = OriginalCopier(
      from: LibraryFolder(location.path),
      to: LibraryFolder(other.location.path)
    )
    let mover = LibraryMover(
      from: store,
      to: other.store,
      at: other.location.name,
      originals: copier,
      hasSameObjects: hasSameObjects,
      objects: hasSameObjects ? nil : other.objects,
      bringBack: bringBack
    )
    return MoveLibraryInteractor(
      presenter: presenter,
      library: store,
      mover: mover,
      place: other.location.name
    )
  }

  /// SHA-256 in lower-case hexadecimal digits.
  package static func sha256(of bytes: [UInt8]) throws(StoreError) -> String {
    try SHA256.ofThumbnail(bytes)
  }

  /// Notes that somebody looked at a stored original.
  package func noteLook(at original: StoredOriginal) async {
    await store.noteLook(atOriginal: original.sha256, now: Date())
  }

  /// An image whose original, with this hash, the object store alone has.
  package func image(withAwayOriginal hash: SHA256Digest) async throws(StoreError) -> Int64? {
    objects == nil ? nil : try await store.image(withAwayOriginal: hash)
  }

  /// Brings an original to this disk that the object store alone has; does nothing for another one.
  package func bringBack(_ hash: SHA256Digest) async {
    guard let id = try? await image(withAwayOriginal: hash) else { return }
    await originalWorker.bringBack(imageID: id)
  }

  /// Where a client gets an original from the object store, for a quarter of an hour; nil without one.
  package func objectAddress(of hash: SHA256Digest) -> WebAddress? {
    objects?.address(of: hash, for: .seconds(900))
  }

  /// Scheme and host of those addresses (RFC 6454, section 6.2).
  package var objectOrigin: String? {
    objectAddress(of: SHA256Digest(words: .zero)).map { "\($0.scheme)://\($0.authority ?? "")" }
  }

  /// Gives stored thumbnails their colours, one at a time and with pauses, so that nothing else waits for it.
  ///
  /// - Parameter pause: How long it rests before each few.
  /// - Returns: False when there is no decoder.
  package func fillColours(pause: Duration) async -> Bool {
    do throws(Failure) {
      // A pause that a cancellation cuts short is the last.
      try await colourFiller.fill(atOnce: 1) { (try? await Task.sleep(for: pause)) != nil }
      return true
    } catch .imaging(let error) {
      return !error.isOfDecoder
    } catch {
      return true
    }
  }

  // MARK: Begin and end

  /// Starts the network while other work goes on; for programs that will need it soon.
  package func prepareNetwork() { network.prepare() }

  /// Ends the decoders, and flushes all writes to the disk, where they survive a power cut.
  package func settle() async throws(StoreError) {
    decoders.shutDown()
    await network.settle()
    try flush()
  }

  // MARK: Workers

  private var originalWorker: OriginalWorker {
    OriginalWorker(
      network: network,
      store: store,
      mirrors: store,
      objects: objects,
      imaging: decoders,
      now: { Date() }
    )
  }

  /// Nil when all originals are on this disk.
  private var returningOriginals: OriginalWorker? { objects.map { _ in originalWorker } }

  private var fileExporter: FileExporter {
    FileExporter(
      library: store,
      folders: SiteFolders(besides: LibraryFolder(location.path)),
      sidecars: Sidecars(),
      originals: returningOriginals
    )
  }

  private var colourFiller: ColourFiller { ColourFiller(library: store, renderer: decoders) }

  private var syncTools: SyncTools {
    SyncTools(
      network: network,
      formats: stopwatch.map { TimedFeedReader(FeedReader(), $0) } ?? FeedReader(),
      store: store,
      mirrors: store,
      locks: store,
      originals: originalWorker,
      objects: objects,
      imaging: stopwatch.map { TimedImageDecoder(decoders, $0) } ?? decoders,
      colours: colourFiller,
      folders: FollowedFolders(store: store, exporter: fileExporter),
      sha256: SHA256.ofThumbnail,
      wording: Wording.reason,
      stopwatch: stopwatch,
      now: { Date() }
    )
  }
}

/// The program's version, after Semantic Versioning 2.0.0.
package enum Version {
  package static let current = "0.1.0"
  /// The name of the program for servers (RFC 9110, section 10.1.5).
  static let userAgent = "gallery/\(current)"
}
