import Workers

@testable import Terminal

/// Records the output of a console: each stream, and both in order.
final class Screen: Sendable {
  enum Event: Equatable, Sendable {
    case output(String)
    case errors(String)
  }

  private struct Sink: ByteSink {
    let write: @Sendable (String) -> Void

    func write(_ bytes: [UInt8]) { write(String(decoding: bytes, as: UTF8.self)) }
  }

  var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])

  var output: String {
    events.compactMap { if case .output(let text) = $0 { text } else { nil } }.joined()
  }

  var errors: String {
    events.compactMap { if case .errors(let text) = $0 { text } else { nil } }.joined()
  }

  /// A console that writes here.
  func console(
    outputColumns: Int? = nil,
    errorColumns: Int? = nil,
    hasStyles: Bool = false,
    stylesPipes: Bool = false,
    isQuiet: Bool = false,
    isVerbose: Bool = false
  ) -> Console {
    Console(
      options: .init(
        outputColumns: outputColumns,
        errorColumns: errorColumns,
        hasStyles: hasStyles,
        stylesPipes: stylesPipes,
        isQuiet: isQuiet,
        isVerbose: isVerbose
      ),
      output: sink { .output($0) },
      errors: sink { .errors($0) }
    )
  }

  private func sink(_ event: @escaping @Sendable (String) -> Event) -> some ByteSink {
    Sink { [recorded] text in recorded.withLock { $0.append(event(text)) } }
  }
}
