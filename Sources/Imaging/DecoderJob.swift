import Workers

/// A picture that waits for a decoder, and whoever waits for the answer.
final class DecoderJob: Sendable {
  typealias Answering = CheckedContinuation<Result<DecoderAnswer, ImagingError>, Never>

  private enum State: Sendable {
    case new
    case waiting(Answering)
    case done(Result<DecoderAnswer, ImagingError>)
  }

  let order: DecoderOrder
  let picture: PictureSource
  private let state = Locked(State.new)

  init(order: DecoderOrder, picture: PictureSource) {
    self.order = order
    self.picture = picture
  }

  /// Whether there is no use in working on it any more.
  var isOver: Bool {
    state.withLock { state in
      if case .done = state { true } else { false }
    }
  }

  /// Notes who waits; answers at once when it is over already.
  func begin(_ continuation: Answering) {
    let result = state.withLock { state -> Result<DecoderAnswer, ImagingError>? in
      if case .done(let result) = state { return result }
      state = .waiting(continuation)
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }

  /// Answers; only the first answer counts.
  func finish(_ result: Result<DecoderAnswer, ImagingError>) {
    let continuation = state.withLock { state -> Answering? in
      if case .done = state { return nil }
      defer { state = .done(result) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: result)
  }
}
