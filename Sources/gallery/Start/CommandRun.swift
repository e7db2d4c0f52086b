import ArgumentParser
import Composition
import FoundationEssentials
import Glibc
import Logging
import Models
import Scenes
import Settings
import Terminal
import Workers

/// One run of a command, with its workers and its console.
///
/// It chooses the presenter and the display of each scene: for people, for scripts, or for other programs.
struct CommandRun {
  let console: Console
  let root: CompositionRoot
  private let options: CommonOptions
  private let output: DescriptorSink

  /// - Parameters:
  ///   - options: The options of every command.
  ///   - network: The options of commands that ask servers.
  ///   - certificates: The user's certificate authorities, for commands without `network`.
  ///   - feeds: The user's settings of feeds.
  ///   - storage: The options of commands that store originals, or report the limits for them.
  ///   - endsWithOutput: Whether the command only writes output, and ends when its reader closes the pipe.
  ///   - adjust: Changes the settings for one particular command.
  init(
    _ options: CommonOptions,
    network: NetworkOptions? = nil,
    certificates: CertificateOptions? = nil,
    feeds: FeedSettings = FeedSettings(),
    storage: StorageOptions? = nil,
    endsWithOutput: Bool = false,
    _ adjust: (inout CompositionRoot.Settings) -> Void = { _ in }
  ) {
    self.options = options
    var settings = CompositionRoot.Settings(LibraryLocation(option: options.cache))
    settings.bounds = storage?.bounds ?? StorageBounds()
    settings.objects = storage?.objects.store
    settings.certificateFile = network?.cacert.map { HomePath.expanded($0) }
    settings.extraCertificates = (network?.certificates ?? certificates)?.certificates ?? []
    settings.feeds = feeds
    settings.logger = options.verbose ? Logger(label: "gallery") { _ in HarmlessLogHandler() } : nil
    adjust(&settings)
    settings.logger?.info("the library is \(settings.location.name)")
    root = CompositionRoot(settings)
    // A write to a closed pipe, or beyond the user's limit on files (setrlimit(2)), fails without ending the program.
    for failedWrite in [SIGPIPE, SIGXFSZ] { signal(failedWrite, SIG_IGN) }
    output = DescriptorSink(STDOUT_FILENO) { if endsWithOutput { exit(EXIT_SUCCESS) } }
    console = Self.console(options, output)
  }

  /// The standard streams as a console.
  private static func console(_ options: CommonOptions, _ output: DescriptorSink) -> Console {
    let options = Console.Options(
      outputColumns: TerminalWindow(descriptor: STDOUT_FILENO)?.columns,
      errorColumns: TerminalWindow(descriptor: STDERR_FILENO)?.columns,
      currentColumns: { TerminalWindow(descriptor: STDERR_FILENO)?.columns },
      hasStyles: TerminalEnvironment(options.environment).hasStyles,
      stylesPipes: options.color == .always,
      isQuiet: options.quiet,
      isVerbose: options.verbose
    )
    return Console(options: options, output: output, errors: DescriptorSink(STDERR_FILENO) {})
  }

  /// The value of `--cache`, or of what takes its place for a second library.
  var cache: String? { options.cache }

  /// The environment, with the user's wish for colours.
  var environment: [String: String] { options.environment }

  // MARK: Scenes

  /// A new display of a scene for scripts; nil for people.
  private var records: RecordDisplay? { options.json ? RecordDisplay(console: console) : nil }

  func syncFeeds() -> (interactor: any SyncFeedsBusinessLogic, display: any CommandDisplay) {
    if let records {
      return (root.syncFeeds(presenter: SyncFeedsJSONPresenter(display: records)), records)
    }
    let display = SyncFeedsTextDisplay(console: console)
    display.whenWatching = { SystemdNotification.send("STATUS=\($0)") }
    return (root.syncFeeds(presenter: SyncFeedsPresenter(display: display)), display)
  }

