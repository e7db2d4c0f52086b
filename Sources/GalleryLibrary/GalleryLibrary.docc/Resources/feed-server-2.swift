import Foundation
import GalleryLibrary

@main
struct FeedServer {
  struct Page: Encodable {
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

    let page = try await library.images(matching: ImageQuery(feed: String(feed.id), limit: 50))
    let images = page.images.map { image in
      let thumbnail = image.hasThumbnail ? "/thumbnails/\(image.id)" : nil
      return Image(title: image.title, published: image.published, thumbnail: thumbnail)
    }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = try encoder.encode(Page(images: images, next: page.next?.after))
    print(String(decoding: json, as: UTF8.self))
    try await library.close()
  }
}
