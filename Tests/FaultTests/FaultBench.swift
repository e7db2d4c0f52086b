import CurlNetwork
import FeedFormats
import Foundation
import LibraryFiles
import Models
import SQLiteCache
import Scenes
import Store
import Sync
import TestSupport
import Testing
import Workers

/// A whole sync in the tests' process.
///
/// Scene, policy, libcurl and SQLite are those of the program, with time limits and waits that are short enough for
/// tests.
final class FaultBench: Sendable {
  let site: FaultSite
  private let folder: String
  private let library: SQLiteLibrary
  private let network: NetworkWorker
  private let end = Locked<Outcome?>(nil)

  init(
    _ site: FaultSite,
    timeouts: NetworkTimeouts = .patient,
    retries: RetryPolicy = .quick
  ) {
    self.site = site
    folder = FileManager.default.temporaryDirectory.appending(path: "faults-\(UUID())").path
    library = SQLiteLibrary(folder: folder)
    network = NetworkWorker(
      userAgent: "gallery/test",
      timeouts: timeouts,
      certificateFile: LoopbackCertificate.authorityFile,
      retries: retries,
      pauses: library,
      environment: [:]
    )
  }

  deinit {
    // A folder that remains in the system's temporary folder does no harm.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Syncs the site's feed, as the command does.
  ///
  /// - Returns: The problems that the sync reported, in order.
  func sync() async throws -> [String] {
    let display = SyncFeedsDisplaySpy()
    let interactor = SyncFeedsInteractor(
      presenter: SyncFeedsPresenter(display: display),
      library: SQLiteLibrary(folder: folder),
      worker: SyncWorker(tools: tools)
    )
    let stop = StopRequest()
    let feed = FeedArgument.named(site.feed)
    let plan = SyncPlan(feeds: [], reach: .anywhere)
    await interactor.syncFeeds(request: .init(feeds: [feed], plan: plan, stop: stop))
    if case .endedSync(let end)? = display.events.last {
      self.end.withLock { $0 = end.outcome }
    }
    return display.events.flatMap { event -> [String] in
      guard case .syncProblem(let problem) = event else { return [] }
      let texts = problem.details.count > 1 ? problem.details : [problem.text]
      return texts.map(\.described)
    }
  }

  /// The outcome of the last sync.
  var outcome: Outcome? { end.withLock { $0 } }

  /// The stored thumbnail of an entry; nil if there is none.
  func thumbnail(of entry: FaultSite.Entry) async throws -> [UInt8]? {
    let ids = try await library.imageIDs(matching: ImageQuery())
    let images = try await library.images(ids: ids)
    let id = try #require(images.first { $0.thumbnailAddress?.text == entry.address }?.id)
    return try await library.thumbnailBytes(imageID: id)
  }

  private var tools: SyncTools {
    SyncTools(
      network: network,
      formats: FeedReader(),
      store: library,
      originals: OriginalWorker(
        network: network,
        store: library,
        imaging: nil,
        wording: Wording.storedReason,
        now: { Date() }
      ),
      sha256: SHA256.ofThumbnail,
      wording: Wording.storedReason,
      now: { Date() }
    )
  }
}
