import Dispatch
import LibraryFiles
import Store
import Workers

/// The connections that read, each with a serial queue.
///
/// A read gets the idle connection that was used last, so a second connection is opened only when it is needed. One
/// connection is reserved for short reads, so that they never wait for a long list.
final class ReadPool: Sendable {
  private final class Reader: Sendable {
    let connection: LazyConnection
    let queue = DispatchQueue(label: "gallery.library.reads")

    init(_ connection: LazyConnection) { self.connection = connection }
  }

  private typealias Work = @Sendable () -> Void

  private struct State {
    /// The idle readers; the one that was used last is at the end.
    var idle: [Reader]
    var longReads = 0
    var short: [Work] = []
    var long: [Work] = []

    /// Takes the next waiting read that may start now.
    mutating func next() -> (ReadLength, Work)? {
      if !short.isEmpty { return (.short, short.removeFirst()) }
      guard !long.isEmpty, longReads < Limits.longReads else { return nil }
      longReads += 1
      return (.long, long.removeFirst())
    }
  }

  /// The reader that the current thread works for.
  @TaskLocal private static var current: Reader?

  private let readers: [Reader]
  private let state: Locked<State>

  init(open: @escaping @Sendable () -> LazyConnection) {
    let readers = (0..<Limits.readConnections).map { _ in Reader(open()) }
    self.readers = readers
    state = Locked(State(idle: readers.reversed()))
  }

  /// The connection of the read that the current thread runs; on any other thread, the first connection.
  var connection: LazyConnection {
    if let current = Self.current, readers.contains(where: { $0 === current }) {
      return current.connection
    }
    return readers[0].connection
  }

  /// Runs blocking work that reads, so that no thread of Swift's cooperative pool waits for it.
  func run<Value: Sendable>(
    _ length: ReadLength,
    _ work: @escaping @Sendable () throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await BlockingWork.run(work) { start(length, $0) }
  }

  private func start(_ length: ReadLength, _ work: @escaping Work) {
    let reader: Reader? = state.withLock { state in
      guard length == .short || state.longReads < Limits.longReads,
        let reader = state.idle.popLast()
      else {
        if length == .short { state.short.append(work) } else { state.long.append(work) }
        return nil
      }
      if length == .long { state.longReads += 1 }
      return reader
    }
    guard let reader else { return }
    reader.queue.async { [self] in ask(length, work, of: reader) }
  }

  /// Runs a read, and then the reads that have waited for a connection.
  private func ask(_ length: ReadLength, _ work: @escaping Work, of reader: Reader) {
    var question: (length: ReadLength, work: Work)? = (length, work)
    while let (length, work) = question {
      Self.$current.withValue(reader) { work() }
      question = state.withLock { state in
        if length == .long { state.longReads -= 1 }
        let next = state.next()
        if next == nil { state.idle.append(reader) }
        return next
      }
    }
  }
}
