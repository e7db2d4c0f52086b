internal import CLinux
import DecoderFrames
import Glibc
import Workers

/// A decoder that runs, and the connection to it.
///
/// Only the thread that made it talks to it; the end may be called for from any thread.
final class DecoderProcess: Sendable {
  private let connection: DecoderConnection
  /// nil once it has been waited for: its number may belong to somebody else from then on.
  private let pid: Locked<pid_t?>

  /// Starts the program.
  init(program: String) throws(ImagingError) {
    let (ours, theirs) = try DecoderConnection.pair()
    connection = ours
    pid = Locked(try DecoderLaunch.start(program, standardInput: theirs.descriptor))
  }

  deinit { end() }

  /// Waits for what the decoder says of itself when it is ready.
  func readGreeting(within limit: Duration) throws(DecoderEnd) -> StartedDecoder {
    let (header, payload) = try connection.readAnswer(until: .now + limit)
    guard header.kind == .greeting else { throw .wrongAnswer }
    do throws(FrameError) {
      let greeting = try DecoderGreeting(payload: payload[...])
      return StartedDecoder(greeting, process: pid.withLock { Int($0 ?? 0) })
    } catch {
      throw .wrongAnswer
    }
  }

  /// Whether it waits to be asked, as it should.
  var isQuiet: Bool { !connection.hasSomethingToRead }

  /// Asks it something, and waits for the answer.
  func perform(
    _ request: DecoderRequest,
    _ picture: borrowing PassedPicture,
    within limit: Duration
  ) throws(DecoderEnd) -> (AnswerHeader, [UInt8]) {
    let deadline = SuspendingClock.Instant.now + limit
    try connection.send(request.bytes, beside: picture.descriptor)
    return try connection.readAnswer(until: deadline)
  }

  /// Ends it from any thread; whoever waits for an answer finds the connection closed.
  func interrupt() {
    pid.withLock { pid in
      if let pid { kill(pid, SIGKILL) }
    }
  }

  /// Ends it, and waits until it is gone.
  ///
  /// - Returns: How it ended: when that was before, it is the signal that ended it then.
  @discardableResult
  func end() -> ProcessExit {
    pid.withLock { pid in
      guard let ended = pid else { return .ended }
      pid = nil
      kill(ended, SIGKILL)
      var status: Int32 = 0
      while waitpid(ended, &status, 0) < 0 && errno == EINTR {}
      return ProcessExit(status: status)
    }
  }
}
