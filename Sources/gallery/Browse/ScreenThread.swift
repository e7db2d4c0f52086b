import Dispatch
import Glibc
import Terminal
import Threading
import Workers

/// The thread that writes to the terminal, so that a slow terminal does not delay other work.
///
/// It always paints the latest content, and skips earlier contents that it has not painted yet.
final class ScreenThread: Sendable {
  private struct Work {
    var content: ScreenContent?
    var isForgotten = false
    var isSuspended = false
    var isEnding = false
  }

  private let work = Locked(Work())
  private let news = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let settings: termios
  private let graphics: TerminalGraphics?
  private let hasStyles: Bool

  /// Sets the terminal's mode, and starts the thread.
  ///
  /// - Parameters:
  ///   - settings: The terminal's original settings.
  ///   - graphics: The terminal's method of showing pictures; nil to draw none.
  ///   - hasStyles: Whether the terminal supports dim and red text.
  ///   - whenClosed: Is called when the terminal no longer accepts output.
  init(
    settings: termios,
    graphics: TerminalGraphics?,
    hasStyles: Bool,
    whenClosed: @escaping @Sendable () -> Void
  ) {
    self.settings = settings
    self.graphics = graphics
    self.hasStyles = hasStyles
    _ = JoinableThread { [self] in
      run(whenClosed: whenClosed)
      ended.signal()
    }
  }

  func show(_ content: ScreenContent) { order { $0.content = content } }

  /// Sets the mode and draws everything again, for example after another program used the screen.
  func redraw() { order { $0.isForgotten = true } }

  /// Restores the terminal, stops the process until it is continued, and then draws everything again.
  func suspend() { order { $0.isSuspended = true } }

  /// Restores the terminal, and waits until that is done.
  func end() {
    order { $0.isEnding = true }
    ended.wait()
  }

  private func order(_ change: @Sendable (inout Work) -> Void) {
    work.withLock(change)
    news.signal()
  }

  private var isOutdated: Bool {
    work.withLock { $0.content != nil || $0.isEnding || $0.isSuspended }
  }

  private func take() -> Work {
    work.withLock { work in
      defer { work = Work() }
      return work
    }
  }

  private func run(whenClosed: @escaping @Sendable () -> Void) {
    let sink = DescriptorSink(STDOUT_FILENO, whenClosed: whenClosed)
    let painter = ScreenPainter(sink: sink, graphics: graphics, hasStyles: hasStyles) {
      Self.window
    }
    var last: ScreenContent?
    enter(sink)
    while true {
      news.wait()
      let work = take()
      if work.isEnding { return TerminalRestoration.run() }
      if work.isSuspended { suspend(sink) }
      if work.isForgotten { enter(sink) }
      if work.isSuspended || work.isForgotten { painter.forget() }
      last = work.content ?? last
      if let last { painter.paint(last) { isOutdated } }
      if sink.failure != nil { whenClosed() }
    }
  }

  static var window: TerminalWindow {
    TerminalWindow(descriptor: STDOUT_FILENO) ?? TerminalWindow(columns: 80, rows: 24)
  }

  private func enter(_ sink: DescriptorSink) {
    var raw = TerminalMode.raw(settings)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    sink.write(Array(TerminalMode.enter.utf8))
  }

  /// Stops the whole job, as Ctrl-Z does (termios(3), SUSP).
  private func suspend(_ sink: DescriptorSink) {
    TerminalRestoration.run()
    kill(0, SIGTSTP)
    _ = TerminalRestoration.arm()
    enter(sink)
  }
}
