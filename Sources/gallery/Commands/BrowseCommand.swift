import ArgumentParser
import Composition
import Models
import Scenes
import Settings
import Terminal
import Workers

struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Browse the library on the whole screen.",
    usage: "gallery browse [<options>]",
    discussion: """
      Shows the images as a grid of thumbnails. The arrow keys move, Enter shows an image, Escape goes \
      back to the same place, / searches, f lists the feeds, ? lists all keys, and q quits. \
      Changes by other programs, such as a sync, appear by themselves.

        gallery browse
        gallery browse --feed 2 --sort title
        gallery browse --search "evening clouds"
      """
  )

  @OptionGroup var selection: ImageSelection

  @Option(help: ArgumentHelp("The order.", valueName: "order"))
  var sort: ImageQuery.Order = .newest

  @Flag(help: "Show stored pictures only; use the network only for a sync that you begin.")
  var offline = false

  @OptionGroup var pictures: PictureOptions
  @OptionGroup var storage: StorageOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try WholeScreen.validate(common) }

  func run() async throws {
    let run = CommandRun(common, network: network, feeds: try .ofUser(), storage: storage)
    let interruption = Interruption()
    let screen = try WholeScreen(pictures.pictures, run)
    let browsing = BrowseScreen(window: ScreenThread.window, graphics: screen.graphics)
    let browser = Browser(
      screen: browsing,
      terminal: screen.terminal,
      scenes: BrowseScenes(root: run.root),
      list: BrowsedList(
        query: ImageQuery(order: sort, search: selection.search),
        feed: selection.argument
      ),
      feedName: selection.feed ?? "",
      isOffline: offline,
      send: screen.send
    )
    try await screen.run(browser.run, of: run, until: interruption)
  }
}
