import Glibc

/// The terminal as pictures see it.
///
/// It is asked when the first picture is to be drawn, once a process, so that commands that draw
/// none do not wait for it.
package final class PictureTerminal {
  /// Long enough for a terminal that is just starting; the answer ends the wait.
  private static let localWait = Duration.milliseconds(500)
  /// Across a network an answer takes its time.
  private static let remoteWait = Duration.seconds(1)

  private let mode: PictureMode
  private let descriptor: Int32
  private let environment: TerminalEnvironment

  /// Takes when to draw, where results go and the process's environment.
  package init(mode: PictureMode, descriptor: Int32, environment: [String: String]) {
    self.mode = mode
    self.descriptor = descriptor
    self.environment = TerminalEnvironment(environment)
  }

  /// How to draw; nil when no pictures are to be drawn, or when libchafa is not installed.
  package private(set) lazy var graphics = makeGraphics()

  /// The window as it is at the moment; that of an old terminal when there is none.
  package var window: TerminalWindow {
    TerminalWindow(descriptor: descriptor) ?? TerminalWindow(columns: 80, rows: 24)
  }

  /// Whether pictures were asked for by name and only the library that draws them is missing.
  package var lacksLibrary: Bool { mode == .always && ChafaLibrary.shared == nil }

  private func makeGraphics() -> TerminalGraphics? {
    let isTerminal = isatty(descriptor) == 1
    guard mode == .always || (mode == .auto && isTerminal), ChafaLibrary.shared != nil else {
      return nil
    }
    return TerminalGraphics(
      mode: mode,
      isTerminal: isTerminal,
      environment: environment,
      answers: isTerminal ? answers() : nil,
      window: window
    )
  }

  /// Whether the names of the terminal and its window tell all that an answer could.
  private var isKnown: Bool {
    !environment.isMultiplexer && environment.knownProtocol == .kitty && window.pixels != nil
  }

  private func answers() -> TerminalAnswers? {
    let isInside = environment.isMultiplexer
    guard environment.mayBeAsked, !isInside || mode == .always, !isKnown else { return nil }
    return ControllingTerminal.run(output: descriptor) { terminal in
      let wait = environment.isRemote ? Self.remoteWait : Self.localWait
      return TerminalProbe(descriptor: terminal, wait: wait).ask(isInside ? .allButKitty : .all)
    }
  }
}
