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

  /// Whether there is something to read, which includes the end of the connection.
  var hasSomethingToRead: Bool { wait(milliseconds: 0) > 0 }

  /// Sends a request together with a file's descriptor.
  ///
  /// A request is short enough for the socket to take it in one piece.
  func send(_ bytes: [UInt8], beside file: Int32) throws(DecoderEnd) {
    let sent = bytes.withUnsafeBytes {
      clinux_send_descriptor(descriptor, $0.baseAddress, $0.count, file)
    }
    if sent != bytes.count { throw .closed }
  }

  /// Waits for an answer, and checks its header before allocating memory for the payload.
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
    // Round up, so that the deadline has passed when the wait ends.
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

/// A picture as an open file that a decoder can read but not change.
///
/// The pool passes a file unchanged, so its length does not matter: the decoder reads only the
/// parts that it needs. Bytes become a file in memory, so that decoders handle only one kind of
/// input. That takes 7 ms for 4 MB. A socket would take 1 ms, but a decoder that begins at the end
/// of the file would have to wait for all of it. Large originals are files anyway.
struct PassedPicture: ~Copyable {
  let descriptor: Int32

  init(_ picture: PictureSource) throws(ImagingError) {
    switch picture {
    case .bytes(let bytes): descriptor = try Self.memory(bytes)
    case .file(let path): descriptor = try Self.file(path)
    case .opened(let file): descriptor = try Self.reopened(file)
    }
  }

  deinit { close(descriptor) }

  private static func file(_ path: String) throws(ImagingError) -> Int32 {
    // A pipe would block the call, and a terminal could become the controlling terminal.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(path: path, message: "not a file")
    }
    return descriptor
  }

  /// Opens a file again, so that each decoder has a position of its own in it (proc_pid_fd(5)).
  private static func reopened(_ opened: OpenedFile) throws(ImagingError) -> Int32 {
    defer { withExtendedLifetime(opened) {} }
    return try file("/proc/self/fd/\(opened.descriptor)")
  }

  private static func unreadable(_ path: String, _ code: Int32) -> ImagingError {
    .unreadable(path: path, message: String(cString: strerror(code)))
  }

  private static func memory(_ bytes: [UInt8]) throws(ImagingError) -> Int32 {
    let descriptor = clinux_memory_file("picture")
    guard descriptor >= 0 else { throw noMemory(errno) }
    guard write(bytes, to: descriptor), clinux_seal(descriptor) == 0 else {
      let code = errno
      close(descriptor)
      throw noMemory(code)
    }
    return descriptor
  }

  private static func noMemory(_ code: Int32) -> ImagingError {
    .cannotStart(message: String(cString: strerror(code)))
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno != EINTR { return false }
        written += max(0, count)
      }
      return true
    }
  }
}