  /// The scene of a list without a route to other scenes.
  func listImages(
    grid: PictureGrid? = nil,
    nextPage: ((Int) -> String)? = nil,
    format: ListFormat? = nil
  ) -> (interactor: any ListImagesBusinessLogic, display: any CommandDisplay) {
    let (presenter, display) = listPresenter(grid: grid, nextPage: nextPage, format: format)
    return (root.listImages(presenter: presenter), display)
  }

  /// The scene of a list with a route to the scenes of its images; `show` makes the requests of each.
  func showImages(
    drawing: PictureDrawing? = nil,
    tellsMissing: Bool = false,
    _ show: @escaping (any ShowImageBusinessLogic) async -> Void
  ) -> (scene: ListImagesScene, display: any CommandDisplay, imageDisplay: any CommandDisplay) {
    let (listPresenter, display) = listPresenter(tellsMissing: tellsMissing)
    let (presenter, imageDisplay) = imagePresenter(drawing)
    let scene = root.showImages(
      listPresenter: listPresenter,
      presenter: presenter,
      opener: PictureViewer(),
      show
    )
    return (scene, display, imageDisplay)
  }

  /// - Parameters:
  ///   - grid: Draws thumbnails; nil for none.
  ///   - nextPage: The command that lists the page at an offset.
  ///   - format: The format of each image; nil for the default.
  ///   - tellsMissing: Whether scripts get an event for a missing image.
  /// - Returns: The presenter of a list, and its display.
  private func listPresenter(
    grid: PictureGrid? = nil,
    nextPage: ((Int) -> String)? = nil,
    format: ListFormat? = nil,
    tellsMissing: Bool = false
  ) -> (any ListImagesPresentationLogic, any CommandDisplay) {
    if options.json || format != nil {
      let display = RecordDisplay(console: console, format: format)
      let presenter = ListImagesJSONPresenter(
        display: display,
        tellsMissing: tellsMissing,
        file: root.file(of:)
      )
      return (presenter, display)
    }
    let display = ListImagesTextDisplay(console: console, grid: grid, nextPage: nextPage)
    return (ListImagesPresenter(display: display), display)
  }

  private func imagePresenter(
    _ drawing: PictureDrawing?
  ) -> (any ShowImagePresentationLogic, any CommandDisplay) {
    if let records { return (ShowImageJSONPresenter(display: records, tellsPlaces: true), records) }
    let display = ShowImageTextDisplay(console: console, makeArea: drawing.map { $0.makeArea })
    return (ShowImagePresenter(display: display), display)
  }

  func listFeeds(
    asOPML: Bool = false
  ) -> (interactor: any ListFeedsBusinessLogic, display: any CommandDisplay) {
    if let records {
      return (root.listFeeds(presenter: ListFeedsJSONPresenter(display: records)), records)
    }
    if asOPML {
      let display = ListFeedsOPMLDisplay(console: console, created: Wording.mailDate(Date()))
      return (root.listFeeds(presenter: ListFeedsPresenter(display: display)), display)
    }
    let display = ListFeedsTextDisplay(console: console)
    return (root.listFeeds(presenter: ListFeedsPresenter(display: display)), display)
  }

  func checkLibrary() -> (interactor: any CheckLibraryBusinessLogic, display: any CommandDisplay) {
    if let records {
      return (root.checkLibrary(presenter: CheckLibraryJSONPresenter(display: records)), records)
    }
    let display = CheckLibraryTextDisplay(console: console)
    return (root.checkLibrary(presenter: CheckLibraryPresenter(display: display)), display)
  }

