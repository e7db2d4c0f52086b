import Foundation
import GalleryFeeds

@main
struct ListPictures {
  static func main() async throws {
    let body = AsyncThrowingStream {
      try FileHandle.standardInput.read(upToCount: 65_536).map(Array.init)
    }
    for try await event in FeedReader().events(in: body, from: CommandLine.arguments[1]) {
      switch event {
      case .entry(let entry):
        for image in entry.images { print(image.original, image.title ?? "", image.licence ?? "") }
      case .end(let document): describe(document)
      }
    }
  }

  static func describe(_ document: FeedDocument) {
    print(document.title ?? "a feed without a title", "is", document.format)
    for problem in document.problems { print(problem) }
    switch document.continuation {
    case .none: break
    case .nextPage(let page): print("goes on at", page)
    case .members(let addresses), .feeds(let addresses): for address in addresses { print(address) }
    }
  }
}
