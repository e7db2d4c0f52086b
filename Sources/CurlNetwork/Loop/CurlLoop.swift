internal import CCurl
import Logging
import Models
import Workers

/// The loop that runs all transfers on its own thread.
///
/// It has one thread, because two threads must not use a handle of libcurl at the same time. Each round reads the
/// inbox, starts transfers, lets libcurl work, collects the transfers that ended, and waits in libcurl's poll. libcurl
/// calls back from within `perform`, on this thread.
///
/// A transfer is in exactly one of two tables, `waiting` or `running`. It is answered when it leaves them, and only
/// then, so that each continuation is resumed once. A complete transfer is set aside for a moment before its answer,
/// but never while the inbox is read. See Documentation/NetworkLoop.md.
final class CurlLoop {
  /// How long the loop sleeps when nothing is due.
  private static let idle = Duration.seconds(60)

  private let inbox: LoopInbox
  let multi: MultiHandle
  let setup: TransferSetup
  let hosts: HostRegistry
  let logger: Logger?
  var pool: EasyHandlePool
  var queue: HostQueue
  var waiting: [TransferID: Transfer] = [:]
  var running: [TransferID: Transfer] = [:]
  /// Complete transfers that are set aside until others have started.
  var whole: [Transfer] = []
  /// The running transfers whose bodies are streamed.
  var streams: [TransferID: Transfer] = [:]
  private var isStopped = false

  init(
    inbox: LoopInbox,
    setup: TransferSetup,
    limits: ConnectionLimits,
    hosts: HostRegistry,
    logger: Logger?
  ) {
    self.inbox = inbox
    self.setup = setup
    self.hosts = hosts
    self.logger = logger
    multi = inbox.loopHandle
    pool = EasyHandlePool(setup: setup)
    queue = HostQueue(limits: limits)
  }

  func run() {
    inbox.drain().forEach(obey)
    while !isStopped {
      goRound()
      inbox.drain().forEach(obey)
    }
    stop()
  }

  /// Runs one round of the loop.
  ///
  /// The second step sends the requests of transfers that the first step started, so that servers work on them while
  /// the loop delivers answers.
  private func goRound() {
    resumeHeld()
    startWaiting()
    let hasMore = step() && step()
    answerWhole()
    if !hasMore, inbox.prepareToWait() { multi.wait(for: timeToNextAlarm) }
  }

  /// Lets libcurl work on all running transfers.
  ///
  /// - Returns: Whether other transfers started.
  private func step() -> Bool {
    multi.perform()
    collectFinished()
    flushStreams()
    return startWaiting()
  }

  private var timeToNextAlarm: Duration {
    let now = hosts.instant
    let alarms = [queue.nextAlarm, hosts.pace.nextHeld(at: now)].compactMap(\.self)
    guard let next = alarms.min() else { return Self.idle }
    return min(Self.idle, max(.zero, next - now))
  }

  private func obey(_ message: LoopMessage) {
    switch message {
    case .start(let posted): enqueue(posted)
    case .cancel(let id): cancel(id)
    case .cancelGroup(let group): cancel(group)
    case .resume(let id): resume(id)
    case .stop: isStopped = true
    }
  }

  private func enqueue(_ posted: PostedTransfer) {
    let transfer = Transfer(posted, hosts: hosts, rules: setup.rules)
    if posted.request.ignoresPause { hosts.endPause(of: transfer.host) }
    waiting[transfer.id] = transfer
    let (feed, comesFirst) = (posted.request.feedKey, posted.request.comesFirst)
    guard posted.request.attempt > 0 else {
      return queue.append(transfer.id, of: transfer.host, feed: feed, comesFirst: comesFirst)
    }
    let delay = hosts.policy.delay(beforeRetry: posted.request.attempt, random: hosts.chance)
    queue.append(transfer.id, of: transfer.host, feed: feed, notBefore: hosts.instant + delay)
  }

  private func cancel(_ id: TransferID) {
    guard let transfer = waiting.removeValue(forKey: id) ?? running[id] else { return }
    timeTry(of: transfer)
    release(transfer)
    fail(transfer, HostRefusal(reason: .cancelled, message: "cancelled"))
  }

  private func cancel(_ group: TransferGroup) {
    for table in [waiting, running] {
      for (id, transfer) in table where transfer.belongs(to: group) { cancel(id) }
    }
  }

  /// Resumes a paused transfer; if libcurl refuses, it does not report the end of the transfer, so this finishes it.
  private func resume(_ id: TransferID) {
    guard let transfer = running[id], let easy = transfer.easy else { return }
    let code = easy.resume()
    if code != CURLE_OK { finish(transfer, code) }
  }

  /// Resumes one of the transfers that a limit on bytes holds; its next piece may hold the others again.
  private func resumeHeld() {
    while let id = hosts.pace.takeHeld(at: hosts.instant) {
      guard let transfer = running[id], transfer.isHeld else { continue }
      transfer.isHeld = false
      return resume(id)
    }
  }

  /// Starts the transfers that the limits and the hosts allow.
  ///
  /// - Returns: Whether any transfer was started or failed.
  @discardableResult
  private func startWaiting() -> Bool {
    for host in hosts.takeChanged() { queue.verdictChanged(on: host) }
    // The common case after a response: all hosts are busy.
    if !queue.hasTurns, queue.nextAlarm == nil { return false }
    var hasActed = false
    let now = hosts.instant
    while let turn = queue.next(
      at: now,
      verdict: hosts.turn,
      isWanted: { waiting[$0] != nil }
    ) {
      switch turn {
      case .start(let id): waiting.removeValue(forKey: id).map(start)
      case .refuse(let ids, let refusal): refuse(ids, refusal)
      }
      hasActed = true
    }
    return hasActed
  }

  private func refuse(_ ids: [TransferID], _ refusal: HostRefusal) {
    for transfer in ids.compactMap({ waiting.removeValue(forKey: $0) }) {
      fail(transfer, refusal)
    }
  }

  private func flushStreams() {
    for transfer in streams.values {
      noteVersion(of: transfer)
      if transfer.flush() { resume(transfer.id) }
    }
  }

  /// Cancels all transfers, including those whose messages are still in the inbox.
  ///
  /// The inbox refuses later messages.
  private func stop() {
    for case .start(let posted) in inbox.close() { enqueue(posted) }
    Array(waiting.keys).forEach(cancel)
    Array(running.keys).forEach(cancel)
    pool.removeAll()
    multi.close()
  }
}
