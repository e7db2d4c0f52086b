import CurlNetwork
import FeedFormats
import FoundationEssentials
package import Imaging
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

/// Names the concrete workers and wires scenes with them; no other type does this.
///
/// Each program creates one composition root, and passes it the presenters of its medium. The workers do not work until
/// a scene asks them. They neither open a library nor start the network or a decoder.
package struct CompositionRoot: Sendable {
  /// The choices of a program and its user.
  package struct Settings: Sendable {
    /// The location of the library.
    package var location: LibraryLocation
    /// The programs to which the new images of each sync are announced.
    package var tellers: [any NewImageTelling] = []
    /// The limits of the disk space for originals.
    package var bounds = StorageBounds()
    /// The object store for originals, with its settings; nil for none.
    package var objects: (location: S3Location, settings: S3Settings)?
    /// The most concurrent transfers, and the most connections to one host; nil for the defaults.
    package var jobs: Int?
    /// A file of certificate authorities; nil for those of the system.
    package var certificateFile: String?
    /// More certificate authorities, in PEM.
    package var extraCertificates: [UInt8] = []
    /// The user's settings of feeds, with the limits of transfers.
    package var feeds = FeedSettings()
    /// The descriptors from which documents are read, by the addresses that represent them.
    package var pipes: [WebAddress: Int32] = [:]
    /// Whether the time of each phase of a sync is measured.
    package var isTimed = false
    /// The logger for details; nil for none.
    package var logger: Logger?
    /// The environment, which may name proxies and a file of passwords.
    package var environment = ProcessInfo.processInfo.environment
    /// The paths where the decoder may be.
    package var decoders = DecoderPaths.ofRunningProgram

    package init(_ location: LibraryLocation) { self.location = location }

    /// Uses the decoder at a path, and looks for it nowhere else.
    package mutating func useDecoder(at path: String) {
      decoders = DecoderPaths(candidates: [path])
    }
  }

  /// The store's protocols for scenes and syncs.
  typealias Store = SyncStoring & LibraryManaging & HostPausing & ChangeFollowing & MirrorStoring
    & ObjectRecording & LibraryInspecting & LibraryCleaning & LibraryCopying
    & LibraryKeyKeeping & LibraryBounding & DetailsStoring

  let settings: Settings
  let store: any Store
  let network: OnDemandNetwork
  let objects: ObjectOriginals?
  let decoders: ImageDecoderPool
  /// Long lists, cached for all scenes.
  package let timelines: Timelines
  private let stopwatch: Stopwatch?
  private let renewals = SyncWorker.Renewals([:])
  private let failedDetails = FailedDetails()

  package init(_ settings: Settings) {
    let stopwatch = settings.isTimed ? Stopwatch() : nil
    let store = Self.makeStore(settings, stopwatch)
    let network = OnDemandNetwork { Self.makeNetwork(settings, store, stopwatch) }
    self.settings = settings
    self.store = store
    self.network = network
    self.stopwatch = stopwatch
    timelines = Timelines(store)
    decoders = ImageDecoderPool(paths: settings.decoders) {
      settings.logger?.info("\(Wording.ready($0))")
    }
    objects = settings.objects.map { objects in
      let objectStore = S3ObjectStore(objects.location, objects.settings, network: network)
      (store as? PostgresLibrary)?.usePacks(in: objectStore)
      return ObjectOriginals(objectStore, of: store)
    }
  }

  /// Starts a decoder, so that the log names its protections and formats, or the reason why no decoder starts.
  package func describeDecoder() async {
    do throws(ImagingError) {
      try await decoders.prepare()
    } catch {
      settings.logger?.info("\(Wording.reason(error))")
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
      extraCertificates: settings.extraCertificates,
      feedAuthorities: settings.feeds.authorities,
      netrcFile: NetrcFile.path(in: settings.environment),
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
      environment: settings.environment,
      stopwatch: stopwatch,
      logger: settings.logger
    )
  }

  /// The location of the library.
  package var location: LibraryLocation { settings.location }

  /// The library, for reading.
  package var library: any LibraryReading { store }

  // MARK: Begin and end

  /// Lets originals give way until the rest is within the bounds of this run, or until it is stopped.
  ///
  /// An error is left to the command itself, which meets it next.
  ///
  /// - Returns: The message about them; nil when there was nothing to do.
  package func keepWithinBounds(until stop: StopRequest? = nil) async -> String? {
    if settings.bounds.isNone { return nil }
    // A backup keeps all originals. The command itself reports other errors.
    if (try? await store.isBackup()) ?? true { return nil }
    let given = try? await store.giveWay { stop?.isMade == true }
    let bounds = LibraryFolder(location.path).meetable(settings.bounds)
    if bounds != settings.bounds { return Wording.unmeetable(settings.bounds) }
    return given.flatMap { Wording.gaveWay($0, to: bounds) }
  }

  /// The refusal of a request that would make a backup the gallery, or change it; nil for a library that is no backup.
  ///
  /// An error is left to the command itself, which meets it next.
  package func refusalOfBackup(for purpose: RequestFailure.Purpose) async -> Fail.ViewModel? {
    guard (try? await store.isBackup()) == true else { return nil }
    let error = StoreError(reason: .backup, path: location.name, message: "")
    return Fail.ViewModel(Fail.Response(failure: .library(error, purpose)))
  }

  /// The refusal to serve a backup, or a library whose database is lost; nil for any other library.
  package func refusalToServe() async -> Fail.ViewModel? {
    do throws(StoreError) {
      _ = try await store.isBackup()
    } catch {
      guard case .lostDatabase = error.reason else { return nil }
      return Fail.ViewModel(Fail.Response(failure: .library(error, .serve)))
    }
    return await refusalOfBackup(for: .serve)
  }

  /// Starts the network in the background, for programs that will need it soon.
  package func prepareNetwork() { network.prepare() }

  /// Ends the decoders, and flushes all writes to the disk, so that they survive a power cut.
  package func settle() async throws(StoreError) {
    decoders.shutDown()
    await network.settle()
    // A database server flushes each transaction itself.
    try (store as? SQLiteLibrary)?.settle()
  }

  // MARK: Workers

  /// The time at which images and feeds are due: all machines of a library in PostgreSQL have the clock of its server.
  var clock: @Sendable () -> Date {
    let database = store as? PostgresLibrary
    return { database?.now() ?? Date() }
  }

  /// Fetches originals, and reads the feeds of those whose addresses have expired.
  var originalWorker: OriginalWorker {
    makeOriginalWorker(SyncWorker(tools: syncTools, renewals: renewals))
  }

  private func makeOriginalWorker(_ feeds: SyncWorker?) -> OriginalWorker {
    OriginalWorker(
      network: network,
      store: store,
      mirrors: store,
      objects: objects,
      imaging: decoders,
      details: detailsReader,
      feeds: feeds,
      wording: Wording.storedReason,
      now: clock
    )
  }

  /// Nil without an object store, when all originals are on this disk.
  var returningOriginals: OriginalWorker? { objects.map { _ in makeOriginalWorker(nil) } }

  var fileExporter: FileExporter {
    FileExporter(
      library: store,
      folders: SiteFolders(besides: LibraryFolder(location.path)),
      sidecars: Sidecars(),
      originals: returningOriginals,
      details: detailsReader
    )
  }

  private var formats: FeedReader { FeedReader(languages: languages) }

  /// The reader's languages (RFC 5646), the preferred one first.
  private var languages: [String] { ReaderLanguages.of(settings.environment) }

  var colourFiller: ColourFiller { ColourFiller(library: store, renderer: decoders) }

  var detailsReader: DetailsReader { detailsReader(decoders) }

  func detailsReader(_ decoder: any DetailsDecoding) -> DetailsReader {
    DetailsReader(library: store, decoder: decoder, failures: failedDetails)
  }

  var syncTools: SyncTools {
    var tools = SyncTools(
      network: network,
      formats: stopwatch.map { TimedFeedReader(formats, $0) } ?? formats,
      store: store,
      mirrors: store,
      originals: makeOriginalWorker(nil),
      objects: objects,
      imaging: stopwatch.map { TimedImageDecoder(decoders, $0) } ?? decoders,
      colours: colourFiller,
      pictureFolders: PictureFolder(),
      folders: FollowedFolders(store: store, exporter: fileExporter),
      sha256: SHA256.ofThumbnail,
      signatures: SignatureChecker(),
      wording: Wording.storedReason,
      stopwatch: stopwatch,
      now: clock
    )
    tools.details = detailsReader
    tools.watchFolders = { PictureFolderWatch(whenChanged: $0) }
    // Without a region or a second choice, because each of these tells servers more about the reader.
    tools.language = languages.first.map { String($0.prefix { $0 != "-" }) }
    return tools
  }
}

