/// A decoder that a thread of the pool works with.
final class RunningDecoder {
  let process: DecoderProcess
  /// What the queue calls its interruption.
  let interruption: Int
  /// Whether it has decoded a picture.
  var hasAnswered = false

  init(process: DecoderProcess, interruption: Int) {
    self.process = process
    self.interruption = interruption
  }
}
