import Foundation
import GalleryFeeds

@main
struct ListPictures {
  static func main() throws {
    let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
    let (entries, document) = try FeedReader().read(bytes, from: CommandLine.arguments[1])
    print(document.title ?? "a feed without a title", "is", document.format)
    for image in entries.flatMap(\.images) {
      print(image.original, image.title ?? "", image.licence ?? "")
    }
    for problem in document.problems { print(problem) }
    if !document.listsEverything { print("older pictures may have left the feed") }
  }
}