  /// The scene that copies the library; `CompositionRoot.moveLibrary` explains the parameters.
  func moveLibrary(
    to other: CommandRun,
    for purpose: CopyPurpose,
    without isLeftOut: (tokens: Bool, settings: Bool),
    verified isVerified: Bool,
    another beginsAnother: Bool,
    acceptsRemovals: Bool
  ) -> (interactor: any MoveLibraryBusinessLogic, display: any CommandDisplay) {
    let (records, display) = (records, RunTextDisplay(console: console))
    let presenter: any RunPresentationLogic<MoveLibrary.Move> =
      if let records { RunJSONPresenter(display: records) } else { RunPresenter(display: display) }
    let interactor = root.moveLibrary(
      to: other.root,
      for: purpose,
      without: isLeftOut,
      verified: isVerified,
      another: beginsAnother,
      acceptsRemovals: acceptsRemovals,
      presenter: presenter
    )
    return (interactor, records ?? display)
  }

  func recoverLibrary(
    to other: CommandRun
  ) -> (interactor: RecoverLibraryInteractor, display: any CommandDisplay) {
    if let records {
      let presenter = RunJSONPresenter<RecoverLibrary.Recover>(display: records)
      return (root.recoverLibrary(to: other.root, presenter: presenter), records)
    }
    let display = RunTextDisplay(console: console)
    let presenter = RunPresenter<RecoverLibrary.Recover>(display: display)
    return (root.recoverLibrary(to: other.root, presenter: presenter), display)
  }

  func exportLibrary(
    site: any SiteMaking
  ) -> (interactor: any ExportLibraryBusinessLogic, display: any CommandDisplay) {
    if let records {
      let presenter = RunJSONPresenter<ExportLibrary.ExportSite>(display: records)
      return (root.exportLibrary(presenter: presenter, site: site), records)
    }
    let display = RunTextDisplay(console: console)
    let presenter = RunPresenter<ExportLibrary.ExportSite>(display: display)
    return (root.exportLibrary(presenter: presenter, site: site), display)
  }

  func exportFiles() -> (interactor: any ExportFilesBusinessLogic, display: any CommandDisplay) {
    if let records {
      return (root.exportFiles(presenter: ExportFilesJSONPresenter(display: records)), records)
    }
    let display = ExportFilesTextDisplay(console: console)
    return (root.exportFiles(presenter: ExportFilesPresenter(display: display)), display)
  }

  /// Ends the command with a message when the library is a backup, which it would change.
  func refuseBackup(for purpose: RequestFailure.Purpose) async throws {
    guard let refusal = await root.refusalOfBackup(for: purpose) else { return }
    let display: any CommandDisplay = records ?? RunTextDisplay(console: console)
    display.displayFailure(viewModel: refusal)
    try await end(refusal.outcome)
  }

  /// Lets originals give way to the bounds of the command, and says how many did.
  func keepWithinBounds(until stop: StopRequest? = nil) async {
    guard let text = await root.keepWithinBounds(until: stop), !options.quiet else { return }
    console.say(text)
  }

  /// The tools for drawing; nil when pictures are not drawn, in which case the terminal is not queried.
  func drawing(_ mode: PictureMode) -> PictureDrawing? {
    guard !options.json, !options.quiet else { return nil }
    let terminal = PictureTerminal(
      mode: mode,
      descriptor: STDOUT_FILENO,
      environment: options.environment
    )
    if terminal.lacksLibrary { console.say(Wording.noDrawingLibrary) }
    return PictureDrawing(on: terminal, console: console)
  }

  /// Ends the command with the combined outcome of its requests, or with the signal that interrupted it.
  func end(_ outcomes: Outcome?..., after interruption: Interruption? = nil) async throws {
    do throws(StoreError) {
      try await root.settle()
    } catch {
      console.say(Wording.unsettled(error))
      throw ExitStatus.code(of: .failed)
    }
    try interruption?.check()
    if let failure = output.failure {
      console.say(Wording.unwritableOutput(because: failure))
      throw ExitStatus.code(of: .failed)
    }
    let outcome = outcomes.compactMap(\.self).reduce(nil) { $0?.combined(with: $1) ?? $1 }
    let code = ExitStatus.code(of: outcome ?? .done)
    if !code.isSuccess { throw code }
  }
}
