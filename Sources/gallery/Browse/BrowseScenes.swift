import Composition
import Models
import Scenes
import Terminal
import Workers

/// The list in the browser, as a request without its page.
struct BrowsedList: Sendable, Equatable {
  var query: ImageQuery
  var feed: FeedArgument?

  /// The request for a page.
  func request(_ page: ImageGrid.PageRequest) -> ListImages.FetchImages.Request {
    var query = query
    query.limit = page.count * ImageGrid.pageSize
    query.offset = page.after == nil ? page.number * ImageGrid.pageSize : 0
    return .init(query: query, feed: feed, after: page.after)
  }
}

/// Scenes for background tasks, each of which is created and used within a single task.
struct BrowseScenes: Sendable {
  let root: CompositionRoot

  /// Lists a page.
  func list(_ request: ListImages.FetchImages.Request) async -> ListedPage {
    let display = ListedPageDisplay()
    await root.listImages(presenter: ListImagesPresenter(display: display))
      .fetchImages(request: request)
    return display.listed
  }

  /// Makes the scene of an image.
  func showImage(
    _ send: @escaping @Sendable (@escaping @Sendable (ImageDisplay) -> Void) -> Void
  ) -> ShowImageScene {
    root.showImage(
      presenter: ShowImagePresenter(display: SentImageDisplay(send: send)),
      opener: PictureViewer()
    )
  }

  /// Pins or unpins an image, and returns a message about the result.
  func togglePin(_ id: Int64) async -> String {
    let display = ListedPageDisplay()
    let list = root.listImages(presenter: ListImagesPresenter(display: display))
    await list.selectImage(request: .init(id: id))
    if let image = list.selectedImage {
      await list.pinImages(request: .init(ids: [id], isPinned: !image.isPinned))
    }
    return display.listed.note ?? ""
  }

  func listFeeds(
    _ send: @escaping @Sendable (@escaping @Sendable (FeedListDisplay) -> Void) -> Void
  ) async {
    let display = SentFeedsDisplay(send: send)
    await root.listFeeds(presenter: ListFeedsPresenter(display: display)).fetchFeeds()
  }

  /// Syncs all feeds.
  func sync(stop: StopRequest, _ send: @escaping @Sendable (BrowseEvent) -> Void) async {
    let display = SentSyncDisplay(send)
    let interactor = root.syncFeeds(presenter: SyncFeedsPresenter(display: display))
    await interactor.syncFeeds(request: .init(feeds: [], stop: stop))
    send(.syncEnded(display.lastWords))
  }

  // MARK: Workers

  /// Counts the images of a list; nil when it cannot be read.
  func count(_ list: BrowsedList) async -> Int? {
    var query = list.query
    do {
      if let feed = list.feed { try await root.library.narrow(&query, to: feed, for: .list) }
      return try await root.library.imageIDs(matching: query).count
    } catch {
      return nil
    }
  }

  /// Decodes a stored thumbnail; nil when that fails.
  func picture(_ key: BrowseDrawing.TileKey) async -> Picture? {
    guard let bytes = try? await root.library.thumbnailBytes(imageID: key.imageID) else {
      return nil
    }
    let room = PixelSize(width: key.width, height: key.height)
    let pixels = try? await root.renderer.pixels(of: .bytes(bytes), fitting: room, extent: .whole)
    return pixels.flatMap { Picture(width: $0.width, height: $0.height, bytes: $0.rgba) }
  }
}
