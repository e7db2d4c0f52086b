import Scenes

/// A progress line at the end of the output.
final class StatusLine {
  private static let erase = Array("\r\u{1B}[K".utf8)

  private let sink: any ByteSink
  private let columns: () -> Int
  private var isDrawn = false

  /// Takes the terminal to draw on, and its current width.
  init(sink: any ByteSink, columns: @escaping () -> Int) {
    self.sink = sink
    self.columns = columns
  }

  /// Draws the line in place of the previous one.
  func draw(_ line: ProgressLine) {
    let text = ProgressBar.line(line, columns: columns())
    sink.write(Self.erase + Array(HarmlessText.line(text).utf8))
    isDrawn = true
  }

  /// Erases the line, before other text is written to the terminal.
  func erase() {
    if isDrawn { sink.write(Self.erase) }
    isDrawn = false
  }
}

/// A line with a progress bar: `[#####.....] 512 of 1,024 thumbnails`.
enum ProgressBar {
  private static let mostCells = 20

  /// The longest form of the line that fits into the terminal without wrapping.
  static func line(_ content: ProgressLine, columns: Int) -> String {
    // In a narrow window, the bar is shorter to leave room for the text.
    let cells = min(mostCells, columns / 5)
    let start = content.fraction.map { bar($0, cells) + " " } ?? ""
    let room = max(0, columns - 1)
    let lines = ([content.text] + content.shorter).map { start + $0 }
    return lines.first { TextWidth.columns(of: $0) <= room }
      ?? TextWidth.padded(lines[lines.count - 1], to: room)
  }

  private static func bar(_ fraction: Double, _ cells: Int) -> String {
    let filled = Int(min(1, max(0, fraction)) * Double(cells))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: cells - filled) + "]"
  }
}
