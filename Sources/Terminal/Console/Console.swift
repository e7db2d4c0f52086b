import Glibc
import Scenes
import Workers

/// The output of a program: results go to standard output, everything else to standard error.
///
/// All displays of a run share one console. A status line exists only on a terminal. The console erases it before it
/// writes anything else, and the next progress draws it again.
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
    /// Whether pipes get such text, too.
    package var stylesPipes: Bool
    /// Whether to omit summaries, notes and progress.
    package var isQuiet: Bool
    /// Whether to add details.
    package var isVerbose: Bool

    package init(
      outputColumns: Int?,
      errorColumns: Int?,
      currentColumns: (@Sendable () -> Int?)? = nil,
      hasStyles: Bool = false,
      stylesPipes: Bool = false,
      isQuiet: Bool,
      isVerbose: Bool = false
    ) {
      self.outputColumns = outputColumns
      self.errorColumns = errorColumns
      self.currentColumns = currentColumns
      self.hasStyles = hasStyles
      self.stylesPipes = stylesPipes
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

  package init(options: Options, output: any ByteSink, errors: any ByteSink) {
    self.options = options
    self.output = output
    self.errors = errors
    let columns = options.isQuiet ? nil : options.errorColumns
    statusLine = columns.map { columns in
      StatusLine(sink: errors) { options.currentColumns?() ?? columns }
    }
  }

  /// Whether results go to a terminal.
  package var isTerminal: Bool { options.outputColumns != nil }

  /// Writes bytes of results, which may include line ends.
  func write(_ bytes: [UInt8]) {
    statusLine?.erase()
    output.write(bytes)
    count(bytes, columns: options.outputColumns)
  }

  /// Writes bytes that draw on the terminal; they do not count as lines.
  func draw(_ bytes: [UInt8]) {
    statusLine?.erase()
    output.write(bytes)
  }

  /// Writes a line of results, which must be harmless.
  func writeLine(_ line: String) { write(Array(line.utf8) + [UInt8(ascii: "\n")]) }

  /// Writes a sentence that is a result, wrapped between words on a terminal.
  func writeSentence(_ text: String) {
    let text = readable(HarmlessText.line(text))
    writeLine(options.outputColumns.map { TextWidth.wrapped(text, to: $0) } ?? text)
  }

  /// Writes a line of results, made harmless but otherwise unchanged.
  package func print(_ line: String) { writeLine(HarmlessText.line(line)) }

  /// Writes a message, even when the user asked for quiet.
  package func say(_ message: String) { say(message, style: .plain) }

  /// Writes a message, even when the user asked for quiet, with a style on a terminal that supports it.
  func say(_ message: String, style: TextStyle, wraps: Bool = true) {
    var text = HarmlessText.line(message)
    if wraps {
      text = readable(text)
      if let columns = options.currentColumns?() ?? options.errorColumns {
        text = TextWidth.wrapped(text, to: columns)
      }
    }
    let hasStyle = options.stylesPipes || options.errorColumns != nil && options.hasStyles
    let shown = hasStyle ? style.text(text) : text
    statusLine?.erase()
    errors.write(Array((shown + "\n").utf8))
    count(Array((text + "\n").utf8), columns: options.errorColumns)
  }

  /// Writes a note, unless the user asked for quiet.
  ///
  /// Pass false for `wraps` if the user may copy the text, such as a command; the terminal wraps it itself.
  func note(_ message: String, wraps: Bool = true) {
    if !options.isQuiet { say(message, style: .dim, wraps: wraps) }
  }

  /// The style for results; plain when no terminal shows it.
  func style(_ style: TextStyle) -> TextStyle {
    options.stylesPipes || isTerminal && options.hasStyles ? style : .plain
  }

  /// Writes a detail if the user asked for details.
  func detail(_ message: String) {
    if options.isVerbose { note(message) }
  }

  /// Draws the status line, if there is a terminal.
  func drawStatus(_ line: ProgressLine) { statusLine?.draw(line) }

  /// Ends the status line.
  func endStatus() { statusLine?.erase() }

  /// The longest address that a message has in full.
  private static let longestAddress = 160

  /// The names with which commands begin.
  private static let programs: Set<Substring> = ["gallery", "gallery-dl"]

  /// A message with long addresses shortened in their middle, unless the user asked for details.
  ///
  /// The addresses of a command, with which a message ends, stay whole: a person copies it.
  private func readable(_ message: String) -> String {
    let longest = Self.longestAddress
    guard !options.isVerbose, message.utf8.count > longest else { return message }
    var isCommand = false
    return message.split(separator: " ", omittingEmptySubsequences: false).map { word in
      isCommand = isCommand || Self.programs.contains(word.drop { $0 == "'" })
      guard !isCommand, word.count > longest, word.contains("://") else { return String(word) }
      return "\(word.prefix(longest * 2 / 3))…\(word.suffix(longest / 3))"
    }.joined(separator: " ")
  }

  private func count(_ bytes: [UInt8], columns: Int?) {
    if let columns { linesWritten += TextWidth.lines(of: bytes, columns: columns) }
  }
}

/// A destination of bytes.
package protocol ByteSink: Sendable {
  func write(_ bytes: [UInt8])
}

/// A file descriptor as a destination, without a buffer.
package final class DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let whenClosed: @Sendable () -> Void
  private let firstFailure = Locked<Int32?>(nil)

  /// Takes a descriptor, which the caller closes; calls `whenClosed` when a write finds that its reader is gone.
  package init(_ descriptor: Int32, whenClosed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.whenClosed = whenClosed
  }

  /// The system's message for the first failure; nil without a failure, or when the reader is gone.
  package var failure: String? {
    firstFailure.withLock { $0 }.map { String(cString: strerror($0)) }
  }

  /// Writes bytes, or nothing after a failure, because output with a gap would be misleading.
  package func write(_ bytes: [UInt8]) {
    var rest = firstFailure.withLock { $0 } == nil ? bytes[...] : []
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR, !waitIfBusy() {
        return end(errno)
      }
    }
  }

  private func end(_ code: Int32) {
    if code == EPIPE { return whenClosed() }
    firstFailure.withLock { $0 = $0 ?? code }
  }

  /// Waits until the descriptor accepts bytes, if another process made it non-blocking.
  private func waitIfBusy() -> Bool {
    guard errno == EAGAIN else { return false }
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, -1) > 0
  }
}

/// The style of a line on a terminal that supports it (ECMA-48, SGR).
package enum TextStyle: String {
  case plain = ""
  /// For headings and notes.
  case dim = "\u{1B}[2m"
  /// For failures.
  case problem = "\u{1B}[31m"
  /// For the selection, with exchanged colours.
  case selected = "\u{1B}[7m"

  package func text(_ text: String) -> String {
    self == .plain || text.isEmpty ? text : rawValue + text + "\u{1B}[0m"
  }
}
