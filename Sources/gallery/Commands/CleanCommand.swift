import ArgumentParser
import Scenes
import Terminal
import Workers

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Move what nothing refers to into the trash.",
    discussion: """
      Takes away what removed feeds have left, originals that were replaced by newer ones, files that \
      the library does not know, and partial downloads that nobody has touched for a week. Nothing \
      that 'list' or 'show' shows is touched.

      Files lie in the library's trash/ for 7 days first, below the same names, so that they can be \
      put back; the first cleaning after that deletes them. A library that fails its check is not \
      cleaned, and a link in the place of a folder is not followed.

        gallery clean --dry-run
        gallery clean
        gallery clean --now
      """
  )

  @Flag(help: "Tell what would be deleted, and delete nothing.")
  var dryRun = false

  @Flag(help: "Delete at once, and all that lies in the trash.")
  var now = false

  @Flag(help: "Accept from now on that originals/ is a link to another folder.")
  var linkedOriginals = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common)
    let (interactor, display) = run.checkLibrary()
    let plan = CleaningPlan(
      isRehearsal: dryRun,
      isImmediate: now,
      meansLinkedOriginals: linkedOriginals
    )
    await interactor.cleanLibrary(request: .init(plan))
    try await run.end(display.outcome)
  }
}
