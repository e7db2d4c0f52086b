import ArgumentParser
import Scenes
import Terminal

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    _superCommandName: GalleryCommand.name,
    abstract: "Delete what nothing refers to.",
    discussion: """
      Deletes what removed feeds have left, originals that were replaced by newer ones, files that \
      the library does not know, and partial downloads that nobody has touched for a week. Nothing \
      that 'list' or 'show' shows is touched.

        gallery clean --dry-run
        gallery clean
      """
  )

  @Flag(help: "Tell what would be deleted, and delete nothing.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let gallery = Gallery(common)
    let (scene, display) = gallery.checkLibrary()
    scene.interactor.cleanLibrary(request: .init(isRehearsal: dryRun))
    try gallery.end(display.outcome)
  }
}
