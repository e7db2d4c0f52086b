package import Models
package import Workers

/// The requests of the scene.
package protocol ListImagesBusinessLogic {
  func fetchImages(request: ListImages.FetchImages.Request) async
  func selectImage(request: ListImages.SelectImage.Request) async
  func pinImages(request: ListImages.PinImages.Request) async
}

/// The data that the router may pass on.
package protocol ListImagesDataStore {
  /// The images of the requested page; without pictures, only the last batch of a long page.
  var images: [WebImage] { get }
  var selectedImage: WebImage? { get }
}

/// Lists the library's images, and selects or pins some of them.
package final class ListImagesInteractor: ListImagesBusinessLogic, ListImagesDataStore {
  /// The maximum number of images that are presented at once.
  static let imagesPerBatch = 1_000

  package private(set) var images: [WebImage] = []
  package private(set) var selectedImage: WebImage?
  private let presenter: any ListImagesPresentationLogic
  private let library: any LibraryReading
  private let timelines: Timelines
  private let pins: any LibraryManaging
  private let details: (any DetailsStoring)?
  private let thumbnails: StoredThumbnailDecoder
  private let isAway: @Sendable (WebAddress) async -> Bool
  private let makeSeed: () -> UInt64

  /// Creates the interactor.
  ///
  /// Scenes share `timelines`. `isAway` says whether a folder that is a feed is not there now, and `makeSeed` makes seeds
  /// for random orders.
  package init(
    presenter: any ListImagesPresentationLogic,
    library: any LibraryReading,
    decoder: any ImageDecoding,
    timelines: Timelines,
    pins: any LibraryManaging,
    details: (any DetailsStoring)? = nil,
    isAway: @escaping @Sendable (WebAddress) async -> Bool = { _ in false },
    makeSeed: @escaping () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    self.presenter = presenter
    self.library = library
    self.timelines = timelines
    self.pins = pins
    self.details = details
    thumbnails = StoredThumbnailDecoder(library: library, decoder: decoder)
    self.isAway = isAway
    self.makeSeed = makeSeed
  }

  package func fetchImages(request: ListImages.FetchImages.Request) async {
    do throws(RequestFailure) {
      let query = try await query(of: request)
      images = []
      if let grid = request.grid {
        try await presentDrawnImages(matching: query, request, in: grid)
      } else {
        try await presentImages(matching: query, request)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  package func selectImage(request: ListImages.SelectImage.Request) async {
    selectedImage = nil
    do throws(StoreError) {
      if try await isListed(request) { selectedImage = try await library.image(id: request.id) }
      guard selectedImage == nil, let failure = request.failure else { return }
      presenter.presentFailure(response: .init(failure: failure))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .show)))
    }
  }

  private func isListed(_ request: ListImages.SelectImage.Request) async throws(StoreError) -> Bool
  {
    guard let part = request.part else { return true }
    return try await timelines.buckets(of: part).ids.contains(request.id)
  }

  package func pinImages(request: ListImages.PinImages.Request) async {
    let purpose: RequestFailure.Purpose = request.isPinned ? .pin : .unpin
    do throws(RequestFailure) {
      // Without a library, the purpose is to pin, also where a list names the images.
      _ = try await library.feeds(for: purpose)
      var ids = request.ids
      if let list = request.list { ids += try await listedIDs(of: list) }
      let pinned = try await setPinned(request.isPinned, ids)
      if !pinned.isEmpty || request.ids.isEmpty {
        let response = ListImages.PinImages.Response(
          count: pinned.count,
          isPinned: request.isPinned
        )
        presenter.presentPinnedImages(response: response)
      }
      let missing = request.ids.filter { id in
        !pinned.contains(id) && !request.ranges.contains { $0.contains(id) }
      }
      let empty = request.ranges.filter { !$0.contains(where: pinned.contains) }
      var failures = missing.map { RequestFailure.noSuchImage(id: $0, purpose) }
      failures += empty.map { RequestFailure.noSuchImages(ids: $0, purpose) }
      for failure in failures { presenter.presentFailure(response: .init(failure: failure)) }
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  private func listedIDs(
    of list: ListImages.FetchImages.Request
  ) async throws(RequestFailure) -> [Int64] {
    let query = try await query(of: list)
    do { return try await library.imageIDs(matching: query) } catch { throw .library(error, .pin) }
  }

  /// Pins or unpins one batch at a time, so that other writers can write in between.
  ///
  /// - Returns: The ids of those images that belong to followed feeds.
  private func setPinned(
    _ isPinned: Bool,
    _ ids: [Int64]
  ) async throws(RequestFailure) -> Set<Int64> {
    var known: Set<Int64> = []
    do {
      for start in stride(from: 0, to: ids.count, by: Self.imagesPerBatch) {
        let batch = Array(ids.dropFirst(start).prefix(Self.imagesPerBatch))
        known.formUnion(try await pins.setPinned(isPinned, imageIDs: batch))
      }
      return known
    } catch {
      throw .library(error, isPinned ? .pin : .unpin)
    }
  }

  // MARK: The query

  private func query(
    of request: ListImages.FetchImages.Request
  ) async throws(RequestFailure) -> ImageQuery {
    var query = request.query
    if let after = request.after {
      guard let cursor = ImageCursor(after, in: query.order) else { throw .noSuchPage }
      query.after = cursor
    }
    if let argument = request.feed { try await library.narrow(&query, to: argument, for: .list) }
    if query.order == .random {
      // A random order has no next page.
      query.offset = 0
      query.seed = makeSeed()
    } else {
      // One extra image shows whether there is a next page.
      query.limit = query.limit.map { min($0, Int.max - 1) + 1 }
    }
    return query
  }

  // MARK: Fetching

  private func presentImages(
    matching query: ImageQuery,
    _ request: ListImages.FetchImages.Request
  ) async throws(RequestFailure) {
    let end = try await readImages(matching: query, request) {
      batch,
      originals throws(StoreError) in
      images = batch
      let hashes = originals?.values.compactMap(\.hash?.hexadecimal) ?? []
      let known = hashes.isEmpty ? nil : try await details?.details(ofOriginals: hashes)
      presenter.presentFetchedImages(
        response: .init(images: images, originals: originals, details: known ?? [:])
      )
    }
    presenter.presentEndedFetch(response: end)
  }

  private func pinnedIDs() async throws(RequestFailure) -> Set<Int64> {
    do {
      return Set(try await library.imageIDs(matching: ImageQuery(isPinned: true)))
    } catch {
      throw .library(error, .list)
    }
  }

  /// The pinned images among those of a page, which costs the same however many others are pinned.
  private func pinnedIDs(of images: [WebImage]) async throws(StoreError) -> Set<Int64> {
    Set(try await library.tiles(ids: images.map(\.id)).filter(\.isPinned).map(\.id))
  }

  /// The stored originals by the ids of their images.
  private func originals(
    of images: [WebImage]
  ) async throws(StoreError) -> [Int64: PictureInfo] {
    let states = try await library.states(ids: images.filter(\.original.isStored).map(\.id))
    return Dictionary(states.map { ($0.id, $0.original?.info) }) { first, _ in first }
      .compactMapValues(\.self)
  }

  /// Reads all images before it decodes the first picture, because decoding takes longer.
  private func presentDrawnImages(
    matching query: ImageQuery,
    _ request: ListImages.FetchImages.Request,
    in grid: ListImages.FetchImages.Grid
  ) async throws(RequestFailure) {
    var originals: [Int64: PictureInfo]?
    let end = try await readImages(matching: query, request) { batch, stored in
      images += batch
      if let stored { originals = stored.merging(originals ?? [:]) { first, _ in first } }
    }
    var rest = images[...]
    var row: [DecodedPixels?] = []
    do throws(ImagingError) {
      try await thumbnails.decode(images, fitting: grid.room) { pixels in
        row.append(pixels)
        guard row.count == min(grid.count, rest.count) else { return }
        let drawn = Array(rest.prefix(row.count))
        presenter.presentFetchedImages(
          response: .init(images: drawn, thumbnails: row, originals: originals)
        )
        rest = rest.dropFirst(row.count)
        row = []
      }
    } catch {
      presenter.presentUndrawnImages(response: .init(reason: error))
      presenter.presentFetchedImages(response: .init(images: Array(rest), originals: originals))
    }
    presenter.presentEndedFetch(response: end)
  }

  private func cursor(
    behind id: Int64?,
    _ query: ImageQuery
  ) async throws(StoreError) -> ImageCursor? {
    guard let id, query.order != .random else { return nil }
    return try await library.cursor(behind: id, in: query.order)
  }

  /// Lets the originals count as not stored whose folders are not there now; no file is looked up.
  ///
  /// - Parameters:
  ///   - images: The images.
  ///   - folders: Whether the folder of a feed is away, by the ids of all feeds so far; each is looked at once.
  private func leaveOutAwayOriginals(
    of images: inout [WebImage],
    _ folders: inout [Int64: Bool]
  ) async {
    for index in images.indices {
      let id = images[index].feed.id
      if folders[id] == nil {
        let address = images[index].feed.address
        folders[id] = false
        if address.isFolder { folders[id] = await isAway(address) }
      }
      if folders[id] == true { images[index].original = .missing }
    }
  }

  /// Passes the images of the page to `body`, in batches, with the facts that the request asks for.
  private func readImages(
    matching query: ImageQuery,
    _ request: ListImages.FetchImages.Request,
    _ body: ([WebImage], [Int64: PictureInfo]?) async throws(StoreError) -> Void
  ) async throws(RequestFailure) -> ListImages.FetchImages.Ended.Response {
    let allPinned = request.hasFacts && !request.hasPins ? try await pinnedIDs() : []
    var (failures, folders): ([FailureGroup], [Int64: Bool]) = ([], [:])
    do {
      let found = try await library.imageIDs(matching: query)
      let wanted = found.prefix(max(request.query.limit ?? found.count, 0))
      for start in stride(from: 0, to: wanted.count, by: Self.imagesPerBatch) {
        let ids = wanted.dropFirst(start).prefix(Self.imagesPerBatch)
        var images = try await library.images(ids: Array(ids))
        await leaveOutAwayOriginals(of: &images, &folders)
        for failure in images.lazy.flatMap(\.failures) { failures.add(failure) }
        if images.isEmpty { continue }
        let pinned = request.hasPins ? try await pinnedIDs(of: images) : allPinned
        for index in images.indices where !pinned.isEmpty {
          images[index].isPinned = pinned.contains(images[index].id)
        }
        try await body(images, request.hasFacts ? try await originals(of: images) : nil)
      }
      return .init(
        count: wanted.count,
        nextOffset: wanted.count < found.count ? query.offset.adding(wanted.count) : nil,
        next: wanted.count < found.count ? try await cursor(behind: wanted.last, query) : nil,
        failures: failures,
        isLibraryEmpty: found.isEmpty && query.matchesAll,
        cameraSearch: found.isEmpty ? query.searchForCamera : nil,
        skipped: found.isEmpty ? try await library.skipped(by: query) : nil
      )
    } catch {
      throw .library(error, .list)
    }
  }
}
