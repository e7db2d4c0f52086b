import Glibc
package import Workers

/// The terminal on which pictures are drawn.
///
/// A process queries it once, before it draws the first picture. So commands without pictures do not wait for the
/// answers.
package final class PictureTerminal {
  /// How long to wait for an answer, which is enough for a terminal that is just starting.
  private static let localWait = Duration.milliseconds(500)
  /// How long to wait for an answer through a network.
  private static let remoteWait = Duration.seconds(1)

  private let mode: PictureMode
  private let descriptor: Int32
  private let environment: TerminalEnvironment

  /// Takes the user's mode, the descriptor for results and the environment of the process.
  package init(mode: PictureMode, descriptor: Int32, environment: [String: String]) {
    self.mode = mode
    self.descriptor = descriptor
    self.environment = TerminalEnvironment(environment)
  }

  /// The graphics of the terminal; nil when pictures are not drawn, or when libchafa is not installed.
  package private(set) lazy var graphics = makeGraphics()

  /// The current window; 80 x 24 cells without one.
  package var window: TerminalWindow {
    TerminalWindow(descriptor: descriptor) ?? TerminalWindow(columns: 80, rows: 24)
  }

  /// Whether the user asked for pictures and libchafa is not installed.
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

  /// Whether the environment and the window already provide everything that an answer would.
  private var isKnown: Bool {
    !environment.isMultiplexer && environment.knownProtocol == .kitty && window.pixels != nil
  }

  private func answers() -> TerminalAnswers? {
    let isInside = environment.isMultiplexer
    guard environment.mayBeAsked, !isInside || mode == .always, !isKnown else { return nil }
    return ControllingTerminal.run(output: descriptor) { terminal in
      let wait = environment.isRemote ? Self.remoteWait : Self.localWait
      return TerminalProbe(descriptor: terminal, wait: wait).ask(environment.question)
    }
  }
}

/// The protocol for pictures on a terminal, and the properties of the terminal.
package struct TerminalGraphics: Sendable, Equatable {
  package var graphicsProtocol: GraphicsProtocol
  /// The size of a cell in the terminal's answers; nil when it did not answer.
  var cell: PixelSize?
  /// The terminal's background; nil when it is unknown.
  var background: RGBColour?
  /// The largest picture that the terminal accepts; nil when there is no limit.
  var largest: PixelSize?
  /// Whether only the oldest block characters are available.
  var hasFewSymbols = false

  package init(graphicsProtocol: GraphicsProtocol) { self.graphicsProtocol = graphicsProtocol }

  /// Chooses the protocol, and takes the terminal's properties; nil when pictures are not drawn.
  init?(
    mode: PictureMode,
    isTerminal: Bool,
    environment: TerminalEnvironment,
    answers: TerminalAnswers?,
    window: TerminalWindow
  ) {
    let chosen = GraphicsProtocol.chosen(
      mode: mode,
      isTerminal: isTerminal,
      environment: environment,
      answers: answers
    )
    guard let chosen else { return nil }
    graphicsProtocol = chosen
    cell = answers?.cell ?? answers?.textArea.flatMap { $0.divided(among: window.size) }
    background = answers?.background
    largest = chosen == .sixel ? answers?.largestSixel : nil
    hasFewSymbols = environment.hasFewSymbols
  }

  /// The size of a cell: from the window, which follows changes of the font, else from the terminal's answer, else that
  /// of a usual font.
  package func cell(in window: TerminalWindow) -> PixelSize {
    window.pixels.flatMap { $0.divided(among: window.size) } ?? cell
      ?? PixelSize(width: 10, height: 20)
  }
}

/// When to draw pictures, the value of `--pictures`.
package enum PictureMode: String, CaseIterable, Sendable {
  /// On a terminal that can show them.
  case auto
  /// Also into a pipe, and as pixels inside a terminal multiplexer that supports them.
  case always
  case never
}

/// The protocols for pictures on a terminal.
package enum GraphicsProtocol: Sendable, Equatable {
  /// The kitty graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol).
  case kitty
  /// iTerm2's inline images (iterm2.com/documentation-images.html).
  case iTerm2
  /// Sixel graphics (DEC STD 070, chapter 9).
  case sixel
  /// Block characters, which every terminal supports.
  case symbols(SymbolColours)

  /// Whether a picture consists of pixels rather than characters.
  var isPixels: Bool {
    if case .symbols = self { false } else { true }
  }
}

/// The colours of pictures made of characters.
package enum SymbolColours: Sendable, Equatable {
  case truecolour
  case indexed256
  case indexed16
  /// Only the terminal's foreground and background.
  case none
}

