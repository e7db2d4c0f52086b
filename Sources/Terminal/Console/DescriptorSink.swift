import Glibc
import Workers

/// A destination of bytes.
package protocol ByteSink: Sendable {
  func write(_ bytes: [UInt8])
}

/// A file descriptor as a destination, without a buffer.
package final class DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let whenClosed: @Sendable () -> Void
  private let firstFailure = Locked<Int32?>(nil)

  /// Takes a descriptor, which the caller closes; `whenClosed` is called when its reader has gone.
  package init(_ descriptor: Int32, whenClosed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.whenClosed = whenClosed
  }

  /// The system's message for the first failure; nil when there was none, or when the reader has gone.
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

  /// Waits until there is room, if another process made the descriptor non-blocking.
  private func waitIfBusy() -> Bool {
    guard errno == EAGAIN else { return false }
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, -1) > 0
  }
}
