internal import CLinux
import DecoderFrames
import Glibc
import Workers

/// One end of a connection between a decoder and its pool.
final class DecoderConnection: Sendable {
  let descriptor: Int32

  private init(taking descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  static func pair() throws(ImagingError) -> (DecoderConnection, DecoderConnection) {
    var ends: [Int32] = [-1, -1]
    guard clinux_connected_pair(&ends) == 0 else {
      throw .cannotStart(message: String(cString: strerror(errno)))
    }
    return (DecoderConnection(taking: ends[0]), DecoderConnection(taking: ends[1]))
  }

  /// Whether there is something to read, the end included.
  var hasSomethingToRead: Bool { wait(milliseconds: 0) > 0 }

  /// Sends a request, which is short enough to go in one piece, with a file beside it.
  func send(_ bytes: [UInt8], beside file: Int32) throws(DecoderEnd) {
    let sent = bytes.withUnsafeBytes {
      clinux_send_descriptor(descriptor, $0.baseAddress, $0.count, file)
    }
    if sent != bytes.count { throw .closed }
  }

  /// Waits for an answer; what it claims to be is checked before room is made for it.
  func readAnswer(
    until deadline: SuspendingClock.Instant
  ) throws(DecoderEnd) -> (AnswerHeader, [UInt8]) {
    let bytes = try read(AnswerHeader.length, until: deadline)
    let header: AnswerHeader
    do throws(FrameError) {
      header = try AnswerHeader(bytes[...])
    } catch {
      throw .wrongAnswer
    }
    return (header, try read(header.payloadLength, until: deadline))
  }

  private func read(
    _ count: Int,
    until deadline: SuspendingClock.Instant
  ) throws(DecoderEnd) -> [UInt8] {
    var end: DecoderEnd?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
      do throws(DecoderEnd) {
        while initialised < count {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[initialised..<count]
          )
          initialised += try readSome(into: rest, until: deadline)
        }
      } catch {
        end = error
      }
    }
    if let end { throw end }
    return bytes
  }

  private func readSome(
    into buffer: UnsafeMutableRawBufferPointer,
    until deadline: SuspendingClock.Instant
  ) throws(DecoderEnd) -> Int {
    let left = SuspendingClock.Instant.now.duration(to: deadline)
    guard left > .zero else { throw .timedOut }
    // Rounded up, so that the time is over when the wait is.
    let milliseconds = Int32(clamping: left.components.seconds * 1_000 + 1_000)
    guard wait(milliseconds: milliseconds) != 0 else { return 0 }
    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 { return count }
    if count < 0, errno == EINTR || errno == EAGAIN { return 0 }
    throw .closed
  }

  private func wait(milliseconds: Int32) -> Int32 {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds)
  }
}
