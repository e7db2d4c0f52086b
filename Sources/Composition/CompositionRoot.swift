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
import Scenes
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
  typealias Store = SyncStoring & LibraryManaging & HostPausing & ChangeFollowing & MirrorStoring
    & ObjectRecording & LibraryInspecting & LibraryCleaning & LibraryCopying

  let settings: Settings
  let store: any Store
  let network: OnDemandNetwork
  let objects: ObjectOriginals?
  let decoders: ImageDecoderPool
  /// Long lists, which all scenes share.
  package let timelines: Timelines
  private let stopwatch: Stopwatch?

  package init(_ settings: Settings) {
    let stopwatch = settings.isTimed ? Stopwatch() : nil
    let store = Self.makeStore(settings, stopwatch)
    let network = OnDemandNetwork { Self.makeNetwork(settings, store, stopwatch) }
    self.settings = settings
    self.store = store
    self.network = network
    self.stopwatch = stopwatch
    timelines = Timelines(store)
    decoders = ImageDecoderPool { settings.logger?.info("\(Wording.ready($0))") }
    objects = settings.objects.map { objects in
      let objectStore = S3ObjectStore(objects.location, objects.settings, network: network)
      (store as? PostgresLibrary)?.usePacks(in: objectStore)
      return ObjectOriginals(objectStore, of: store)
    }
  }

  private static func makeStore(_ settings: Settings, _ stopwatch: Stopwatch?) -> any Store {
    let (folder, objects) = (settings.location.path, settings.objects?.location.name)
    if let database = settings.location.database {
      return PostgresLibrary(database, folder: folder, bounds: settings.bounds, objects: objects)
    }
    return SQLiteLibrary(
      folder: folder,
      bounds: settings.bounds,
      objects: objects,
      stopwatch: stopwatch
    )
  }

  private static func makeNetwork(
    _ settings: Settings,
    _ store: any Store,
    _ stopwatch: Stopwatch?
  ) -> NetworkWorker {
    NetworkWorker(
      userAgent: Version.userAgent,
      limits: settings.jobs.map(ConnectionLimits.init(jobs:)) ?? ConnectionLimits(),
      certificateFile: settings.certificateFile,
      netrcFile: NetrcFile.path(in: ProcessInfo.processInfo.environment),
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
      logger: settings.logger
    )
  }

  /// Where the library is.
  package var location: LibraryLocation { settings.location }

  /// The library, for reading.
  package var library: any LibraryReading { store }

  // MARK: Begin and end

  /// Starts the network while other work goes on; for programs that will need it soon.
  package func prepareNetwork() { network.prepare() }

  /// Ends the decoders, and flushes all writes to the disk, where they survive a power cut.
  package func settle() async throws(StoreError) {
    decoders.shutDown()
    await network.settle()
    // A database's server flushes each transaction by itself.
    try (store as? SQLiteLibrary)?.settle()
  }

  // MARK: Workers

  var originalWorker: OriginalWorker {
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
  var returningOriginals: OriginalWorker? { objects.map { _ in originalWorker } }

  var fileExporter: FileExporter {
    FileExporter(
      library: store,
      folders: SiteFolders(besides: LibraryFolder(location.path)),
      sidecars: Sidecars(),
      originals: returningOriginals
    )
  }

  var colourFiller: ColourFiller { ColourFiller(library: store, renderer: decoders) }

  var syncTools: SyncTools {
    SyncTools(
      network: network,
      formats: stopwatch.map { TimedFeedReader(FeedReader(), $0) } ?? FeedReader(),
      store: store,
      mirrors: store,
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
