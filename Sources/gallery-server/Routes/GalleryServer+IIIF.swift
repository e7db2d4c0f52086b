import Composition
import HTTPTypes
import Hummingbird
import Models
import Scenes
import Web
import Workers

/// Stored originals through the IIIF Image API 3.0 (https://iiif.io/api/image/3.0/); the decoder renders them.
extension GalleryServer {
  func addImageAPI(to routes: Routes) {
    routes.get("/iiif/image/:hash") { request, context in
      let hash = try await visibleHash(in: context).hexadecimal
      return Response(
        status: .seeOther,
        headers: [
          .location: "\(context.reach.pagePath)\(imagePath(for: context))/\(hash)/info.json"
        ]
      )
    }
    routes.get("/iiif/image/:hash/info.json") { request, context in
      try await information(request, context)
    }
    routes.get("/iiif/image/:hash/:region/:size/:rotation/:file") { request, context in
      try await rendering(request, context)
    }
  }

  private func original(_ context: ServerContext) async throws -> StoredOriginal {
    let hash = try await visibleHash(in: context)
    if let original = try await root.library.original(hash) { return original }
    // Waits for the whole original, because a rendering needs all of it.
    await root.bringBack(hash)
    guard let original = try await root.library.original(hash) else { throw Self.notFound }
    return original
  }

  /// Lets a decoder work for a request, when it is the client's turn.
  private func decode<Value: Sendable>(
    for context: ServerContext,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await renderings.run(for: context, work)
    } catch let error as IIIFError {
      throw Self.problem(error)
    } catch let error as ImagingError {
      throw Self.problem(error)
    } catch is CancellationError {
      throw Self.problem(ImagingError.cancelled)
    }
  }

  private func information(
    _ request: Request,
    _ context: ServerContext
  ) async throws -> Response {
    let original = try await original(context)
    let (width, height) = try await decode(for: context) {
      try await root.renderer.inspect(original.picture).upright
    }
    let document = IIIFInformation(
      address: "\(imageServices(for: context))/\(original.sha256)",
      width: width,
      height: height
    )
    return Self.json(document.json, for: request, type: IIIFInformation.mediaType)
  }

  private func rendering(_ request: Request, _ context: ServerContext) async throws -> Response {
    let original = try await original(context)
    let parts = ["region", "size", "rotation", "file"].map { name in
      PercentEncoding.decode(context.parameters.get(name) ?? "")
    }
    // A comma would end the entity tag in a list of tags.
    let name = parts.joined(separator: "/").replacing(",", with: ";")
    let tag = "\"\(original.sha256)/\(PercentEncoding.encode(name))\""
    if isKnown(tag, by: request) { return Self.notModified(tag) }
    let rendered = try await decode(for: context) {
      try await self.rendered(original, parts)
    }
    let canonical = "\(imageServices(for: context))/\(original.sha256)/\(rendered.path)"
    return Response(
      status: .ok,
      headers: [
        .contentType: rendered.type, .eTag: tag,
        .cacheControl: "private, max-age=31536000, immutable",
        .contentSecurityPolicy: "default-src 'none'; sandbox",
        .link: "<\(canonical)>; rel=\"canonical\"",
      ],
      body: .init(byteBuffer: ByteBuffer(bytes: rendered.bytes))
    )
  }

  /// The picture that the components of a path describe, its media type, and the canonical form of the components.
  private func rendered(
    _ original: StoredOriginal,
    _ parts: [String]
  ) async throws -> (bytes: [UInt8], type: String, path: String) {
    let wanted = try IIIFRequest(
      region: parts[0],
      size: parts[1],
      rotation: parts[2],
      file: parts[3]
    )
    let source = original.picture
    let (width, height) = try await root.renderer.inspect(source).upright
    let rendering = try wanted.rendering(ofWidth: width, height: height)
    let path = try wanted.canonical(ofWidth: width, height: height)
    let bytes = try await root.renderer.rendered(source, rendering)
    return (bytes, rendering.encoding.format.mediaType, path)
  }

  private static func problem(_ error: IIIFError) -> WebProblem {
    switch error {
    case .invalid(let parameter):
      .misused(
        "the \(parameter.rawValue) is not one of the IIIF Image API, or has no pixel of the picture"
      )
    case .upscaling:
      WebProblem(status: 501, title: "Not implemented", detail: "pictures are not enlarged")
    }
  }

  static func problem(_ error: ImagingError) -> WebProblem {
    let status =
      switch error {
      case .unreadable: 404
      case .resultTooLarge: 400
      case .noDecoder, .cannotStart, .cancelled: 503
      case .timedOut: 504
      default: 501
      }
    let message = WebMessage("\(Wording.reason(error))", isOfLibrary: error.namesFiles)
    return WebProblem(
      status: status,
      title: "No picture",
      detail: message.text,
      cause: message.cause
    )
  }
}
