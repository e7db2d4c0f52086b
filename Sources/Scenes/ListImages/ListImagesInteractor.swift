package import Models
package import Workers

/// What can be asked of the scene.
package protocol ListImagesBusinessLogic {
  func syncFeeds(request: ListImages.SyncFeeds.Request) async
  func fetchImages(request: ListImages.FetchImages.Request)
  func selectImage(request: ListImages.SelectImage.Request)
}

/// What the scene holds for others to be passed.
package protocol ListImagesDataStore {
  /// The images presented last: the page asked for, or the last batch of a long one.
  var images: [WebImage] { get }
  var selectedImage: WebImage? { get }
}

/// Syncs feeds, lists the library's images and selects one of them.
package final class ListImagesInteractor: ListImagesBusinessLogic, ListImagesDataStore {
  /// The most images that are presented at once.
  static let imagesPerBatch = 1_000

  package private(set) var images: [WebImage] = []
  package private(set) var selectedImage: WebImage?
  private let presenter: any ListImagesPresentationLogic
  private let library: any LibraryReading
  private let syncWorker: any Syncing

  package init(
    presenter: any ListImagesPresentationLogic,
    library: any LibraryReading,
    syncWorker: any Syncing
  ) {
    self.presenter = presenter
    self.library = library
    self.syncWorker = syncWorker
  }

  package func syncFeeds(request: ListImages.SyncFeeds.Request) async {
    do throws(RequestFailure) {
      let plan = SyncPlan(
        feeds: try addresses(of: request.feeds),
        fetchesThumbnails: request.fetchesThumbnails,
        fetchesOriginals: request.fetchesOriginals,
        isForced: request.isForced,
        isEveryFeed: request.feeds.isEmpty,
        retriesFailed: request.retriesFailed
      )
      await follow(syncWorker.sync(plan), stop: request.stop)
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func fetchImages(request: ListImages.FetchImages.Request) {
    do throws(RequestFailure) {
      let query = ImageQuery(
        order: request.order,
        feedID: try request.feed.map { argument throws(RequestFailure) in
          try feed(named: argument, for: .list).id
        },
        search: request.search,
        // One more than asked for tells whether there is a next page.
        limit: request.limit.map { min($0, Int.max - 1) + 1 },
        offset: request.offset
      )
      try presentImages(matching: query, limit: request.limit)
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func selectImage(request: ListImages.SelectImage.Request) {
    selectedImage = nil
    do throws(StoreError) {
      selectedImage = try library.image(id: request.id)
      guard selectedImage == nil else { return }
      presenter.presentFailure(response: .init(failure: .noSuchImage(id: request.id)))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .show)))
    }
  }

  // MARK: Syncing

  /// Tells all that a sync says, to its end: that is what makes its summary true.
  private func follow(_ run: SyncRun, stop: StopRequest) async {
    stop.whenMade { run.stop() }
    presenter.presentStartedSync(response: .init(progress: run.progress))
    var tally = SyncTally()
    for await fact in run.facts {
      switch fact {
      case .problem(let problem):
        presenter.presentSyncProblem(response: .init(problem: problem))
      case .notice(let notice):
        presenter.presentSyncNotice(response: .init(notice: notice))
      case .feedFinished(let summary):
        tally.add(summary)
        presenter.presentSyncedFeed(response: .init(summary: summary))
      case .ended(let end):
        presenter.presentEndedSync(
          response: .init(outcome: tally.outcome, isInterrupted: end.isInterrupted)
        )
      }
    }
  }

  /// The addresses that are meant, each once.
  private func addresses(of arguments: [FeedArgument]) throws(RequestFailure) -> [WebAddress] {
    var addresses: [WebAddress] = []
    if arguments.isEmpty {
      addresses = try followedFeeds(for: .sync).map(\.address)
      if addresses.isEmpty { throw .noFeedKnown }
    }
    for argument in arguments {
      let address = try address(of: argument)
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }

  private func address(of argument: FeedArgument) throws(RequestFailure) -> WebAddress {
    switch argument {
    case .address(let address): return address
    case .unusable(let scheme): throw .unusableScheme(scheme)
    case .id: return try feed(named: argument, for: .sync).address
    }
  }

  private func feed(
    named argument: FeedArgument,
    for purpose: RequestFailure.Purpose
  ) throws(RequestFailure) -> Feed {
    let feed = try followedFeeds(for: purpose).first { argument.means($0) }
    guard let feed else { throw .noSuchFeed(argument) }
    return feed
  }

  /// The feeds that are followed; none when there is no library yet.
  private func followedFeeds(
    for purpose: RequestFailure.Purpose
  ) throws(RequestFailure) -> [Feed] {
    do {
      return try library.feeds()
    } catch  where error.reason == .noLibrary && purpose == .sync {
      return []
    } catch {
      throw .library(error, purpose)
    }
  }

  // MARK: Fetching

  private func presentImages(
    matching query: ImageQuery,
    limit: Int?
  ) throws(RequestFailure) {
    images = []
    var count = 0
    var hasMore = false
    do {
      try library.readImages(matching: query, batchSize: Self.imagesPerBatch) { batch in
        let wanted = limit.map { min($0 - count, batch.count) } ?? batch.count
        hasMore = wanted < batch.count
        guard wanted > 0 else { return false }
        images = Array(batch.prefix(wanted))
        count += wanted
        presenter.presentFetchedImages(response: .init(images: images))
        return !hasMore
      }
    } catch {
      throw .library(error, .list)
    }
    let nextOffset = hasMore ? query.offset + count : nil
    presenter.presentEndedFetch(response: .init(count: count, nextOffset: nextOffset))
  }
}
