/// What the environment tells of the terminal.
package struct TerminalEnvironment {
  /// The variables that `hasStyles` depends on.
  package static let styleVariables = ["NO_COLOR", "TERM"]

  private let variables: [String: String]

  package init(_ variables: [String: String]) { self.variables = variables }

  /// Whether it shows dim and red text.
  package var hasStyles: Bool { !has("NO_COLOR") && !isDumb }

  /// Whether there is nothing that could be steered: no cursor, no colour.
  var isDumb: Bool { term.isEmpty || term == "dumb" || term == "unknown" }

  /// Whether tmux or GNU screen stands between the program and the terminal.
  var isMultiplexer: Bool {
    has("TMUX") || has("STY") || term.hasPrefix("screen") || term.hasPrefix("tmux")
  }

  /// Whether the terminal is reached through a network, so that answers take their time.
  var isRemote: Bool { has("SSH_CONNECTION") || has("SSH_TTY") || has("SSH_CLIENT") }

  /// Whether asking does harm: both draw the question's letters on the screen.
  var mayBeAsked: Bool {
    !isDumb && term != "linux" && self["TERM_PROGRAM"] != "Apple_Terminal"
  }

  /// Whether the characters are those of the Linux console, which has few.
  var hasFewSymbols: Bool { term == "linux" }

  /// iTerm2 says so in a variable of its own, which ssh passes on, too.
  var isITerm2: Bool { self["LC_TERMINAL"] == "iTerm2" || self["TERM_PROGRAM"] == "iTerm.app" }

  /// The protocol of a terminal that is known by its name; nil when the name says nothing.
  var knownProtocol: GraphicsProtocol? {
    if isITerm2 { return .iTerm2 }
    if ["xterm-kitty", "xterm-ghostty"].contains(term) { return .kitty }
    let isSixel = ["foot", "mlterm", "yaft", "contour"].contains { isTerm($0) }
    return isSixel || self["TERM_PROGRAM"] == "WezTerm" ? .sixel : nil
  }

  /// The colours that characters may have; `NO_COLOR` (no-color.org) forbids all.
  var colours: SymbolColours {
    if has("NO_COLOR") || isDumb { return .none }
    if hasTruecolour { return .truecolour }
    if term.hasSuffix("256color") || isTerm("xterm") || isMultiplexer || isTerm("mlterm") {
      return .indexed256
    }
    return term.hasPrefix("vt") ? .none : .indexed16
  }

  private var hasTruecolour: Bool {
    // GNU screen misreads the sequence; tmux, which names itself `screen` too, does not.
    if term.hasPrefix("screen"), !has("TMUX") { return false }
    // mlterm runs out of colours, and Terminal.app long had none of these.
    if isTerm("mlterm") || self["TERM_PROGRAM"] == "Apple_Terminal" { return false }
    if ["truecolor", "24bit"].contains(self["COLORTERM"]) { return true }
    let names = ["foot", "alacritty", "wezterm", "contour", "xterm-direct", "st-256color"]
    return isITerm2 || has("VTE_VERSION") || has("KONSOLE_VERSION") || knownProtocol == .kitty
      || names.contains { isTerm($0) }
  }

  private var term: String { self["TERM"] }

  /// Whether `TERM` is a name or one of its kinds, such as `foot` and `foot-extra`.
  private func isTerm(_ name: String) -> Bool { term == name || term.hasPrefix(name + "-") }

  private func has(_ name: String) -> Bool { !self[name].isEmpty }

  private subscript(name: String) -> String { variables[name] ?? "" }
}
