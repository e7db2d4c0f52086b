/// How pictures are drawn on a terminal, and what has to be known of it.
package struct TerminalGraphics: Sendable, Equatable {
  package var graphicsProtocol: GraphicsProtocol
  /// One cell as the terminal said when it was asked; nil when it did not.
  var cell: PixelSize?
  /// The terminal's background; nil when it is not known.
  var background: RGBColour?
  /// The largest picture that the terminal takes; nil when there is no limit.
  var largest: PixelSize?
  /// Whether only the oldest block characters may be used.
  var hasFewSymbols = false

  package init(graphicsProtocol: GraphicsProtocol) { self.graphicsProtocol = graphicsProtocol }

  /// Decides from all that is known; nil when no pictures are to be drawn.
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

  /// One cell in the window as it is: of the window itself, which follows a changed font, of the
  /// terminal's answer, else of a usual font.
  package func cell(in window: TerminalWindow) -> PixelSize {
    window.pixels.flatMap { $0.divided(among: window.size) } ?? cell
      ?? PixelSize(width: 10, height: 20)
  }
}
