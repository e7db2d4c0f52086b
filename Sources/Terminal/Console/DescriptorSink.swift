import Glibc

/// A file descriptor: everything is written at once, however the system cuts it.
package final class DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let whenClosed: @Sendable () -> Void

  /// Takes a descriptor that stays open; `whenClosed` hears that nobody reads it any more.
  package init(_ descriptor: Int32, whenClosed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.whenClosed = whenClosed
  }

  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR, !waitIfBusy() {
        return whenClosed()
      }
    }
  }

  /// A descriptor that someone else has made non-blocking.
  private func waitIfBusy() -> Bool {
    guard errno == EAGAIN else { return false }
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, -1) > 0
  }
}
