/// How a process ended (wait(2)).
enum ProcessExit: Equatable {
  /// Of its own accord.
  case ended
  case signal(Int32)

  /// Takes a status as waitpid gives it.
  init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .ended : .signal(signal)
  }
}
