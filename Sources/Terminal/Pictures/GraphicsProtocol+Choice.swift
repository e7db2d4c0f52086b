extension GraphicsProtocol {
  /// Decides how pictures are drawn.
  ///
  /// - Parameters:
  ///   - mode: What the user wants.
  ///   - isTerminal: Whether results go to a terminal.
  ///   - environment: What the environment tells of it.
  ///   - answers: What the terminal said itself, which counts for more; nil when it was not asked
  ///     or did not answer.
  /// - Returns: Nil when no pictures are to be drawn.
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

  /// The name in the environment may be that of the terminal around a multiplexer.
  private static func guess(_ environment: TerminalEnvironment) -> GraphicsProtocol? {
    environment.isMultiplexer ? nil : environment.knownProtocol
  }
}
