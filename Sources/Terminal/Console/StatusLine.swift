import Scenes
import Workers

/// A progress line at the end of the output, which a task redraws several times a second.
final class StatusLine: Sendable {
  /// The completed fraction, from 0 to 1, and a text.
  struct Content: Sendable, Equatable {
    var fraction: Double?
    var text: String
    /// Shorter and shorter forms of the text, for narrow windows.
    var shorter: [String] = []
  }

  private struct State {
    var sample: (@Sendable () -> Content)?
    var drawing: Task<Void, Never>?
    var isDrawn = false
  }

  /// The default pause between two drawings.
  static let tenthOfASecond: @Sendable () async throws -> Void = {
    try await Task.sleep(for: .milliseconds(100))
  }

  private static let erase = Array("\r\u{1B}[K".utf8)

  private let state = Locked(State())
  private let sink: any ByteSink
  private let columns: @Sendable () -> Int
  private let pause: @Sendable () async throws -> Void

  /// Makes a line.
  ///
  /// - Parameters:
  ///   - sink: The terminal to draw on.
  ///   - columns: Returns the current width of the terminal.
  ///   - pause: Waits between two drawings; drawing ends when it throws.
  init(
    sink: any ByteSink,
    columns: @escaping @Sendable () -> Int,
    pause: @escaping @Sendable () async throws -> Void
  ) {
    self.sink = sink
    self.columns = columns
    self.pause = pause
  }

  /// Begins to draw, first after one pause, so that a short operation draws nothing.
  func begin(_ sample: @escaping @Sendable () -> Content) {
    state.withLock { state in
      state.drawing?.cancel()
      state.sample = sample
      state.drawing = Task { await keepDrawing() }
    }
  }

  /// Erases the line and stops drawing.
  func end() {
    state.withLock { state in
      state.drawing?.cancel()
      state.drawing = nil
      state.sample = nil
      clear(&state)
    }
  }

  /// Erases the line and runs `body`, which writes to the same screen.
  func withoutLine(_ body: () -> Void) {
    state.withLock { state in
      clear(&state)
      body()
    }
  }

  /// Draws the line; nothing after `end`.
  func draw() {
    state.withLock { state in
      guard let sample = state.sample else { return }
      let line = ProgressBar.line(sample(), columns: columns())
      sink.write(Self.erase + Array(HarmlessText.line(line).utf8))
      state.isDrawn = true
    }
  }

  private func keepDrawing() async {
    while (try? await pause()) != nil { draw() }
  }

  private func clear(_ state: inout State) {
    if state.isDrawn { sink.write(Self.erase) }
    state.isDrawn = false
  }
}

extension StatusLine.Content {
  init(_ line: ProgressLine) {
    self.init(fraction: line.fraction, text: line.text, shorter: line.shorter)
  }
}

/// A line with a progress bar: `[#####.....] 512 of 1,024 thumbnails`.
enum ProgressBar {
  private static let mostCells = 20

  /// The longest form of the line that fits into the terminal without wrapping.
  static func line(_ content: StatusLine.Content, columns: Int) -> String {
    // In a narrow window, the bar is shorter in favour of the text.
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
