import ArgumentParser
import Composition
import FoundationEssentials
import Glibc
import Scenes
import Terminal
import Workers

/// The terminal of a command that uses the whole screen, and the stream of all events.
struct WholeScreen {
  let graphics: TerminalGraphics?
  let events: AsyncStream<BrowseEvent>
  let send: @Sendable (BrowseEvent) -> Void
  private let thread: ScreenThread
  private let input: TerminalInputSource

  /// Refuses options that need the screen for another purpose.
  static func validate(_ common: CommonOptions) throws {
    if common.json {
      throw ValidationError(
        "--json is for programs, which \(SuggestedCommand.quoted("list --json")) gives a list"
      )
    }
    if common.verbose, isatty(STDERR_FILENO) == 1 {
      throw ValidationError("--verbose writes over the screen; '2> FILE' sends the log to a file")
    }
  }

  /// Takes over the screen.
  ///
  /// - Throws: The exit status, after a message, when the terminal is missing or unsuitable.
  init(_ mode: PictureMode, _ run: CommandRun) throws {
    let environment = run.environment
    let elsewhere = "\(SuggestedCommand.quoted("list")) works anywhere"
    for (stream, name) in [(STDIN_FILENO, "input"), (STDOUT_FILENO, "output")]
    where isatty(stream) == 0 {
      run.console.say(
        "cannot take the screen: standard \(name) is not a terminal — \(elsewhere)"
      )
      throw ExitStatus.code(of: .misused)
    }
    let name = environment["TERM"] ?? ""
    if ["", "dumb", "unknown"].contains(name) {
      run.console.say(
        "cannot take the screen: a terminal '\(name)' cannot move its cursor — \(elsewhere)"
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

  /// The terminal's functions for a browser or a slide show.
  var terminal: Browser.Terminal {
    .init(
      window: { ScreenThread.window },
      show: thread.show,
      redraw: thread.redraw,
      suspend: thread.suspend
    )
  }

  /// Passes all events to an event loop, and ends the command afterwards.
  ///
  /// - Parameters:
  ///   - loop: Handles events until one of them ends it.
  ///   - run: The run of the command.
  ///   - interruption: Also ends the loop.
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

  /// Checks once per second whether this or another process has changed the library.
  private static func watch(_ root: CompositionRoot, _ tell: @Sendable () -> Void) async {
    var known = try? await root.changes.version()
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      guard let version = try? await root.changes.version(), version != known else { continue }
      if known != nil { tell() }
      known = version
    }
  }

  /// Restores the terminal.
  func end() { thread.end() }
}

/// An event for a browser, from keys and background tasks in a single stream.
enum BrowseEvent: Sendable {
  case terminal(TerminalInputSource.Event)
  /// A page of the list; the list's number changes when another list is shown.
  case listed(ListedPage, of: ImageGrid.PageRequest, list: Int)
  /// The pages around the selection, after a change of the library.
  case refreshed(ListedPage, of: ImageGrid.PageRequest, list: Int)
  /// The number of images in a list, nil when it is unknown, and the time that counting took.
  case counted(Int?, list: Int, taking: Duration)
  /// A tile's picture; nil when it cannot be decoded.
  case decoded(Picture?, for: BrowseDrawing.TileKey)
  /// A change of an image's display; the number identifies the scene.
  case displayed(@Sendable (ImageDisplay) -> Void, scene: Int)
  case feeds(@Sendable (FeedListDisplay) -> Void)
  case libraryChanged
  case message(String)
  case syncing(ProgressLine)
  case syncEnded(String?)
  /// A signal asks the program to end.
  case stopped
  /// It is time for the next picture of a slide show; the number identifies the wait.
  case slideDue(Int)
}
