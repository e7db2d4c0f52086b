import Workers

/// What is told of transfers to whoever wants to know where time goes.
extension CurlLoop {
  /// Tells how long a transfer has waited for its first turn.
  func timeTurn(of transfer: Transfer) {
    guard let stopwatch = hosts.stopwatch, transfer.tries == 0 else { return }
    let time = hosts.instant - transfer.current.begun
    stopwatch.add { $0[.queueing] += time }
  }

  /// Tells what a try took, before anybody is told that it has ended.
  func timeTry(of transfer: Transfer) {
    guard let stopwatch = hosts.stopwatch, let easy = transfer.easy else { return }
    let times = TransferTimes(easy)
    stopwatch.add { times.add(to: &$0) }
  }
}