extension GraphicsProtocol {
  /// Chooses a protocol.
  ///
  /// - Parameters:
  ///   - mode: The user's choice.
  ///   - isTerminal: Whether results go to a terminal.
  ///   - environment: The environment of the process.
  ///   - answers: The terminal's answers, which take precedence over the environment; nil without answers.
  /// - Returns: The protocol; nil when pictures are not drawn.
  static func chosen(
    mode: PictureMode,
    isTerminal: Bool,
    environment: TerminalEnvironment,
    answers: TerminalAnswers?
  ) -> GraphicsProtocol? {
    switch mode {
    case .never: return nil
    case .auto where !isTerminal || environment.isDumb: return nil
    case .auto where environment.isMultiplexer: return .symbols(environment.colours)
    case .auto, .always: break
    }
    let pixels = answers.map { protocolOf($0, environment) } ?? guess(environment)
    return pixels ?? .symbols(environment.colours)
  }

  private static func protocolOf(
    _ answers: TerminalAnswers,
    _ environment: TerminalEnvironment
  ) -> GraphicsProtocol? {
    if answers.hasKittyGraphics { return .kitty }
    if environment.isITerm2, !environment.isMultiplexer { return .iTerm2 }
    return answers.hasSixel ? .sixel : nil
  }

  /// The protocol from the environment; nil inside a multiplexer, where it may be that of the outer terminal.
  private static func guess(_ environment: TerminalEnvironment) -> GraphicsProtocol? {
    environment.isMultiplexer ? nil : environment.knownProtocol
  }
}

/// The properties of the terminal that the environment shows.
package struct TerminalEnvironment {
  /// The variables on which `hasStyles` depends.
  package static let styleVariables = ["NO_COLOR", "TERM"]

  private let variables: [String: String]

  package init(_ variables: [String: String]) { self.variables = variables }

  /// Whether the terminal shows dim and red text.
  package var hasStyles: Bool { !has("NO_COLOR") && !isDumb }

  /// Whether the terminal does not support control sequences.
  var isDumb: Bool { term.isEmpty || term == "dumb" || term == "unknown" }

  /// Whether tmux or GNU screen runs between the program and the terminal.
  var isMultiplexer: Bool {
    has("TMUX") || has("STY") || term.hasPrefix("screen") || term.hasPrefix("tmux")
  }

  /// Whether the terminal is at the other end of a network, so that answers take longer.
  var isRemote: Bool { has("SSH_CONNECTION") || has("SSH_TTY") || has("SSH_CLIENT") }

  /// Whether the program may query the terminal: two kinds of terminals would show the query as text.
  var mayBeAsked: Bool {
    !isDumb && term != "linux" && self["TERM_PROGRAM"] != "Apple_Terminal"
  }

  /// What to ask the terminal.
  ///
  /// A multiplexer would make a title of the kitty picture, and rxvt would show it as text.
  var question: TerminalProbe.Question {
    isMultiplexer || isTerm("rxvt") ? .allButKitty : .all
  }

  /// Whether it is the Linux console, which has few characters.
  var hasFewSymbols: Bool { term == "linux" }

  /// Whether the terminal is iTerm2, which also sets a variable that ssh passes on.
  var isITerm2: Bool { self["LC_TERMINAL"] == "iTerm2" || self["TERM_PROGRAM"] == "iTerm.app" }

  /// The protocol of a terminal whose name is known; nil for other names.
  var knownProtocol: GraphicsProtocol? {
    if isITerm2 { return .iTerm2 }
    if ["xterm-kitty", "xterm-ghostty"].contains(term) { return .kitty }
    let isSixel = ["foot", "mlterm", "yaft", "contour"].contains { isTerm($0) }
    return isSixel || self["TERM_PROGRAM"] == "WezTerm" ? .sixel : nil
  }

  /// The colours for characters; `.none` if `NO_COLOR` is set (no-color.org).
  var colours: SymbolColours {
    if has("NO_COLOR") || isDumb { return .none }
    if hasTruecolour { return .truecolour }
    if term.hasSuffix("256color") || isTerm("xterm") || isMultiplexer || isTerm("mlterm") {
      return .indexed256
    }
    return term.hasPrefix("vt") ? .none : .indexed16
  }

  private var hasTruecolour: Bool {
    // GNU screen misreads the sequence; tmux, which also uses the name `screen`, does not.
    if term.hasPrefix("screen"), !has("TMUX") { return false }
    // mlterm runs out of colours, and older versions of Terminal.app lack true colour.
    if isTerm("mlterm") || self["TERM_PROGRAM"] == "Apple_Terminal" { return false }
    if ["truecolor", "24bit"].contains(self["COLORTERM"]) { return true }
    let names = ["foot", "alacritty", "wezterm", "contour", "xterm-direct", "st-256color"]
    return isITerm2 || has("VTE_VERSION") || has("KONSOLE_VERSION") || knownProtocol == .kitty
      || names.contains { isTerm($0) }
  }

  private var term: String { self["TERM"] }

  /// Whether `TERM` is a name or a variant of it, such as `foot` and `foot-extra`.
  private func isTerm(_ name: String) -> Bool { term == name || term.hasPrefix(name + "-") }

  private func has(_ name: String) -> Bool { !self[name].isEmpty }

  private subscript(name: String) -> String { variables[name] ?? "" }
}
