import Foundation
import GalleryLibrary
import Hummingbird

/// Serves a feed as JSON, and its thumbnails, which are there without its server.
///
/// The arguments are the library, the feed and a port.
@main
struct FeedServer {
  struct Page: ResponseEncodable {
    var images: [Image]
    var next: String?
  }

  struct Image: Encodable {
    var title: String?
    var published: Date?
    var thumbnail: String?
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    let library = try await ImageLibrary(at: arguments[1])
    var found: LibraryFeed?
    for try await event in library.sync([arguments[2]]) {
      if case .feed(let result) = event { found = result.feed }
    }
    guard let feed = found else { return print("no feed at", arguments[2]) }

    let router = Router()
    router.get("images") { request, _ in
      var query = ImageQuery(feed: String(feed.id), limit: 50)
      query.after = request.uri.queryParameters.get("after")
      let page = try await library.images(matching: query)
      let images = page.images.map { image in
        let thumbnail = image.hasThumbnail ? "/thumbnails/\(image.id)" : nil
        return Image(title: image.title, published: image.published, thumbnail: thumbnail)
      }
      return Page(images: images, next: page.next?.after)
    }
    router.get("thumbnails/:id") { _, context in
      let id = try context.parameters.require("id", as: Int64.self)
      guard try await library.image(id)?.feedID == feed.id,
        let thumbnail = try await library.thumbnail(id)
      else { throw HTTPError(.notFound) }
      return Response(
        status: .ok,
        headers: [.contentType: thumbnail.mediaType],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: thumbnail.bytes))
      )
    }
    let address = BindAddress.hostname("127.0.0.1", port: Int(arguments[3]) ?? 8080)
    try await Application(router: router, configuration: .init(address: address)).runService()
    try await library.close()
  }
}
