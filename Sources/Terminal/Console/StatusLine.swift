import Scenes
import Workers

/// The last line of a terminal, drawn again and again by a task of its own while something goes on.
final class StatusLine: Sendable {
  /// What a line says: how much is done, from 0 to 1, and a text.
  struct Content: Sendable, Equatable {
    var fraction: Double?
    var text: String
    /// The same with less and less in it, for a narrow window.
    var shorter: [String] = []
  }

  private struct State {
    var sample: (@Sendable () -> Content)?
    var drawing: Task<Void, Never>?
    var isDrawn = false
  }

  /// What passes between two drawings: short enough for the line to look alive.
  static let tenthOfASecond: @Sendable () async throws -> Void = {
    try await Task.sleep(for: .milliseconds(100))
  }

  private static let erase = Array("\r\u{1B}[K".utf8)

  private let state = Locked(State())
  private let sink: any ByteSink
  private let columns: @Sendable () -> Int
  private let pause: @Sendable () async throws -> Void

  /// Takes where it is drawn, how wide that is at the moment, and what passes between two drawings; drawing ends
  /// when `pause` throws.
  init(
    sink: any ByteSink,
    columns: @escaping @Sendable () -> Int,
    pause: @escaping @Sendable () async throws -> Void
  ) {
    self.sink = sink
    self.columns = columns
    self.pause = pause
  }

  /// Draws from now on; the first time after one pause, so that what is quick draws nothing.
  func begin(_ sample: @escaping @Sendable () -> Content) {
    state.withLock { state in
      state.drawing?.cancel()
      state.sample = sample
      state.drawing = Task { await keepDrawing() }
    }
  }

  /// Takes the line away and draws no more.
  func end() {
    state.withLock { state in
      state.drawing?.cancel()
      state.drawing = nil
      state.sample = nil
      clear(&state)
    }
  }

  /// Runs `body`, which writes to the same screen, with the line taken away.
  func withoutLine(_ body: () -> Void) {
    state.withLock { state in
      clear(&state)
      body()
    }
  }

  /// Draws the line as it is now; nothing when it was taken away for good.
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
