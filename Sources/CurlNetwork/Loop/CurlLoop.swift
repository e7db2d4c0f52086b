internal import CCurl
import Logging
import Models
import Workers

/// The thread that all transfers live on.
///
/// libcurl asks for one thing above all: never use a handle in two threads at a time. So one
/// thread owns the multi handle, the easy handles and the state of every transfer, and nobody
/// else can reach them. Callers leave messages in the inbox, start, cancel, resume or stop, and
/// the loop goes round: read the inbox, start what may start, let libcurl work, collect what has
/// ended, wait. While it waits it sleeps in libcurl's own poll, which watches the sockets and the
/// inbox's wake-up call at once, until the next pause or delay is over. A caller wakes it only if it
/// sleeps; under load nobody does.
///
/// Since libcurl calls back from within `perform`, on this thread, the callbacks change a
/// transfer's state without a lock. There are locks at the two places where bytes or messages
/// change hands and nowhere else: the inbox, and the buffer between a streamed transfer and its
/// reader. Both are held for a few instructions, never during a call into libcurl that could
/// wait.
///
/// A transfer is in exactly one of two tables, `waiting` or `running`, and moves from either to the
/// other as its tries begin and end; it is answered when it leaves them, and only then. So each
/// continuation is resumed once, a cancellation of what has ended finds nothing, and stopping means
/// emptying the tables. Between them and its answer, one that has come whole is set aside for a moment, but
/// never while the inbox is read. libcurl holds running transfers only: order and fairness are the queue's,
/// pauses and back-off the host book's, which can be asked and tested without a socket.
final class CurlLoop {
  /// How long the loop sleeps when nothing at all is due.
  private static let idle = Duration.seconds(60)

  private let inbox: LoopInbox
  let multi: MultiHandle
  let setup: TransferSetup
  let hosts: HostBook
  let logger: Logger?
  var pool: EasyHandlePool
  var queue: HostQueue
  var waiting: [TransferID: Transfer] = [:]
  var running: [TransferID: Transfer] = [:]
  /// Those that have come whole, for as long as it takes to start others in their place.
  var whole: [Transfer] = []
  /// Those of `running` that have a reader.
  var streams: [TransferID: Transfer] = [:]
  private var isStopped = false

  init(
    inbox: LoopInbox,
    setup: TransferSetup,
    limits: ConnectionLimits,
    hosts: HostBook,
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

  /// A second step sends the requests of those that the first has let start, so that servers work on them
  /// while answers are put together.
  private func goRound() {
    startWaiting()
    let hasMore = step() && step()
    answerWhole()
    if !hasMore, inbox.prepareToWait() { multi.wait(for: timeToNextAlarm) }
  }

  /// Lets libcurl do what it can, and says whether others could start thereupon.
  private func step() -> Bool {
    multi.perform()
    collectFinished()
    flushStreams()
    return startWaiting()
  }

  private var timeToNextAlarm: Duration {
    guard let next = queue.nextAlarm else { return Self.idle }
    return min(Self.idle, max(.zero, next - hosts.instant))
  }

  private func obey(_ message: LoopMessage) {
    switch message {
    case .start(let order): enqueue(order)
    case .cancel(let id): cancel(id)
    case .cancelGroup(let group): cancel(group)
    case .resume(let id): resume(id)
    case .stop: isStopped = true
    }
  }

  private func enqueue(_ order: TransferOrder) {
    let transfer = Transfer(order, hosts: hosts, rules: setup.rules)
    waiting[transfer.id] = transfer
    let (feed, comesFirst) = (order.request.feedKey, order.request.comesFirst)
    guard order.request.attempt > 0 else {
      return queue.append(transfer.id, of: transfer.host, feed: feed, comesFirst: comesFirst)
    }
    let delay = hosts.policy.delay(beforeRetry: order.request.attempt, random: hosts.chance)
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

  /// libcurl may refuse to go on, and then does not report the transfer itself.
  private func resume(_ id: TransferID) {
    guard let transfer = running[id], let easy = transfer.easy else { return }
    let code = easy.resume()
    if code != CURLE_OK { finish(transfer, code) }
  }

  /// Starts what the limits and the hosts allow.
  ///
  /// - Returns: whether anything was started or failed.
  @discardableResult
  private func startWaiting() -> Bool {
    for host in hosts.takeChanged() { queue.verdictChanged(on: host) }
    // Asked after each answer, and mostly of a queue whose hosts are all busy.
    if !queue.hasTurns, queue.nextAlarm == nil { return false }
    var hasActed = false
    let now = hosts.instant
    while let turn = queue.next(
      at: now,
      verdict: hosts.verdict,
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

  /// Messages that come too late are refused by the inbox; those it still holds are answered here.
  private func stop() {
    for case .start(let order) in inbox.close() { enqueue(order) }
    Array(waiting.keys).forEach(cancel)
    Array(running.keys).forEach(cancel)
    pool.removeAll()
    multi.close()
  }
}
