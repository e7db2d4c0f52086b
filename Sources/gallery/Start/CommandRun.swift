import ArgumentParser
import Composition
import Foundation
import Glibc
import Logging
import Models
import Scenes
import Settings
import Terminal
import Workers

/// One run of a command: its workers and its console.
///
/// It chooses the presenter and the display of each scene: for people, for scripts, or for other
/// programs.
struct CommandRun {
  let console: Console
  private let options: CommonOptions
  private let output: DescriptorSink
  let root: CompositionRoot

  init(
    _ options: CommonOptions,
    network: NetworkOptions? = nil,
    feeds: FeedSettings = FeedSettings(),
    storage: StorageOptions? = nil,
    objects: ObjectOptions? = nil,
    tellers: [any NewImageTelling] = [],
    jobs: Int? = nil,
    pipes: [WebAddress: Int32] = [:],
    isTimed: Bool = false,
    whenOutputClosed: @escaping @Sendable () -> Void = {}
  ) {
    let environment = ProcessInfo.processInfo.environment
    var settings = CompositionRoot.Settings(LibraryLocation(option: options.cache))
    settings.tellers = tellers
    settings.bounds = storage?.bounds ?? StorageBounds()
    settings.objects = (objects ?? storage?.objects)?.store
    settings.jobs = jobs
    settings.certificateFile = network?.cacert
    settings.feeds = feeds
    settings.pipes = pipes
    settings.isTimed = isTimed
    settings.logger = Program.logger(isVerbose: options.verbose)
    settings.logger?.info("the library is \(settings.location.name)")
    root = CompositionRoot(settings)
    self.options = options
    output = Program.standardOutput(whenClosed: whenOutputClosed)
    console = Program.console(options, output: output, environment: environment)
  }

  /// Starts the network while the library is read; for commands that ask servers in any case.
  func prepareNetwork() { root.prepareNetwork() }

  func syncFeeds() -> (interactor: any SyncFeedsBusinessLogic, display: CommandDisplay) {
    if options.json {
      let display = RecordDisplay(console: console)
      return (root.syncFeeds(presenter: SyncFeedsJSONPresenter(display: display)), display)
    }
    let display = SyncFeedsTextDisplay(console: console)
    display.whenWatching = { SystemdNotification.send("STATUS=\($0)") }
    return (root.syncFeeds(presenter: SyncFeedsPresenter(display: display)), display)
  }

  /// The style of a list.
  struct ListStyle {
    var grid: PictureGrid?
    /// The command that lists the page at an offset.
    var nextPage: ((Int) -> String)?
    var format: ListFormat?
  }

  func listImages(
    navigation: any ListImagesNavigation,
    style: ListStyle = ListStyle()
  ) -> (scene: ListImagesScene, display: CommandDisplay) {
    if options.json || style.format != nil {
      let display = RecordDisplay(console: console, format: style.format)
      let presenter = ListImagesJSONPresenter(display: display)
      return (root.listImages(presenter: presenter, navigation: navigation), display)
    }
    let display = ListImagesTextDisplay(
      console: console,
      grid: style.grid,
      nextPage: style.nextPage
    )
    let presenter = ListImagesPresenter(display: display)
    return (root.listImages(presenter: presenter, navigation: navigation), display)
  }

  /// The function makes the scene of each image.
  func showImage(
    drawing: PictureDrawing? = nil
  ) -> (makeScene: () -> ShowImageScene, display: CommandDisplay) {
    let presenter: any ShowImagePresentationLogic
    let display: CommandDisplay
    if options.json {
      let records = RecordDisplay(console: console)
      (presenter, display) = (ShowImageJSONPresenter(display: records), records)
    } else {
      let text = ShowImageTextDisplay(console: console, makeArea: drawing.map { $0.makeArea })
      (presenter, display) = (ShowImagePresenter(display: text), text)
    }
    return ({ root.showImage(presenter: presenter, opener: PictureViewer()) }, display)
  }

  func listFeeds(
    asOPML: Bool = false
  ) -> (interactor: any ListFeedsBusinessLogic, display: CommandDisplay) {
    if options.json {
      let display = RecordDisplay(console: console)
      return (root.listFeeds(presenter: ListFeedsJSONPresenter(display: display)), display)
    }
    if asOPML {
      let display = ListFeedsOPMLDisplay(console: console, created: Wording.mailDate(Date()))
      return (root.listFeeds(presenter: ListFeedsPresenter(display: display)), display)
    }
    let display = ListFeedsTextDisplay(console: console)
    return (root.listFeeds(presenter: ListFeedsPresenter(display: display)), display)
  }

  func checkLibrary() -> (interactor: any CheckLibraryBusinessLogic, display: CommandDisplay) {
    if options.json {
      let display = RecordDisplay(console: console)
      return (root.checkLibrary(presenter: CheckLibraryJSONPresenter(display: display)), display)
    }
    let display = CheckLibraryTextDisplay(console: console)
    return (root.checkLibrary(presenter: CheckLibraryPresenter(display: display)), display)
  }

  func moveLibrary(
    to other: CommandRun
  ) -> (interactor: any MoveLibraryBusinessLogic, display: CommandDisplay) {
    if options.json {
      let display = RecordDisplay(console: console)
      let presenter = MoveLibraryJSONPresenter(display: display)
      return (root.moveLibrary(to: other.root, presenter: presenter), display)
    }
    let display = MoveLibraryTextDisplay(console: console)
    let presenter = MoveLibraryPresenter(display: display)
    return (root.moveLibrary(to: other.root, presenter: presenter), display)
  }

  func exportLibrary(
    site: any SiteMaking
  ) -> (interactor: any ExportLibraryBusinessLogic, display: CommandDisplay) {
    if options.json {
      let display = RecordDisplay(console: console)
      let presenter = ExportLibraryJSONPresenter(display: display)
      return (root.exportLibrary(presenter: presenter, site: site), display)
    }
    let display = ExportLibraryTextDisplay(console: console)
    let presenter = ExportLibraryPresenter(display: display)
    return (root.exportLibrary(presenter: presenter, site: site), display)
  }

  func exportFiles() -> (interactor: any ExportFilesBusinessLogic, display: CommandDisplay) {
    if options.json {
      let display = RecordDisplay(console: console)
      return (root.exportFiles(presenter: ExportFilesJSONPresenter(display: display)), display)
    }
    let display = ExportFilesTextDisplay(console: console)
    return (root.exportFiles(presenter: ExportFilesPresenter(display: display)), display)
  }

  /// The tools for drawing; nil when no pictures are drawn, and then the terminal is not asked either.
  func drawing(_ mode: PictureMode) -> PictureDrawing? {
    guard !options.json, !options.quiet else { return nil }
    let terminal = PictureTerminal(
      mode: mode,
      descriptor: STDOUT_FILENO,
      environment: ProcessInfo.processInfo.environment
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

/// A command that lists, and leads nowhere.
struct NoNavigation: ListImagesNavigation {
  let run: CommandRun

  func makeShowImageScene() -> ShowImageScene { run.showImage().makeScene() }

  func navigateToShowImage(_ destination: ShowImageScene) async {}
}
