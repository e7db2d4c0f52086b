import ArgumentParser
import Composition
import Models
import Scenes
import Settings
import Terminal
import Workers

struct FrameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "Show pictures one after another on the screen.",
    usage: "gallery frame [<options>]",
    discussion: """
      A slide show without text, for a picture frame. Space holds it, the arrow keys go to the next \
      picture and back, q ends it. With --stored it never asks the network. 'gallery serve' has the same for a browser, \
      at /frame.

        gallery frame
        gallery frame --search sea --landscape --seconds 30
        gallery frame --stored
      """
  )

  @OptionGroup var selection: ImageSelection

  @Option(help: ArgumentHelp("The order.", valueName: "order"))
  var sort: ImageQuery.Order = .random

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long each picture is shown, at least 2.", valueName: "n")
  )
  var seconds = 10

  @Flag(help: "Only images whose original is stored.")
  var stored = false

  @Flag(help: "Only images that are pinned.")
  var pinned = false

  @Flag(help: "Only images that are known to be wider than high.")
  var landscape = false

  @Flag(help: "Only images that are known to be higher than wide.")
  var portrait = false

  @OptionGroup var storage: StorageOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try WholeScreen.validate(common)
    if landscape, portrait {
      throw ValidationError("--landscape and --portrait exclude each other")
    }
    if seconds < 2 { throw ValidationError("--seconds must be at least 2") }
  }

  func run() async throws {
    let run = CommandRun(common, network: network, feeds: try .ofUser(), storage: storage)
    let interruption = Interruption()
    let screen = try WholeScreen(.auto, run)
    guard let graphics = screen.graphics else {
      screen.end()
      run.console.say(Wording.noDrawingLibrary)
      throw ExitStatus.code(of: .failed)
    }
    let show = SlideShow(
      terminal: screen.terminal,
      graphics: graphics,
      scenes: BrowseScenes(root: run.root),
      list: BrowsedList(query: query, feed: selection.argument),
      seconds: seconds,
      isOffline: stored,
      send: screen.send
    )
    try await screen.run(show.run, of: run, until: interruption)
  }

  private var query: ImageQuery {
    ImageQuery(
      order: sort,
      search: selection.search,
      isOriginalStored: stored ? true : nil,
      isPinned: pinned,
      shape: landscape ? .landscape : portrait ? .portrait : nil
    )
  }
}
