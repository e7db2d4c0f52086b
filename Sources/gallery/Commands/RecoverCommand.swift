import ArgumentParser
import Composition
import Scenes
import Terminal
import Workers

struct RecoverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Make a new library from what a damaged one still has.",
    usage: "gallery recover [<options>] <new-folder>",
    discussion: """
      Reads the damaged database page by page, without SQLite, and changes nothing in its folder. The \
      new library gets all rows that can be read, with their ids, the files of originals as links or \
      copies, and copies of the thumbnails. Then it is verified. Ends with status 2 when something is \
      lost, and says what.

        gallery recover ~/photos.new
        gallery --cache ~/photos recover ~/photos.new

      --cache names the damaged library; without it, that is the library of all commands.

      'gallery verify --repair' in the new library fetches or makes missing pictures again. A \
      database whose indexes alone are damaged needs no recovery, but 'gallery verify --repair'.
      """
  )

  @Argument(
    help: ArgumentHelp("The folder of the new library.", valueName: "new-folder"),
    completion: .directory
  )
  var folder: String

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let question = Synonym.question(aboutFolder: folder, of: "recover") {
      throw ValidationError(question)
    }
  }

  func run() async throws {
    let source = CommandRun(common)
    var others = common
    others.cache = folder
    let target = CommandRun(others)
    for run in [source, target] where run.root.location.database != nil {
      throw ValidationError("'\(run.root.location.name)' is no folder; only folders are recovered")
    }
    guard source.root.location != target.root.location,
      !source.root.location.overlaps(target.root.location)
    else {
      throw ValidationError(
        """
        '\(folder)' is for the new library, and overlaps the folder of the damaged one, '\(source.root.location.path)'; \
        name another
        """
      )
    }
    let interruption = Interruption()
    let (interactor, display) = source.recoverLibrary(to: target)
    guard await interactor.recoverLibrary(request: .init(stop: interruption.stop)) else {
      return try await source.end(display.outcome, after: interruption)
    }
    try await source.end(after: interruption)
    let (checker, checkDisplay) = target.checkLibrary()
    await SuggestedCommand.$library.withValue(folder) {
      await checker.verifyLibrary(
        request: .init(plan: VerificationPlan(restarts: true), stop: interruption.stop)
      )
    }
    try await target.end(display.outcome, checkDisplay.outcome, after: interruption)
  }
}
