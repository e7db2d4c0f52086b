import ArgumentParser
import Composition
import Foundation
import Glibc
import Scenes
import Terminal

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

  /// Sends an event whenever the library has changed; it looks once a second.
  func watchLibrary(_ root: CompositionRoot) -> Task<Void, Never> {
    Task { [send] in
      await BrowseScenes(root: root).watch {
        try await Task.sleep(for: .seconds(1))
      } _: {
        send(.libraryChanged)
      }
    }
  }

  /// Gives the terminal back.
  func end() { thread.end() }
}
