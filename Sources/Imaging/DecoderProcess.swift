internal import CLinux
import DecoderFrames
import Glibc
import Workers

/// Starts decoders, and retries a start that another process interrupts.
struct DecoderStarter: Sendable {
  let paths: DecoderPaths
  let secondsPerPicture: Int
  let whenStarted: @Sendable (StartedDecoder) -> Void

  /// How long a decoder may take to load its libraries on a busy machine.
  private static let timeToStart = Duration.seconds(60)
  /// The most starts to try when another process ends each of them.
  private static let attempts = 5

  func start() throws(ImagingError) -> DecoderProcess {
    let program = try paths.find()
    var attempt = 1
    while true {
      let process = try DecoderProcess(program: program)
      let end: DecoderEnd
      do throws(DecoderEnd) {
        whenStarted(try process.readGreeting(within: Self.timeToStart))
        return process
      } catch {
        end = error.cause(signal: process.end())
      }
      guard end.isFromOutside, attempt < Self.attempts else {
        throw .cannotStart(message: "\(program) \(Self.description(end))")
      }
      attempt += 1
    }
  }

  private static func description(_ end: DecoderEnd) -> String {
    switch end {
    case .signal(let signal): "ended by signal \(signal) before it was ready"
    case .closed: "ended before it was ready"
    case .timedOut: "was not ready in time"
    case .wrongAnswer: "is of another version"
    }
  }
}

/// A running decoder and the connection to it.
///
/// Only the thread that started it may send requests. Any thread may interrupt or end it.
final class DecoderProcess: Sendable {
  private let connection: DecoderConnection
  /// Nil after waitpid, because the kernel may then give the number to another process.
  private let pid: Locked<pid_t?>

  /// Starts the program.
  init(program: String) throws(ImagingError) {
    let (ours, theirs) = try DecoderConnection.pair()
    connection = ours
    pid = Locked(try DecoderLaunch.start(program, standardInput: theirs.descriptor))
  }

  deinit { end() }

  /// Waits for the greeting, which the decoder sends when it is ready.
  func readGreeting(within limit: Duration) throws(DecoderEnd) -> StartedDecoder {
    let (header, payload) = try connection.readAnswer(until: .now + limit)
    guard header.kind == .greeting else { throw .wrongAnswer }
    do throws(FrameError) {
      let greeting = try DecoderGreeting(payload: payload[...])
      return StartedDecoder(
        process: pid.withLock { Int($0 ?? 0) },
        held: greeting.protections,
        library: greeting.library,
        formats: greeting.formats
      )
    } catch {
      throw .wrongAnswer
    }
  }

  /// Whether the decoder waits for a request, as it should.
  var isQuiet: Bool { !connection.hasSomethingToRead }

  /// Sends a request and waits for the answer.
  func perform(
    _ request: DecoderRequest,
    _ picture: borrowing PassedPicture,
    within limit: Duration
  ) throws(DecoderEnd) -> (AnswerHeader, [UInt8]) {
    let deadline = SuspendingClock.Instant.now + limit
    try connection.send(request.bytes, beside: picture.descriptor)
    return try connection.readAnswer(until: deadline)
  }

  /// Kills the decoder, from any thread; a call that waits for its answer finds the connection closed.
  func interrupt() {
    pid.withLock { pid in
      if let pid { kill(pid, SIGKILL) }
    }
  }

  /// Kills the decoder and waits for its exit.
  ///
  /// - Returns: The signal that ended it: an earlier signal, else SIGKILL; 0 if it exited by
  ///   itself.
  @discardableResult
  func end() -> Int32 {
    pid.withLock { pid in
      guard let ended = pid else { return 0 }
      pid = nil
      kill(ended, SIGKILL)
      var status: Int32 = 0
      while waitpid(ended, &status, 0) < 0 && errno == EINTR {}
      return status & 0x7F
    }
  }
}

/// The reason why a decoder can no longer be used.
enum DecoderEnd: Error, Equatable {
  /// The decoder closed the connection.
  case closed
  /// The decoder closed the connection because a signal ended its process.
  case signal(Int32)
  /// The decoder did not answer in time.
  case timedOut
  /// The decoder sent an answer that is malformed or does not match the request.
  case wrongAnswer

  /// Replaces a closed connection with the signal that ended the process, if it is not 0.
  func cause(signal: Int32) -> DecoderEnd {
    self == .closed && signal != 0 ? .signal(signal) : self
  }

  /// Whether another process or the kernel ended the decoder, so that the picture is not to blame.
  var isFromOutside: Bool {
    switch self {
    case .signal(let signal): [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(signal)
    case .closed, .timedOut, .wrongAnswer: false
    }
  }

  /// Whether the decoder crashed; running out of processor time is not a crash.
  var isCrash: Bool {
    switch self {
    case .signal(SIGPROF): false
    case .closed, .signal: !isFromOutside
    case .timedOut, .wrongAnswer: false
    }
  }

  func error(secondsPerPicture: Int) -> ImagingError {
    switch self {
    // The decoder's timer for processor time sends this signal.
    case .signal(SIGPROF): .tooMuchWork(seconds: FrameLimits.processorSeconds)
    case .signal(let signal): .crashed(signal: Int(signal))
    case .closed: .crashed(signal: 0)
    case .timedOut: .timedOut(seconds: secondsPerPicture)
    case .wrongAnswer: .wrongAnswer
    }
  }
}
