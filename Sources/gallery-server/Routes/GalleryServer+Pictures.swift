import Composition
import HTTPTypes
import Hummingbird
import Models
import PictureFiles
import Scenes
import Web
import Workers

/// Pictures by their hash, which are immutable, and pictures by chance.
extension GalleryServer {
  func addPictures(to routes: Routes) {
    routes.get("/t/:hash") { request, context in try await thumbnail(request, context) }
    routes.get("/api/v1/thumbnails") { request, context in
      try await thumbnails(request, context)
    }
    routes.get("/o/:hash") { request, context in try await original(request, context) }
    routes.get("/images/:id/original") { request, context in
      try await arrivingOriginal(
        of: id(in: context),
        context,
        isForElement: isForElement(request)
      )
    }
    routes.get("/random") { request, context in try await randomPicture(request, context) }
  }

  /// Whether an element of a page asks, which shows the picture.
  private func isForElement(_ request: Request) -> Bool {
    request.headers[.accept]?.hasPrefix("image/") == true
  }

  /// The fields of a picture; they prevent scripts in it from running.
  ///
  /// A browser opens a picture in a page of its own, whose styles place and enlarge it. A document could have styles of
  /// others.
  private static func pictureFields(isDocument: Bool) -> HTTPFields {
    var fields: HTTPFields = [
      .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      .xContentTypeOptions: "nosniff",
      .acceptRanges: "bytes",
    ]
    if isDocument {
      fields[.contentSecurityPolicy] = "default-src 'none'; sandbox"
      fields[.contentDisposition] = "attachment"
    }
    return fields
  }

  func hash(in context: ServerContext) throws(WebProblem) -> SHA256Digest {
    guard let text = context.parameters.get("hash"),
      let hash = SHA256Digest(hexadecimal: text)
    else { throw Self.notFound }
    return hash
  }

