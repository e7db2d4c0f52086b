import ArgumentParser
import Composition
import Scenes
import Settings
import Terminal
import Workers

struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that what is stored is still what was stored.",
    discussion: """
      Reads the database, every thumbnail and every original, and prints a line for each thing that \
      is wrong: '*' damaged, '-' missing, '!' cannot be read; '+' a file that nothing refers to, \
      which does no harm; '=' right again. Ends with status 2 when something was wrong.

      A verification that was interrupted continues where it stopped.

        gallery verify
        gallery verify --repair
      """
  )

  @Flag(help: "Fetch or make again what is damaged or missing; build damaged indexes again.")
  var repair = false

  @Flag(help: "Start from the beginning, not where an interrupted verification stopped.")
  var restart = false

  @OptionGroup var storage: StorageOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common, feeds: repair ? try .ofUser() : .init(), storage: storage)
    let interruption = Interruption()
    let (interactor, display) = run.checkLibrary()
    await interactor.verifyLibrary(
      request: .init(
        plan: VerificationPlan(isRepairing: repair, restarts: restart),
        stop: interruption.stop
      )
    )
    try await run.end(display.outcome, after: interruption)
  }
}