/// The languages of the user for messages (locale(7); GNU gettext, section 2.3).
private enum ReaderLanguages {
  /// The languages in the form of RFC 5646, the preferred one first; empty for the locale of C.
  ///
  /// `LANGUAGE` lists several, and counts only with a locale that has a language.
  static func of(_ environment: [String: String]) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    guard let own = locale.flatMap(tag) else { return [] }
    let listed = (environment["LANGUAGE"] ?? "").split(separator: ":").compactMap {
      tag(String($0))
    }
    return listed.isEmpty ? [own] : listed
  }

  /// The language of a locale such as `de_AT.UTF-8@euro`; nil for C and POSIX.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
    return String(name.replacing("_", with: "-"))
  }
}

/// The program's version, after Semantic Versioning 2.0.0.
package enum Version {
  package static let current = "0.1.0"

  /// The version with the commit of the build as its build metadata, and with the commit's day.
  ///
  /// - Parameter commit: `COUNT.gHASH DATE`; empty when the build does not know it.
  /// - Returns: such as `0.1.0+784.g98d8ca19 (2026-11-28)`. As versions of Debian packages, they grow with each commit.
  package static func ofBuild(_ commit: String) -> String {
    let parts = commit.split(separator: " ")
    guard parts.count == 2 else { return current }
    return "\(current)+\(parts[0]) (\(parts[1]))"
  }

  /// The product name for requests to servers (RFC 9110, section 10.1.5).
  static let userAgent = "gallery/\(current)"
}
