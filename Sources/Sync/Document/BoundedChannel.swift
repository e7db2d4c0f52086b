import Workers

/// Hands values from one task to another, a few at a time.
///
/// A sender waits while the receiver is `capacity` values behind, so that a fast sender does not fill the memory. One
/// task sends, and one receives.
final class BoundedChannel<Element: Sendable>: Sendable {
  fileprivate struct State: Sendable {
    var values: [Element] = []
    var isFinished = false
    var isClosed = false
    var receiver: CheckedContinuation<Element?, Never>?
    var sender: CheckedContinuation<Void, Never>?
  }

  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// Sends a value, and waits for room for the next one; drops the value if the receiver has closed the channel.
  func send(_ value: Element) async {
    state.withLock { $0.take(value) }?.resume(returning: value)
    await room()
  }

  /// Marks the end of the values.
  func finish() {
    let receiver = state.withLock { state in
      state.isFinished = true
      return state.receiver.take()
    }
    receiver?.resume(returning: nil)
  }

  /// The next value; nil once the sender has finished.
  func next() async -> Element? {
    let (value, sender) = state.withLock { $0.give() }
    sender?.resume()
    if let value { return value }
    return await withCheckedContinuation { continuation in
      let (isOver, value) = state.withLock { $0.wait(continuation) }
      if isOver { continuation.resume(returning: value) }
    }
  }

  /// Stops receiving; later values are dropped.
  func close() {
    let sender = state.withLock { state in
      state.isClosed = true
      return state.sender.take()
    }
    sender?.resume()
  }

  private func room() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.values.count < capacity || state.isClosed { return true }
        state.sender = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

extension BoundedChannel.State {
  /// Stores a value, or returns the receiver that waits for it.
  fileprivate mutating func take(_ value: Element) -> CheckedContinuation<Element?, Never>? {
    if isClosed { return nil }
    if let waiting = receiver.take() { return waiting }
    values.append(value)
    return nil
  }

  /// Removes the first value, and returns it with the sender that now has room.
  fileprivate mutating func give() -> (Element?, CheckedContinuation<Void, Never>?) {
    values.isEmpty ? (nil, nil) : (values.removeFirst(), sender.take())
  }

  /// Makes the receiver wait, unless a value or the end has arrived in the meantime.
  fileprivate mutating func wait(
    _ continuation: CheckedContinuation<Element?, Never>
  ) -> (isOver: Bool, Element?) {
    if !values.isEmpty { return (true, values.removeFirst()) }
    if isFinished { return (true, nil) }
    receiver = continuation
    return (false, nil)
  }
}
