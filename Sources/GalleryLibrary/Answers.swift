internal import Composition
package import Models
package import Scenes
internal import Settings
package import Workers

/// The presenters of this package: they keep what the scenes present, as public values.

/// Keeps what the scene of a list presents.
final class ListAnswer: ListImagesPresentationLogic {
  private(set) var page = ImagePage()
  private(set) var failure: RequestFailure?
  private let query: ImageQuery
  private let file: (PictureInfo) -> String?

  /// - Parameters:
  ///   - query: The query of the list.
  ///   - file: The path of a stored original; nil when this disk does not have it.
  init(_ query: ImageQuery = ImageQuery(), file: @escaping (PictureInfo) -> String? = { _ in nil })
  {
    (self.query, self.file) = (query, file)
  }

  func presentFetchedImages(response: ListImages.FetchImages.Response) {
    page.images += response.images(file: file)
  }

  func presentEndedFetch(response: ListImages.FetchImages.Ended.Response) {
    guard let cursor = response.next else { return }
    page.next = query
    page.next?.after = cursor.text
  }

  func presentUndrawnImages(response: ListImages.FetchImages.Undrawn.Response) {}

  func presentPinnedImages(response: ListImages.PinImages.Response) {}

  func presentFailure(response: Fail.Response) { failure = failure ?? response.failure }
}

extension ListImages.FetchImages.Response {
  /// The images as public values.
  ///
  /// - Parameter file: The path of a stored original; nil when this disk does not have it.
  /// - Returns: The images in their order.
  package func images(file: (PictureInfo) -> String?) -> [LibraryImage] {
    images.map { image in
      let info = image.original.isStored ? originals?[image.id] : nil
      var original = info.flatMap { info in file(info).map { PictureFile(info, path: $0) } }
      original?.isOutdated = image.original == .stale
      return LibraryImage(image, original: original)
    }
  }
}

/// Keeps what the scene of an image presents.
final class ImageAnswer: ShowImagePresentationLogic {
  private(set) var thumbnail: Thumbnail?
  private(set) var hasFile = false
  private(set) var failure: LibraryError?
  private(set) var hasNoThumbnail = false
  private let tell: RunningWork<OriginalFetch.Event>.Tell

  init(tell: @escaping RunningWork<OriginalFetch.Event>.Tell = { _ in }) { self.tell = tell }

  func presentFetchProgress(response: ShowImage.FetchOriginal.Progress.Response) {
    tell(.progress(received: response.received, total: response.total))
  }

  func presentFetchedOriginal(response: ShowImage.FetchOriginal.Response) {
    hasFile = true
    tell(.file(PictureFile(response.fetched.original)))
  }

  /// The failure counts only if no stored original follows, which the feed no longer names.
  func presentUnavailableOriginal(response: ShowImage.FetchOriginal.Unavailable.Response) {
    failure = LibraryError(response.failure)
  }

  func presentReadThumbnail(response: ShowImage.ReadThumbnail.Response) {
    thumbnail = Thumbnail(response.bytes, response.thumbnail)
  }

  func presentFailure(response: Fail.Response) {
    if case .noThumbnail = response.failure { hasNoThumbnail = true }
    failure = LibraryError(response.failure)
  }

  func presentFetchedThumbnail(response: ShowImage.FetchThumbnail.Response) {}
  func presentPartialOriginal(response: ShowImage.FetchOriginal.Partial.Response) {}
  func presentDescribedImage(response: ShowImage.DescribeImage.Response) {}
  func presentExplainedImage(response: ShowImage.ExplainImage.Response) {}
  func presentFetchedNewer(response: ShowImage.FetchNewer.Response) {}
}

/// Keeps what the scene of feeds presents.
final class FeedsAnswer: ListFeedsPresentationLogic {
  private(set) var feeds: [LibraryFeed] = []
  private(set) var removed: Int?
  private(set) var failure: RequestFailure?

  func presentFetchedFeeds(response: ListFeeds.FetchFeeds.Response) {
    feeds = response.feeds.map { LibraryFeed($0) }
  }

  func presentRemovedFeed(response: ListFeeds.RemoveFeed.Response) {
    removed = response.removed.images
  }

  func presentFailure(response: Fail.Response) { failure = response.failure }

  func presentFetchedManifests(response: ListFeeds.FetchManifests.Response) {}
  func presentChangedFeed(response: ListFeeds.ChangeFeed.Response) {}
}

/// Hands on what the scene of a sync presents.
final class SyncAnswer: SyncFeedsPresentationLogic {
  private(set) var failure: LibraryError?
  private let tell: RunningWork<LibrarySync.Event>.Tell

  init(tell: @escaping RunningWork<LibrarySync.Event>.Tell) { self.tell = tell }

  func presentSyncProgress(response: SyncFeeds.Progress.Response) {
    tell(.progress(.init(response.snapshot)))
  }

  func presentSyncProblem(response: SyncFeeds.Problem.Response) {
    for problem in [response.problem] + response.others { tell(.problem(.init(problem))) }
  }

  func presentSyncNotice(response: SyncFeeds.Notice.Response) {
    tell(.notice(Wording.notice(response.notice).withoutHints))
  }

  func presentSyncedFeed(response: SyncFeeds.FeedFinished.Response) {
    tell(.feed(.init(response.summary)))
  }

  func presentFailure(response: Fail.Response) { failure = LibraryError(response.failure) }

  /// A stopped sync is incomplete, also if the library and not the task stopped it.
  func presentEndedSync(response: SyncFeeds.Ended.Response) {
    if response.isInterrupted { failure = failure ?? .cancelled }
  }

  func presentExplainedEntries(response: SyncFeeds.Explained.Response) {}
  func presentWatchedFeeds(response: SyncFeeds.Watch.Response) {}
  func presentTimedSync(response: SyncFeeds.Timed.Response) {}
}

/// Opens no original with another program, because no request of the library products asks for it.
package struct NoOpener: PictureOpening {
  package init() {}

  package func open(_ original: StoredOriginal) throws(OpeningError) {}
}

extension CompositionRoot {
  /// The image with an id.
  func image(_ id: Int64) async throws(RequestFailure) -> WebImage {
    let answer = ListAnswer()
    let interactor = listImages(presenter: answer)
    await interactor.selectImage(request: .init(id: id))
    if let image = interactor.selectedImage { return image }
    throw answer.failure ?? .noSuchImage(id: id)
  }

  /// The scene that shows an image.
  func scene(of image: WebImage, _ answer: ImageAnswer) -> any ShowImageBusinessLogic {
    var scene = showImage(presenter: answer, opener: NoOpener())
    scene.router.dataStore.image = image
    return scene.interactor
  }
}

extension FeedArgument {
  /// Reads the name of a feed, as commands take it, but for pipes.
  static func named(_ text: String) throws(LibraryError) -> FeedArgument {
    if text.allSatisfy(\.isWhitespace) {
      throw LibraryError(.unusableAddress, "a feed is named by an empty text")
    }
    let argument = FeedArgument.typed(text)
    if case .pipe(let address) = argument {
      throw LibraryError(RequestFailure.unusableAddress(address))
    }
    return argument
  }
}
