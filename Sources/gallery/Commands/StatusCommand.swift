import ArgumentParser
import Composition
import Scenes
import Terminal

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Tell how things stand; never asks the network.",
    discussion: """
      Prints how many feeds there are and how many of them fail, how much is stored and in how many \
      bytes, and how much of the library can be looked at without a network.

        gallery status
        gallery status --json
      """
  )

  @OptionGroup var storage: StorageOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common, storage: storage)
    let (interactor, display) = run.checkLibrary()
    await interactor.describeLibrary()
    try await run.end(display.outcome)
  }
}
