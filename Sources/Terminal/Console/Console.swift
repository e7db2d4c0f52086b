/// Where a program speaks: results to standard output, all else to standard error.
///
/// One a run, shared by its displays. A status line, which only a terminal gets, is taken away
/// before anything else is written and drawn again after it.
package final class Console {
  /// What is known of a standard stream.
  package struct Options: Sendable {
    /// Whether results go to a terminal; its width in columns.
    package var outputColumns: Int?
    /// Whether messages go to a terminal; its width in columns.
    package var errorColumns: Int?
    /// How wide that terminal is at the moment; nil where it cannot change.
    package var currentColumns: (@Sendable () -> Int?)?
    /// Whether terminals show dim and red text.
    package var hasStyles: Bool
    /// Whether summaries, notes and progress are left out.
    package var isQuiet: Bool
    /// Whether also what mostly is worth no word is told.
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
  /// How many lines the terminal has moved down for what was written, drawings left out.
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

  /// Takes what passes between two drawings of the status line, too.
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

  /// Writes bytes that are results, lines included.
  func write(_ bytes: [UInt8]) {
    withoutStatusLine { output.write(bytes) }
    count(bytes, columns: options.outputColumns)
  }

  /// Writes bytes that draw on the terminal and know themselves where the cursor is.
  func draw(_ bytes: [UInt8]) {
    withoutStatusLine { output.write(bytes) }
  }

  /// Writes a line that is a result, made harmless already.
  func writeLine(_ line: String) { write(Array(line.utf8) + [UInt8(ascii: "\n")]) }

  /// Writes a sentence that is a result; a terminal gets it without a word that is broken.
  func writeSentence(_ text: String) {
    let text = HarmlessText.line(text)
    writeLine(options.outputColumns.map { TextWidth.wrapped(text, to: $0) } ?? text)
  }

  /// Says a message that has to be heard.
  package func say(_ message: String) { say(message, style: .plain) }

  /// Says a message that has to be heard, in a style where a terminal shows it.
  func say(_ message: String, style: TextStyle, wraps: Bool = true) {
    var text = HarmlessText.line(message)
    if wraps, let columns = options.currentColumns?() ?? options.errorColumns {
      text = TextWidth.wrapped(text, to: columns)
    }
    let shown = options.errorColumns != nil && options.hasStyles ? style.text(text) : text
    withoutStatusLine { errors.write(Array((shown + "\n").utf8)) }
    count(Array((text + "\n").utf8), columns: options.errorColumns)
  }

  /// Says what a person may like to know; not when quiet was asked for.
  ///
  /// What is to be copied is not to be broken into lines: the terminal does that itself.
  func note(_ message: String, wraps: Bool = true) {
    if !options.isQuiet { say(message, style: .dim, wraps: wraps) }
  }

  /// A style for results: plain where no terminal shows it.
  func style(_ style: TextStyle) -> TextStyle {
    isTerminal && options.hasStyles ? style : .plain
  }

  /// Says what only a person who wants to know all has to read.
  func detail(_ message: String) {
    if options.isVerbose { note(message) }
  }

  /// Begins to draw what `sample` gives, some times a second; only on a terminal.
  func beginStatus(_ sample: @escaping @Sendable () -> StatusLine.Content) {
    statusLine?.begin(sample)
  }

  /// Draws the status line now rather than after the next pause.
  func drawStatus() { statusLine?.draw() }

  /// Takes the status line away for good.
  func endStatus() { statusLine?.end() }

  private func count(_ bytes: [UInt8], columns: Int?) {
    if let columns { linesWritten += TextWidth.lines(of: bytes, columns: columns) }
  }

  /// Results and status line share a screen when both go to a terminal.
  private func withoutStatusLine(_ write: () -> Void) {
    if let statusLine { statusLine.withoutLine(write) } else { write() }
  }
}
