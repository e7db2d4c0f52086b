import Glibc
import Workers

/// A file descriptor: everything is written at once, however the system cuts it.
package final class DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let whenClosed: @Sendable () -> Void
  private let firstFailure = Locked<Int32?>(nil)

  /// Takes a descriptor that stays open; `whenClosed` hears that nothing reads it any more.
  package init(_ descriptor: Int32, whenClosed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.whenClosed = whenClosed
  }

  /// Why something could not be written, in the system's words; nil when all was, or when nobody
  /// reads it any more.
  package var failure: String? {
    firstFailure.withLock { $0 }.map { String(cString: strerror($0)) }
  }

  /// After a failure nothing more is written: what follows a gap is worse than nothing.
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

  /// A descriptor that someone else has made non-blocking.
  private func waitIfBusy() -> Bool {
    guard errno == EAGAIN else { return false }
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, -1) > 0
  }
}
