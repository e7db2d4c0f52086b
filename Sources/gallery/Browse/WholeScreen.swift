import ArgumentParser
import Composition
import Foundation
import Glibc
import Scenes
import Terminal
import Workers

/// The terminal of a command that takes its whole screen, and the stream of all events.
struct WholeScreen {
  let graphics: TerminalGraphics?
  let events: AsyncStream<BrowseEvent>
  let send: @Sendable (BrowseEvent) -> Void
  private let thread: ScreenThread
  private let input: TerminalInputSource

  /// Refuses the options that need the screen for something else.
  static func validate(_ common: CommonOptions) throws {
    if common.json {
      throw ValidationError("--json is for programs, which 'gallery list --json' gives a list")
    }
    if common.verbose, isatty(STDERR_FILENO) == 1 {
      throw ValidationError("--verbose writes over the screen; '2> FILE' sends the log to a file")
    }
  }

  /// Takes the screen.
  ///
  /// - Throws: The exit status, after a message, when there is no terminal for it.
  init(_ mode: PictureMode, _ run: CommandRun) throws {
    let environment = ProcessInfo.processInfo.environment
    for (stream, name) in [(STDIN_FILENO, "input"), (STDOUT_FILENO, "output")]
    where isatty(stream) == 0 {
      run.console.say(
        "cannot take the screen: standard \(name) is no terminal — 'gallery list' works anywhere"
      )
      throw ExitStatus.code(of: .misused)
    }
    let name = environment["TERM"] ?? ""
    if ["", "dumb", "unknown"].contains(name) {
      run.console.say(
        "cannot take the screen: a terminal '\(name)' cannot move its cursor — 'gallery list' works anywhere"
      )
      throw ExitStatus.code(of: .misused)
    }
    graphics =
      PictureTerminal(mode: mode, descriptor: STDOUT_FILENO, environment: environment)
      .graphics
    guard let settings = TerminalRestoration.arm() else { throw ExitStatus.code(of: .failed) }
    let (events, continuation) = AsyncStream.makeStream(of: BrowseEvent.self)
    self.events = events
    let send: @Sendable (BrowseEvent) -> Void = { continuation.yield($0) }
    self.send = send
    thread = ScreenThread(
      settings: settings,
      graphics: graphics,
      hasStyles: TerminalEnvironment(environment).hasStyles
    ) { send(.terminal(.closed)) }
    input = TerminalInputSource { send(.terminal($0)) }
  }

  /// What a browser or a slide show does with the screen.
  var terminal: Browser.Terminal {
    .init(
      window: { ScreenThread.window },
      show: thread.show,
      redraw: thread.redraw,
      suspend: thread.suspend
    )
  }

  /// Gives all events to a loop, and ends the command after it.
  ///
  /// - Parameters:
  ///   - loop: Takes events until one of them ends it.
  ///   - run: The run of the command.
  ///   - interruption: Ends the loop, too.
  /// - Throws: The exit status.
  func run(
    _ loop: (AsyncStream<BrowseEvent>) async -> Void,
    of run: CommandRun,
    until interruption: Interruption
  ) async throws {
    interruption.stop.whenMade { [send] in send(.stopped) }
    let watch = Task { [send, root = run.root] in
      await Self.watch(root) { send(.libraryChanged) }
    }
    await loop(events)
    watch.cancel()
    end()
    try await run.end(.done, after: interruption)
  }

  /// Looks once a second whether this process or another one has changed the library.
  private static func watch(_ root: CompositionRoot, _ tell: @Sendable () -> Void) async {
    var known = try? await root.changes.version()
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      guard let version = try? await root.changes.version(), version != known else { continue }
      if known != nil { tell() }
      known = version
    }
  }

  /// Gives the terminal back.
  func end() { thread.end() }
}

/// All that happens to a browser, in one stream: keys, and what tasks in the background found.
enum BrowseEvent: Sendable {
  case terminal(TerminalInputSource.Event)
  /// A page of the list with a number, which changes when another list is shown.
  case listed(ListedPage, of: ImageGrid.PageRequest, list: Int)
  /// The pages around the selection, after a change of the library.
  case refreshed(ListedPage, of: ImageGrid.PageRequest, list: Int)
  /// The number of images in a list, nil when it cannot be told, and how long it took to count them.
  case counted(Int?, list: Int, taking: Duration)
  /// A tile's picture; nil when it cannot be decoded.
  case decoded(Picture?, for: BrowseDrawing.TileKey)
  /// What the scene of an image displays; the number tells the scenes apart.
  case displayed(@Sendable (ImageDisplay) -> Void, scene: Int)
  case feeds(@Sendable (FeedListDisplay) -> Void)
  case libraryChanged
  case message(String)
  case syncing(ProgressLine)
  case syncEnded(String?)
  /// A signal asks the program to end.
  case stopped
  /// It is time for the next picture of a slide show; the number tells the waits apart.
  case slideDue(Int)
}
