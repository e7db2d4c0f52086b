import GalleryLibrary

@main
struct FeedServer {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let library = try await ImageLibrary(at: arguments[1])
    var found: LibraryFeed?
    for try await event in library.sync([arguments[2]]) {
      switch event {
      case .feed(let result): found = result.feed
      case .problem(let problem): print(problem.address, problem.error)
      case .progress, .notice: break
      }
    }
    guard let feed = found else { return print("no feed at", arguments[2]) }
    print(feed.imageCount, "images of", feed.title ?? feed.address)
    try await library.close()
  }
}
