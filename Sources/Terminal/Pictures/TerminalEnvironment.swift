/// The properties of the terminal that the environment shows.
package struct TerminalEnvironment {
  /// The variables on which `hasStyles` depends.
  package static let styleVariables = ["NO_COLOR", "TERM"]

  private let variables: [String: String]

  package init(_ variables: [String: String]) { self.variables = variables }

  /// Whether it shows dim and red text.
  package var hasStyles: Bool { !has("NO_COLOR") && !isDumb }

  /// Whether it supports no control sequences.
  var isDumb: Bool { term.isEmpty || term == "dumb" || term == "unknown" }

  /// Whether tmux or GNU screen runs between the program and the terminal.
  var isMultiplexer: Bool {
    has("TMUX") || has("STY") || term.hasPrefix("screen") || term.hasPrefix("tmux")
  }

  /// Whether the terminal is at the other end of a network, so that answers take longer.
  var isRemote: Bool { has("SSH_CONNECTION") || has("SSH_TTY") || has("SSH_CLIENT") }

  /// Whether the program may ask: two terminals would show the characters of a question.
  var mayBeAsked: Bool {
    !isDumb && term != "linux" && self["TERM_PROGRAM"] != "Apple_Terminal"
  }

  /// Whether it is the Linux console, which has few characters.
  var hasFewSymbols: Bool { term == "linux" }

  /// Whether it is iTerm2, which also sets a variable that ssh passes on.
  var isITerm2: Bool { self["LC_TERMINAL"] == "iTerm2" || self["TERM_PROGRAM"] == "iTerm.app" }

  /// The protocol of a terminal whose name is known; nil for other names.
  var knownProtocol: GraphicsProtocol? {
    if isITerm2 { return .iTerm2 }
    if ["xterm-kitty", "xterm-ghostty"].contains(term) { return .kitty }
    let isSixel = ["foot", "mlterm", "yaft", "contour"].contains { isTerm($0) }
    return isSixel || self["TERM_PROGRAM"] == "WezTerm" ? .sixel : nil
  }

  /// The colours for characters; none with `NO_COLOR` (no-color.org).
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
