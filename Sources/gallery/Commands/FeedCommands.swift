import ArgumentParser
import Scenes
import Settings
import Terminal
import Workers

struct FeedsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    abstract: "List the feeds that you follow, or change one.",
    usage: "gallery feeds [<options>]",
    discussion: """
      Never uses the network. Through a pipe a line a feed, separated by tabs: id, title, address, format, images, last \
      sync (ISO 8601, UTC), status, problem.

        gallery feeds --opml > feeds.opml

      gives a list that other programs understand, and 'gallery sync feeds.opml' too.
      """,
    subcommands: [FeedsSetCommand.self]
  )

  @Flag(help: "Print the list as OPML, for other programs; secrets in addresses are masked.")
  var opml = false

  @Flag(
    help:
      "List IIIF manifests instead: feed, title, address, images; 'list --feed' takes one."
  )
  var manifests = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if opml, manifests { throw ValidationError("--opml and --manifests exclude each other") }
    if opml, common.json { throw ValidationError("--opml and --json exclude each other") }
  }

  func run() async throws {
    let run = CommandRun(common, endsWithOutput: true)
    let (interactor, display) = run.listFeeds(asOPML: opml)
    if manifests {
      await interactor.fetchManifests()
    } else {
      await interactor.fetchFeeds()
    }
    try await run.end(display.outcome)
  }
}

struct FeedsSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change the settings of feeds.",
    usage: "gallery feeds set [<options>] <feed> ...",
    discussion: """
      The title replaces the feed's own in every list and search, and names the feed in every \
      command. An empty one restores the feed's own title.

        gallery feeds set 2 --title NASA
        gallery list --feed NASA
        gallery feeds set NASA --title ""
        gallery feeds set 2 --every 30m
        gallery feeds set 2 --every auto
        gallery feeds set 2 --keep 500 --keep-originals 100
        gallery feeds set 2 --images front
      """
  )

  @Argument(
    help: ArgumentHelp("The feeds: id, title, address or path of each.", valueName: "feed"),
    completion: LibraryCompletion.feeds
  )
  var feeds: [String]

  @OptionGroup var options: FeedChangeOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if options.change == FeedChange() {
      throw ValidationError(
        "name a setting to change: --title, --every, --keep, --keep-originals or --images"
      )
    }
    if FeedArguments.feeds(named: feeds).count > 1, options.change.title != nil {
      throw ValidationError("--title is for one feed, and the other settings for several")
    }
  }

  func run() async throws {
    let run = CommandRun(common)
    let (interactor, display) = run.listFeeds()
    for feed in FeedArguments.feeds(named: feeds) {
      await interactor.changeFeed(request: .init(feed: feed, change: options.change))
    }
    try await run.end(display.outcome)
  }
}

struct RemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Stop following feeds and hide their images.",
    usage: "gallery remove [<options>] <feed> ...",
    discussion: """
      Nothing is deleted: syncing the same address again brings the images back under the same ids. \
      With --purge they are deleted, and so are the originals that no other feed has.

        gallery remove 2
        gallery remove 3 4
        gallery remove 5-8
        gallery remove https://www.nasa.gov/feeds/iotd-feed/ --purge
      """
  )

  @Argument(
    help: ArgumentHelp("The feeds: id, title, address or path of each.", valueName: "feed"),
    completion: LibraryCompletion.feeds
  )
  var feeds: [String]

  @Flag(help: "Delete the feeds' images, too.")
  var purge = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common)
    let (interactor, display) = run.listFeeds()
    for feed in FeedArguments.feeds(named: feeds) {
      await interactor.removeFeed(request: .init(feed: feed, isPurging: purge))
    }
    try await run.end(display.outcome)
  }
}
