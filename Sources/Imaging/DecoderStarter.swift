import Workers

/// Knows how decoders are started.
struct DecoderStarter: Sendable {
  let places: DecoderPlaces
  let secondsPerPicture: Int
  let whenStarted: @Sendable (StartedDecoder) -> Void

  /// How long a decoder may take to load its libraries on a machine that is busy.
  private static let timeToStart = Duration.seconds(60)
  /// How often a start is tried that somebody else interrupts.
  private static let attempts = 5

  func start() throws(ImagingError) -> DecoderProcess {
    let program = try places.find()
    var attempt = 1
    while true {
      let process = try DecoderProcess(program: program)
      let end: DecoderEnd
      do throws(DecoderEnd) {
        whenStarted(try process.readGreeting(within: Self.timeToStart))
        return process
      } catch {
        end = error.cause(exit: process.end())
      }
      guard end.isFromOutside, attempt < Self.attempts else {
        throw .cannotStart(message: "\(program) \(Self.description(end))")
      }
      attempt += 1
    }
  }

  private static func description(_ end: DecoderEnd) -> String {
    switch end {
    case .exit(.signal(let signal)): "ended by signal \(signal) before it was ready"
    case .exit(.ended), .closed: "ended before it was ready"
    case .timedOut: "was not ready in time"
    case .wrongAnswer: "is of another version"
    }
  }
}
