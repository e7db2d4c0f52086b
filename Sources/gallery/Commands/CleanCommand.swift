import ArgumentParser
import Composition
import Scenes
import Terminal
import Workers

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Move what nothing refers to into the trash.",
    discussion: """
      Removes what removed feeds have left, originals that were replaced by newer ones, files that \
      the library does not know, and partial downloads that no command has touched for a week. It \
      touches nothing that 'list' or 'show' shows.

      Files stay in the library's trash/ for 7 days, with the same names, so that you can put them \
      back; the first cleaning after that deletes them. A library that fails its check is not \
      cleaned, and no link is followed.

        gallery clean --dry-run
        gallery clean
        gallery clean --now
      """
  )

  @Flag(help: "Print what would be removed, and remove nothing.")
  var dryRun = false

  @Flag(help: "Delete at once, and delete also what is in the trash.")
  var now = false

  @Flag(help: "Accept from now on that originals/ is a link to another folder.")
  var linkedOriginals = false

  @OptionGroup var objects: ObjectOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common) { $0.objects = objects.store }
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
