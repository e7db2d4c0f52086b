import ArgumentParser
import Scenes
import Terminal

struct FeedsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    abstract: "List the feeds that are followed; never asks the network.",
    discussion: """
      Through a pipe a line a feed, separated by tabs: id, title, address, format, images, last \
      sync (ISO 8601, UTC), status, problem.
      """
  )

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let gallery = Gallery(common, whenOutputClosed: .end)
    let (scene, display) = gallery.listFeeds()
    scene.interactor.fetchFeeds()
    try gallery.end(display.outcome)
  }
}
