import CurlNetwork
import FeedFormats
import Foundation
import LibraryFiles
import Models
import SQLiteCache
import Scenes
import Sync
import TestSupport
import Testing
import Workers

/// A whole sync in the tests' process: scene, policy, libcurl and SQLite are the program's own, with
/// time limits and waits that no test has to wait for.
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
      pauses: library
    )
  }

  deinit {
    // A folder that stays behind in the system's temporary one harms no test.
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Syncs the site's feed, as the command does.
  ///
  /// - Returns: what the problems that were told say, in order.
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

  /// How the last sync came out.
  var outcome: Outcome? { end.withLock { $0 } }

  /// What is stored of each entry; nil for nothing.
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
        now: { Date() }
      ),
      sha256: SHA256.ofThumbnail,
      wording: Wording.reason,
      now: { Date() }
    )
  }
}
