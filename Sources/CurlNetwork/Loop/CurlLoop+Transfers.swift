internal import CCurl
import Logging
import Workers

/// How transfers come into libcurl's hands, and out of them.
extension CurlLoop {
  func start(_ transfer: Transfer) {
    running[transfer.id] = transfer
    timeTurn(of: transfer)
    guard let easy = pool.take() else {
      return giveUp(transfer, .other, "libcurl makes no handle for a transfer")
    }
    transfer.begin(with: easy)
    easy.transfer = transfer
    guard setup.apply(transfer, to: easy) else {
      return giveUp(transfer, .refused, "a request field does not fit on one line")
    }
    guard multi.add(easy) else { return giveUp(transfer, .other, "libcurl takes no transfer") }
    if transfer.isStreamed { streams[transfer.id] = transfer }
  }

  private func giveUp(_ transfer: Transfer, _ reason: NetworkError.Reason, _ message: String) {
    release(transfer)
    fail(transfer, HostRefusal(reason: reason, message: message))
  }

  func collectFinished() {
    while let (easy, code) = multi.nextFinished() {
      guard let transfer = easy.transfer else { continue }
      if transfer.hasComeWhole(code) { setAside(transfer) } else { finish(transfer, code) }
    }
  }

  /// Makes room for another transfer before the answer to this one is put together.
  private func setAside(_ transfer: Transfer) {
    noteVersion(of: transfer)
    if withdraw(transfer) { whole.append(transfer) }
  }

  /// Hands over what was set aside.
  func answerWhole() {
    for transfer in whole {
      timeTry(of: transfer)
      _ = transfer.finish(CURLE_OK)
      log(transfer, "")
      giveBack(transfer)
    }
    whole.removeAll(keepingCapacity: true)
  }

  func finish(_ transfer: Transfer, _ code: CURLcode) {
    noteVersion(of: transfer)
    timeTry(of: transfer)
    let ending = transfer.finish(code)
    switch ending {
    case .answered:
      log(
        transfer,
        code == CURLE_OK ? "" : ", libcurl's code \(code.rawValue), \(transfer.words(for: code))"
      )
      release(transfer)
    case .repeated(let repetition):
      release(transfer)
      `repeat`(transfer, repetition)
    }
  }

  private func `repeat`(_ transfer: Transfer, _ repetition: Try.Repetition) {
    let wait = max(.zero, repetition.time - hosts.instant)
    logger?.debug(
      """
      \(transfer.request.address): again in \(HostBook.text(wait.seconds)) s, try \
      \(transfer.tries + 1): \(repetition.cause)
      """
    )
    waiting[transfer.id] = transfer
    let feed = transfer.request.feedKey
    queue.append(transfer.id, of: transfer.host, feed: feed, notBefore: repetition.time)
  }

  func fail(_ transfer: Transfer, _ refusal: HostRefusal) {
    transfer.fail(refusal)
    log(transfer, ", \(refusal.message)")
  }

  /// Takes a transfer out of libcurl's hands and the loop's table, and its handle from it.
  func release(_ transfer: Transfer) {
    if withdraw(transfer) { giveBack(transfer) }
  }

  /// Takes a transfer out of libcurl's hands and the loop's table; says whether it was there.
  private func withdraw(_ transfer: Transfer) -> Bool {
    guard running.removeValue(forKey: transfer.id) != nil else { return false }
    if transfer.isStreamed { streams.removeValue(forKey: transfer.id) }
    hosts.ended(on: transfer.host, begun: transfer.current.begun)
    queue.ended(of: transfer.host, feed: transfer.request.feedKey)
    if let easy = transfer.easy { multi.remove(easy) }
    return true
  }

  private func giveBack(_ transfer: Transfer) {
    guard let easy = transfer.easy else { return }
    transfer.easy = nil
    pool.giveBack(easy)
  }

  /// Redirected responses come from another host, of which the queue may know nothing.
  func noteVersion(of transfer: Transfer) {
    guard transfer.current.header.isHTTP2, !transfer.current.header.isRedirected else { return }
    queue.speaksHTTP2(transfer.host)
  }

  private func log(_ transfer: Transfer, _ outcome: @autoclosure () -> String) {
    logger?.debug(
      "\(transfer.request.address): status \(transfer.current.header.status)\(outcome())"
    )
  }
}