  private func thumbnail(_ request: Request, _ context: ServerContext) async throws -> Response {
    let hash = try await visibleHash(in: context)
    guard let picture = try await root.library.thumbnail(hash) else { throw Self.notFound }
    var bytes = picture.bytes
    var stored = StoredPicture(
      hash: hash.hexadecimal,
      format: picture.format,
      length: bytes.count
    )
    switch place(in: bytes) {
    case .none: break
    case .removable(let copy, let digest): (bytes, stored.copyDigest) = (copy, digest)
    case .notRemovable:
      throw WebProblem.forbidden(
        "this server sends pictures without the places where they were taken, which it cannot remove"
          + " from this thumbnail"
      )
    }
    return answer(stored, request) { ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[$0])) }
  }

  /// Whether a thumbnail tells a place that this server removes.
  ///
  /// A sync stores none that does, but earlier versions did; `verify --repair` removes their places for good.
  private func place(in thumbnail: [UInt8]) -> PlaceFinding {
    settings.removesPlaces ? PlaceFinding(in: thumbnail) : .none
  }

  /// Several thumbnails, one after another in the order of the requested hashes; thumbnails that are not stored are
  /// skipped.
  ///
  /// A client knows the length of each from the changes. So a distant mirror fetches a hundred thumbnails with one
  /// request. One that tells a place is skipped, too, because a copy without it has another hash.
  private func thumbnails(_ request: Request, _ context: ServerContext) async throws -> Response {
    var hashes = try thumbnailHashes(of: request)
    if !context.access.part.isWhole {
      let visible = try await visibleImages(withPictures: hashes, context)
      hashes.removeAll { visible[$0] == nil }
    }
    var body = ByteBuffer()
    for picture in try await root.library.thumbnails(hashes)
    where body.readableBytes + picture.bytes.count <= Limits.thumbnailBytesPerAnswer
      && place(in: picture.bytes) == .none
    {
      body.writeBytes(picture.bytes)
    }
    return Self.unstored("application/octet-stream", ResponseBody(byteBuffer: body))
  }

  private func thumbnailHashes(of request: Request) throws(WebProblem) -> [SHA256Digest] {
    let list = request.uri.queryParameters["hashes"] ?? ""
    let hashes = list.split(separator: ",", maxSplits: Limits.thumbnailsPerAnswer)
      .compactMap { SHA256Digest(hexadecimal: String($0)) }
    guard !hashes.isEmpty, hashes.count <= Limits.thumbnailsPerAnswer,
      list.utf8.count == hashes.count * 65 - 1
    else {
      throw .misused(
        "'hashes' are 1 to \(Limits.thumbnailsPerAnswer) SHA-256 hashes with commas between them"
      )
    }
    return hashes
  }

  /// Answers with all bytes, with a range (RFC 9110, section 14), or with 304 if the client has them.
  func answer(
    _ picture: StoredPicture,
    _ request: Request,
    _ body: (Range<Int>) throws -> ResponseBody
  ) rethrows -> Response {
    var fields = Self.pictureFields(isDocument: picture.isDocument)
    fields[.eTag] = picture.entityTag
    fields[.cacheControl] =
      picture.copyDigest == nil ? "private, max-age=31536000, immutable" : "private, no-cache"
    if isKnown(picture.entityTag, by: request) {
      return Response(status: .notModified, headers: fields)
    }
    fields[.contentType] = picture.format?.mediaType ?? "application/octet-stream"
    switch ByteRange(request, picture) {
    case .whole:
      return Response(status: .ok, headers: fields, body: try body(0..<picture.length))
    case .part(let range):
      let last = range.upperBound - 1
      fields[.contentRange] = "bytes \(range.lowerBound)-\(last)/\(picture.length)"
      return Response(status: .partialContent, headers: fields, body: try body(range))
    case .unsatisfiable:
      fields[.contentRange] = "bytes */\(picture.length)"
      return Response(status: .rangeNotSatisfiable, headers: fields)
    }
  }

  /// Makes an answer that must not be stored, and that does not support ranges.
  static func unstored(
    _ mediaType: String,
    _ body: ResponseBody,
    isDocument: Bool = false
  ) -> Response {
    var fields = pictureFields(isDocument: isDocument)
    fields[.acceptRanges] = nil
    fields[.cacheControl] = "no-store"
    fields[.contentType] = mediaType
    return Response(status: .ok, headers: fields, body: body)
  }

  /// Redirects to a picture of the list, or describes it to a program that accepts JSON.
  private func randomPicture(
    _ request: Request,
    _ context: ServerContext
  ) async throws -> Response {
    let picture = try await randomPicture(
      of: list(of: request, context),
      isForElement: isForElement(request),
      context
    )
    guard let picture else {
      throw WebProblem(status: 404, title: "No picture is stored that this list has")
    }
    var response: Response
    if request.headers[.accept]?.contains("application/json") == true {
      response = Self.json(JSONLine.lines([picture.record]), for: request)
    } else {
      response = Response(status: .seeOther, headers: [.location: picture.address])
    }
    response.headers[.vary] = "Accept"
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// A random picture of a list, the original if it is stored and may be sent; nil when no stored picture was found.
  func randomPicture(
    of list: ListAddress,
    isForElement: Bool,
    _ context: ServerContext
  ) async throws -> FramePage.Picture? {
    let ids = try await imageIDs(of: list, context)
    for _ in 0..<Limits.randomTries {
      guard let id = ids.randomElement(),
        let tile = try await root.library.tiles(ids: [id]).first
      else { continue }
      var picture = tile.thumbnail.map { "/t/\($0.hexadecimal)" }
      if tile.isOriginalStored, let original = try await root.library.original(imageID: id),
        !settings.removesPlaces || PlaceRemoval.formats.contains(original.info.format)
      {
        picture = await path(ofStored: original.sha256, isForElement: isForElement, context)
      }
      guard let address = picture else { continue }
      return FramePage.Picture(
        id: id,
        address: context.carrying(context.reach.pagePath + address),
        title: tile.name ?? "Image \(id)",
        page: "\(context.reach.pagePath)/images/\(id)"
      )
    }
    return nil
  }

  /// The ids of the images of a list, when it is the client's turn; empty while there is no library.
  func imageIDs(
    of list: ListAddress,
    _ context: ServerContext
  ) async throws -> [Int64] {
    do {
      return try await readings.run(for: context.client) {
        try await root.timelines.buckets(of: list.query(limit: nil)).ids
      }
    } catch let error as StoreError where error.reason == .noLibrary {
      return []
    }
  }
}

/// A stored picture or pack, with the facts that its answer needs.
struct StoredPicture {
  var hash: String
  /// Nil for a pack.
  var format: ImageFormat?
  /// The length in bytes.
  var length: Int
  /// Of a copy without the place, which differs from what the hash is of: what tells it from other copies.
  var copyDigest: UInt64?

  /// A strong entity tag: the content of a hash never changes, but a later version of the program may remove more from a
  /// copy, so caches have to ask for it each time.
  var entityTag: String {
    guard let copyDigest else { return "\"\(hash)\"" }
    return "\"\(hash)\(GalleryAddress.tagWithoutPlace)-\(String(copyDigest, radix: 16))\""
  }

  /// Whether a browser could run its content.
  var isDocument: Bool { format == .svg }
}

extension ByteRange {
  /// Several ranges, other units, and a range of another version (`If-Range`) count as no range.
  init(_ request: Request, _ picture: StoredPicture) {
    let condition = request.headers[.ifRange]
    let counts = condition == nil || condition == picture.entityTag
    self.init(counts ? request.headers[.range] ?? "" : "", length: picture.length)
  }
}
