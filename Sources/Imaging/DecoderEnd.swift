import DecoderFrames
import Glibc
import Workers

/// Why a decoder is of no use any more.
enum DecoderEnd: Error, Equatable {
  /// It hung up.
  case closed
  /// It hung up because of this.
  case exit(ProcessExit)
  /// It did not answer in time.
  case timedOut
  /// It said what it was not asked, or nothing that makes sense.
  case wrongAnswer

  /// The end with the reason for it, once the process has been looked after.
  func cause(exit: ProcessExit) -> DecoderEnd { self == .closed ? .exit(exit) : self }

  /// Whether the picture has nothing to do with it: somebody else ended the process.
  var isFromOutside: Bool {
    switch self {
    case .exit(.signal(let signal)): [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(signal)
    case .exit(.ended), .closed, .timedOut, .wrongAnswer: false
    }
  }

  /// Whether the process broke down over what it did.
  var isCrash: Bool {
    switch self {
    case .exit(.signal(SIGPROF)): false
    case .exit: !isFromOutside
    case .closed, .timedOut, .wrongAnswer: false
    }
  }

  func error(secondsPerPicture: Int) -> ImagingError {
    switch self {
    // The decoder's own clock for processor time.
    case .exit(.signal(SIGPROF)): .tooMuchWork(seconds: FrameLimits.processorSeconds)
    case .exit(.signal(let signal)): .crashed(signal: Int(signal))
    case .exit(.ended), .closed: .crashed(signal: 0)
    case .timedOut: .timedOut(seconds: secondsPerPicture)
    case .wrongAnswer: .wrongAnswer
    }
  }
}
