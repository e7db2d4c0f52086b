import Composition
import HTTPTypes
import Hummingbird
import Models
import PictureFiles
import Scenes
import Web
import Workers

/// Stored originals by their hash, and originals while they arrive.
extension GalleryServer {
  func original(_ request: Request, _ context: ServerContext) async throws -> Response {
    let hash = try await visibleHash(in: context)
    // Before the look-up: a change that overtakes it outdates what it finds.
    let mark = kept.mark
    guard let original = try await root.library.original(hash) else {
      return try await awayOriginal(hash, request, context)
    }
    var picture = StoredPicture(
      hash: original.sha256,
      format: original.info.format,
      length: original.info.bytes
    )
    let file = try await OpenFile.of(original)
    let removal = settings.removesPlaces ? try await removal(from: file, original, context) : nil
    if let removal, !removal.isEmpty { picture.copyDigest = removal.digest }
    // A file that its owner may change is checked after the last byte is read.
    if let mark, removal == nil, !original.isInPlace,
      let found = try await KeptFile.of(file, at: original.path, length: original.info.bytes)
    {
      kept.note(found, for: kept.paths.original(original.sha256), at: mark)
    }
    let isChecked = original.isInPlace || removal != nil
    context.answer.goInPieces()
    return answer(picture, request) { range in
      file.body(
        range,
        on: context.eventLoop,
        without: removal,
        while: { isChecked ? try await file.isStillAsOpened() : true },
        whenSent: { await root.noteLook(at: original) }
      )
    }
  }

  /// What removes the place from an original; to search one takes as long as a rendering, and counts as one.
  private func removal(
    from file: OpenFile,
    _ original: StoredOriginal,
    _ context: ServerContext
  ) async throws -> PlaceRemoval {
    if let known = try removals.known(for: file, original) { return known }
    do {
      return try await renderings.run(for: context) {
        try await removals.removal(from: file, original)
      }
    } catch is CancellationError {
      throw Self.problem(ImagingError.cancelled)
    }
  }

  /// An original that only the object store has: redirects to the store, or sends the original while it comes back.
  ///
  /// The store has originals with their places, so none is sent from there if places are removed.
  ///
  /// A script of a page must not read responses of another server, so it gets the original from this one (Fetch,
  /// `CORS`).
  private func awayOriginal(
    _ hash: SHA256Digest,
    _ request: Request,
    _ context: ServerContext
  ) async throws -> Response {
    guard var id = try await root.image(withAwayOriginal: hash) else {
      var problem = Self.notFound
      problem.detail = "no file has this content now: it is missing, or has changed"
      throw problem
    }
    if !context.access.part.isWhole {
      id = try await visibleImages(withPictures: [hash], context)[hash] ?? id
    }
    let mode = request.headers[.secFetchMode]
    guard settings.redirectsOriginals, !settings.removesPlaces,
      mode != "cors", mode != "same-origin",
      let address = root.objectAddress(of: hash)
    else {
      // A request for the fields alone, such as that of a cache in front, fetches nothing.
      if request.method == .head {
        return Self.unstored("application/octet-stream", ResponseBody())
      }
      return try await arrivingOriginal(of: id, context)
    }
    return Response(
      status: .temporaryRedirect,
      headers: [.location: address.text, .cacheControl: "no-store"]
    )
  }

  /// The original: a redirect to its hash if it is stored, or else its bytes while they arrive from the feed's server.
  ///
  /// If places are removed, it is stored first.
  func arrivingOriginal(
    of id: Int64,
    _ context: ServerContext,
    isForElement: Bool = false
  ) async throws -> Response {
    let stop = StopRequest()
    let arrival = OriginalArrival()
    let presenter = ArrivingOriginalPresenter(arrival, among: arriving)
    Task {
      arriving.begin(id)
      defer { arriving.end(id) }
      do {
        try await show(id, context, presenter) { interactor in
          await interactor.fetchOriginal(request: .init(stop: stop))
        }
        arrival.end(with: WebProblem(status: 500, title: "The original did not come"))
      } catch {
        arrival.end(with: AnswerMiddleware.problem(error))
      }
    }
    switch await arrival.beginning(isToBeWhole: settings.removesPlaces) {
    case .stored(let hash):
      let path = await path(ofStored: hash, isForElement: isForElement, context)
      return Response(
        status: .seeOther,
        headers: [
          .location: context.carrying("\(context.reach.pagePath)\(path)"),
          .cacheControl: "no-store",
        ]
      )
    case .failed(let problem): throw problem
    case .arriving(let format, let total):
      context.answer.goInPieces()
      let body = ResponseBody(contentLength: total) { writer in
        do {
          try await arrival.write(to: &writer, on: context.eventLoop)
          try await writer.finish(nil)
        } catch {
          // A client that disconnects ends the fetch; the next fetch resumes with the bytes that have arrived.
          stop.make()
          throw error
        }
      }
      return Self.unstored(format.mediaType, body, isDocument: format == .svg)
    }
  }

  /// The path of a stored original; for an element of a page, that of a rendering where browsers would turn it wrongly.
  ///
  /// Browsers ignore the orientation in the EXIF of WebP, which thumbnails follow.
  func path(
    ofStored hash: String,
    isForElement: Bool,
    _ context: ServerContext
  ) async -> String {
    let whole = "/o/\(hash)"
    guard isForElement, let digest = SHA256Digest(hexadecimal: hash),
      let original = try? await root.library.original(digest), original.info.format == .webP,
      let facts = try? await renderings.run(
        for: context,
        { try await root.renderer.inspect(original.picture) }
      ),
      facts.orientation != 1
    else { return whole }
    return "/iiif/image/\(hash)/full/max/0/default.\(facts.hasAlpha ? "png" : "jpg")"
  }
}
