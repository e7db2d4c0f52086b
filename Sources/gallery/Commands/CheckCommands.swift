import ArgumentParser
import Composition
import Scenes
import Settings
import Terminal
import Workers

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the library.",
    usage: "gallery status [<options>]",
    discussion: """
      Never uses the network. Prints how many feeds there are and how many of them fail, how much is stored and in how many \
      bytes, and how much of the library can be looked at without a network. With --verbose, it also says \
      which formats of pictures this machine draws.

        gallery status
        gallery status --json
      """
  )

  @OptionGroup var storage: StorageOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common, storage: storage)
    let (interactor, display) = run.checkLibrary()
    if common.verbose { await run.root.describeDecoder() }
    await interactor.describeLibrary()
    try await run.end(display.outcome)
  }
}

struct NodesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "Show which processes use the library.",
    usage: "gallery nodes [<options>]",
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

struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the library for damage.",
    usage: "gallery verify [<options>]",
    discussion: """
      Reads the database, every thumbnail and every original, and prints a line for each thing that \
      is wrong: '*' damaged, '-' missing, '!' cannot be read; '+' a file that nothing refers to, \
      which does no harm; '=' repaired. Ends with status 2 when something was wrong.

      A verification that was interrupted continues where it stopped.

        gallery verify
        gallery verify --repair
        gallery verify --cache /mnt/usb/gallery

      A backup is verified, too, and never written: 'gallery backup --verify' copies again what is damaged there.
      """
  )

  @Flag(help: "Fetch or make damaged and missing pictures again, and rebuild damaged indexes.")
  var repair = false

  @Flag(help: "Start from the beginning, not where an interrupted verification stopped.")
  var restart = false

  @OptionGroup var storage: StorageOptions
  @OptionGroup var certificates: CertificateOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(
      common,
      certificates: certificates,
      feeds: repair ? try .ofUser() : .init(),
      storage: storage
    )
    if repair { try await run.refuseBackup(for: .verify) }
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

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Move unused files into the trash.",
    usage: "gallery clean [<options>]",
    discussion: """
      Removes the files of removed feeds, originals that newer ones have replaced, files that the \
      library does not know, and partial downloads that no command has touched for a week. It keeps \
      everything that 'list' or 'show' shows.

      Files stay in the library's trash/ for 7 days, with the same names, so that you can put them \
      back; the first cleaning after that deletes them. A library that fails its check is not \
      cleaned, and no link is followed.

        gallery clean --dry-run
        gallery clean
        gallery clean --now
      """
  )

  @Flag(help: "Print the files that would be removed, but remove none.")
  var dryRun = false

  @Flag(help: "Delete the files at once, and empty the trash.")
  var now = false

  @Flag(help: "Accept from now on that originals/ is a link to another folder.")
  var linkedOriginals = false

  @OptionGroup var storage: StorageOptions
  @OptionGroup var certificates: CertificateOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let run = CommandRun(common, certificates: certificates, storage: storage)
    let interruption = Interruption()
    if !dryRun { await run.keepWithinBounds(until: interruption.stop) }
    let (interactor, display) = run.checkLibrary()
    let plan = CleaningPlan(
      isRehearsal: dryRun,
      isImmediate: now,
      meansLinkedOriginals: linkedOriginals
    )
    if !interruption.isReceived { await interactor.cleanLibrary(request: .init(plan)) }
    try await run.end(display.outcome, after: interruption)
  }
}
