internal import CCurl
import Logging
import Workers

/// The start and the end of transfers in libcurl.
extension CurlLoop {
  func start(_ transfer: Transfer) {
    running[transfer.id] = transfer
    timeTurn(of: transfer)
    guard let easy = pool.take() else {
      return giveUp(transfer, noHandle)
    }
    transfer.begin(with: easy)
    easy.transfer = transfer
    if let refusal = setup.apply(transfer, to: easy) { return giveUp(transfer, refusal) }
    guard multi.add(easy) else { return giveUp(transfer, noHandle) }
    if transfer.isStreamed { streams[transfer.id] = transfer }
  }

  private var noHandle: HostRefusal {
    HostRefusal(reason: .other, message: "libcurl has no handle for a transfer")
  }

  private func giveUp(_ transfer: Transfer, _ refusal: HostRefusal) {
    release(transfer)
    fail(transfer, refusal)
  }

  func collectFinished() {
    while let (easy, code) = multi.nextFinished() {
      guard let transfer = easy.transfer else { continue }
      if transfer.hasComeWhole(code) { setAside(transfer) } else { finish(transfer, code) }
    }
  }

  /// Removes a complete transfer from libcurl, so that another can start before this one is answered.
  private func setAside(_ transfer: Transfer) {
    noteVersion(of: transfer)
    if withdraw(transfer) { whole.append(transfer) }
  }

  /// Answers the transfers that were set aside.
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

  private func `repeat`(_ transfer: Transfer, _ repetition: Attempt.Repetition) {
    let wait = max(.zero, repetition.time - hosts.instant)
    logger?.debug(
      """
      \(transfer.request.address): again in \(HostRegistry.text(wait.seconds)) s, try \
      \(transfer.attempts + 1): \(repetition.cause)
      """
    )
    if repetition.isCounted {
      transfer.request.waits?.note(
        .init(
          status: repetition.status,
          cause: repetition.failure,
          delay: wait,
          retry: transfer.attempts,
          retries: hosts.policy.retries
        )
      )
    }
    waiting[transfer.id] = transfer
    let feed = transfer.request.feedKey
    queue.append(transfer.id, of: transfer.host, feed: feed, notBefore: repetition.time)
  }

  func fail(_ transfer: Transfer, _ refusal: HostRefusal) {
    transfer.fail(refusal)
    log(transfer, ", \(refusal.message)")
  }

  /// Removes a transfer from libcurl and from the loop's tables, and returns its handle to the pool.
  func release(_ transfer: Transfer) {
    if withdraw(transfer) { giveBack(transfer) }
  }

  /// Removes a transfer from libcurl and from the loop's tables.
  ///
  /// - Returns: Whether it was running.
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

  /// Tells the queue that a host speaks HTTP/2; ignores a redirected response, which comes from another host.
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

/// The measurements for the stopwatch.
extension CurlLoop {
  /// Adds the time that a transfer waited for its first turn.
  func timeTurn(of transfer: Transfer) {
    guard let stopwatch = hosts.stopwatch, transfer.attempts == 0 else { return }
    let time = hosts.instant - transfer.current.begun
    stopwatch.add { $0[.queueing] += time }
  }

  /// Adds the times of an attempt, before its caller learns that the attempt has ended.
  func timeTry(of transfer: Transfer) {
    guard let stopwatch = hosts.stopwatch, let easy = transfer.easy else { return }
    let times = TransferTimes(easy)
    stopwatch.add { times.add(to: &$0) }
  }
}

/// The times of a transfer in libcurl, including its redirects.
///
/// libcurl measures each time from the start, or reports 0 for a phase that was not reached (curl_easy_getinfo(3),
/// "TIMES"). It adds up the times of redirects.
struct TransferTimes: Equatable {
  /// In microseconds, like all times here.
  var lookingUp = 0
  var connecting = 0
  var securing = 0
  var waiting = 0
  var receiving = 0
  var connections = 0
  var redirects = 0
  var bytes = 0

  /// Computes the phases from libcurl's times, in microseconds from the start.
  init(name: Int, connection: Int, security: Int, ready: Int, first: Int, end: Int) {
    lookingUp = name
    // Without a connection, the whole time was spent on connecting.
    let connected = connection > 0 ? connection : ready > 0 ? name : end
    connecting = max(0, connected - name)
    securing = max(0, security - connected)
    guard ready > 0 else { return }
    waiting = max(0, (first > 0 ? first : end) - max(ready, connected, security))
    receiving = first > 0 ? max(0, end - first) : 0
  }

  init(_ easy: EasyHandle) {
    func moment(_ info: CURLINFO) -> Int { Int(ccurl_get_offset(easy.pointer, info)) }
    self.init(
      name: moment(CURLINFO_NAMELOOKUP_TIME_T),
      connection: moment(CURLINFO_CONNECT_TIME_T),
      security: moment(CURLINFO_APPCONNECT_TIME_T),
      ready: moment(CURLINFO_PRETRANSFER_TIME_T),
      first: moment(CURLINFO_STARTTRANSFER_TIME_T),
      end: moment(CURLINFO_TOTAL_TIME_T)
    )
    connections = ccurl_get_long(easy.pointer, CURLINFO_NUM_CONNECTS)
    redirects = easy.redirectCount
    bytes = easy.wireBytes
  }

  func add(to timings: inout SyncTimings) {
    timings[.lookingUp] += .microseconds(lookingUp)
    timings[.connecting] += .microseconds(connecting)
    timings[.securing] += .microseconds(securing)
    timings[.waiting] += .microseconds(waiting)
    timings[.receiving] += .microseconds(receiving)
    timings.counts.connections += connections
    timings.counts.requests += redirects
    timings.counts.bytes += bytes
  }
}
