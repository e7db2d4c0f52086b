import ArgumentParser
import Scenes
import Terminal

struct FeedsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    _superCommandName: GalleryCommand.name,
    abstract: "List the feeds that are followed; never asks the network.",
    discussion: """
      Through a pipe a line a feed, separated by tabs: id, title, address, format, images, last \
      sync (ISO 8601, UTC), status, problem.

        gallery feeds --opml > feeds.opml

      gives a list that other programs understand, and 'gallery sync feeds.opml' too.
      """
  )

  @Flag(help: "Print the list as OPML, for other programs; secrets in addresses are masked.")
  var opml = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if opml, common.json { throw ValidationError("--opml and --json exclude each other") }
  }

  func run() async throws {
    let gallery = Gallery(common, whenOutputClosed: .end)
    let (scene, display) = gallery.listFeeds(asOPML: opml)
    scene.interactor.fetchFeeds()
    try gallery.end(display.outcome)
  }
}
