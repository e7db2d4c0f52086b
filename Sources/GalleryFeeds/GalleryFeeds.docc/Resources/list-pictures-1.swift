import Foundation
import GalleryFeeds

@main
struct ListPictures {
  static func main() throws {
    let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
    let (entries, document) = try FeedReader().read(bytes, from: CommandLine.arguments[1])
    print(document.title ?? "a feed without a title")
    for image in entries.flatMap(\.images) { print(image.original) }
  }
}
