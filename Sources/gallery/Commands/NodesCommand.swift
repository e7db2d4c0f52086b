import ArgumentParser
import Composition
import Scenes
import Terminal

struct NodesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "Show which processes use the library, and what each of them syncs.",
    discussion: """
      Of a library in a folder, it shows the processes of this machine that sync; of one in a database, \
      those of all machines that have it open.

        gallery nodes
        gallery nodes --json
      """
  )

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common)
    let (interactor, display) = run.checkLibrary()
    await interactor.describeNodes()
    try await run.end(display.outcome)
  }
}
