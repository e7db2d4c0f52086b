/// The output of a program: results go to standard output, everything else to standard error.
///
/// All displays of a run share one console. A status line, which exists only on a terminal, is erased
/// before anything else is written and drawn again after it.
package final class Console {
  /// The properties of the standard streams, and the user's choices.
  package struct Options: Sendable {
    /// The width of the terminal for results; nil when they do not go to a terminal.
    package var outputColumns: Int?
    /// The width of the terminal for messages; nil when they do not go to a terminal.
    package var errorColumns: Int?
    /// Returns the current width of that terminal; nil when it cannot change.
    package var currentColumns: (@Sendable () -> Int?)?
    /// Whether terminals show dim and red text.
    package var hasStyles: Bool
    /// Whether to leave out summaries, notes and progress.
    package var isQuiet: Bool
    /// Whether to add details.
    package var isVerbose: Bool

    package init(
      outputColumns: Int?,
      errorColumns: Int?,
      currentColumns: (@Sendable () -> Int?)? = nil,
      hasStyles: Bool = false,
      isQuiet: Bool,
      isVerbose: Bool = false
    ) {
      self.outputColumns = outputColumns
      self.errorColumns = errorColumns
      self.currentColumns = currentColumns
      self.hasStyles = hasStyles
      self.isQuiet = isQuiet
      self.isVerbose = isVerbose
    }
  }

  package let options: Options
  /// The number of lines on the terminal for the text so far, without drawings.
  private(set) var linesWritten = 0
  private let output: any ByteSink
  private let errors: any ByteSink
  private let statusLine: StatusLine?

  package convenience init(options: Options, output: any ByteSink, errors: any ByteSink) {
    self.init(
      options: options,
      output: output,
      errors: errors,
      pause: StatusLine.tenthOfASecond
    )
  }

  /// Makes a console with a pause between two drawings of the status line.
  init(
    options: Options,
    output: any ByteSink,
    errors: any ByteSink,
    pause: @escaping @Sendable () async throws -> Void
  ) {
    self.options = options
    self.output = output
    self.errors = errors
    let columns = options.isQuiet ? nil : options.errorColumns
    statusLine = columns.map { columns in
      StatusLine(sink: errors, columns: { options.currentColumns?() ?? columns }, pause: pause)
    }
  }

  /// Whether results go to a terminal.
  package var isTerminal: Bool { options.outputColumns != nil }

  /// Writes bytes of results, which may include line ends.
  func write(_ bytes: [UInt8]) {
    withoutStatusLine { output.write(bytes) }
    count(bytes, columns: options.outputColumns)
  }

  /// Writes bytes that draw on the terminal; they do not count as lines.
  func draw(_ bytes: [UInt8]) {
    withoutStatusLine { output.write(bytes) }
  }

  /// Writes a line of results, which must be harmless.
  func writeLine(_ line: String) { write(Array(line.utf8) + [UInt8(ascii: "\n")]) }

  /// Writes a sentence that is a result; a terminal gets it without a word that is broken.
  func writeSentence(_ text: String) {
    let text = HarmlessText.line(text)
    writeLine(options.outputColumns.map { TextWidth.wrapped(text, to: $0) } ?? text)
  }

  /// Writes a message, even when the user asked for quiet.
  package func say(_ message: String) { say(message, style: .plain) }

  /// Writes a message, even when the user asked for quiet, in a style if a terminal shows it.
  func say(_ message: String, style: TextStyle, wraps: Bool = true) {
    var text = HarmlessText.line(message)
    if wraps, let columns = options.currentColumns?() ?? options.errorColumns {
      text = TextWidth.wrapped(text, to: columns)
    }
    let shown = options.errorColumns != nil && options.hasStyles ? style.text(text) : text
    withoutStatusLine { errors.write(Array((shown + "\n").utf8)) }
    count(Array((text + "\n").utf8), columns: options.errorColumns)
  }

  /// Writes a note, unless the user asked for quiet.
  ///
  /// What is to be copied is not to be broken into lines: the terminal does that itself.
  func note(_ message: String, wraps: Bool = true) {
    if !options.isQuiet { say(message, style: .dim, wraps: wraps) }
  }

  /// The style for results; plain when no terminal shows it.
  func style(_ style: TextStyle) -> TextStyle {
    isTerminal && options.hasStyles ? style : .plain
  }

  /// Writes a detail if the user asked for details.
  func detail(_ message: String) {
    if options.isVerbose { note(message) }
  }

  /// Begins to draw the result of `sample` several times a second, if there is a terminal.
  func beginStatus(_ sample: @escaping @Sendable () -> StatusLine.Content) {
    statusLine?.begin(sample)
  }

  /// Draws the status line at once.
  func drawStatus() { statusLine?.draw() }

  /// Ends the status line.
  func endStatus() { statusLine?.end() }

  private func count(_ bytes: [UInt8], columns: Int?) {
    if let columns { linesWritten += TextWidth.lines(of: bytes, columns: columns) }
  }

  /// Writes without the status line, which may be on the same screen.
  private func withoutStatusLine(_ write: () -> Void) {
    if let statusLine { statusLine.withoutLine(write) } else { write() }
  }
}
