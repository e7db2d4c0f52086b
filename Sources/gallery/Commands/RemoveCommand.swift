import ArgumentParser
import Scenes
import Terminal
import Workers

struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Stop following a feed and hide its images.",
    discussion: """
      Nothing is deleted: syncing the same address again brings the images back under the same ids. \
      With --purge they are deleted, and so are the originals that no other feed has.

        gallery remove 2
        gallery remove https://example.com/photos.xml --purge
      """
  )

  @Argument(
    help: ArgumentHelp("The feed: its id, title, address or path.", valueName: "feed"),
    completion: LibraryCompletion.feeds
  )
  var feed: String

  @Flag(help: "Delete the feed's images, too.")
  var purge = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common)
    let (interactor, display) = run.listFeeds()
    let argument = FeedArguments.feed(named: feed)
    await interactor.removeFeed(request: .init(feed: argument, isPurging: purge))
    try await run.end(display.outcome)
  }
}
